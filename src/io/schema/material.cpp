// SPDX-License-Identifier: BSD-3-Clause
// Keys of [[material]].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr Key keys[] = {
    {"material[].region", Type::texts, "", "", "required",
     "volumes of the mesh; surfaces around the medium, films and slabs (ie-solve); names of materials "
     "(mom2d)",
     solver_programs},
    {"material[].material", Type::text, "", "", "",
     "name in the library (--materials); keys of this table override its values", solver_programs},
    {"material[].epsilon_r", Type::tensor, "", "", "1.0",
     "relative permittivity; imaginary part negative for losses", fem},
    {"material[].epsilon_r", Type::complex, "", "", "1.0",
     "relative permittivity; imaginary part negative for losses", "ie-solve mom2d"},
    {"material[].mu_r", Type::tensor, "", "", "1.0", "relative permeability", fem},
    {"material[].mu_r", Type::complex, "", "", "1.0", "relative permeability", "ie-solve mom2d"},
    {"material[].loss_tangent", Type::number, "", ">= 0", "0.0",
     "added losses: -Im eps / Re eps; acoustics: eta in the bulk modulus rho c^2 (1 + j eta)",
     solver_programs},
    {"material[].conductivity", Type::number, "S/m", ">= 0", "0.0", "added conductivity", solver_programs},
    {"material[].table", Type::text, "", "", "",
     "CSV of the permittivity: frequency_hz, epsilon_re, epsilon_im (<= 0)", solver_programs},
    {"material[].model[].plasma_frequency", Type::number, "Hz", "> 0", "",
     "plasma frequency of a Drude pole, which is added to epsilon_r", solver_programs},
    {"material[].model[].damping", Type::number, "Hz", ">= 0", "(0)",
     "collision frequency of a Drude pole, linewidth of a Lorentz pole", solver_programs},
    {"material[].model[].delta_epsilon", Type::number, "", ">= 0", "", "strength of a Lorentz or Debye pole",
     solver_programs},
    {"material[].model[].resonance_frequency", Type::number, "Hz", "> 0", "",
     "resonance frequency of a Lorentz pole", solver_programs},
    {"material[].model[].relaxation_time", Type::number, "s", "> 0", "", "relaxation time of a Debye pole",
     solver_programs},
    {"material[].density", Type::complex, "kg/m3", "(Re > 0, Im <= 0)", "", "density of a fluid (acoustics)",
     fem_pair},
    {"material[].speed_of_sound", Type::complex, "m/s", "(Re > 0, Im >= 0)", "",
     "speed of sound in a fluid (acoustics)", meshed},
};

}  // namespace

std::span<const Key> material_keys() {
  return keys;
}

}  // namespace curlew::io::schema
