// SPDX-License-Identifier: BSD-3-Clause
// Keys of [frequency], [periodic] and [bloch].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view all_but_ports = "fem-assemble fe-iiee ie-solve mom2d";

constexpr std::string_view band_default = "(1e-3 for 12 frequencies or more; else 0)";

constexpr Key keys[] = {
    {"frequency.values", Type::numbers, "Hz", ">= 0", "",
     "frequencies, each once; 0: the limit of S of ports", "fem-solve"},
    {"frequency.values", Type::numbers, "Hz", "> 0", "", "frequencies, each once", all_but_ports},
    {"frequency.start", Type::number, "Hz", ">= 0", "", "first frequency of a range, instead of values",
     "fem-solve"},
    {"frequency.start", Type::number, "Hz", "> 0", "", "first frequency of a range, instead of values",
     all_but_ports},
    {"frequency.stop", Type::number, "Hz", "> 0", "", "last frequency of a range", solver_programs},
    {"frequency.points", Type::integer, "", "1 to 10000000", "", "number of frequencies in the range",
     solver_programs},
    {"frequency.adaptive_tolerance", Type::number, "", ">= 0", band_default,
     "fast sweep: greatest error of an S-parameter between full solutions; 0: every frequency is solved; "
     "fem-assemble leaves it out",
     fem},
    {"frequency.adaptive_tolerance", Type::number, "", ">= 0", band_default,
     "fast sweep: greatest error between full solutions, of an S-parameter and of currents relative to their "
     "norm; 0: every frequency is solved; surfaces and contours only",
     "ie-solve mom2d"},
    {"frequency.max_solutions", Type::integer, "", "3 to 1000", "40",
     "greatest number of full solutions of a fast sweep", solver_programs},
    {"periodic[].primary", Type::texts, "", "", "required", "surfaces of one side of the unit cell",
     fem_pair},
    {"periodic[].secondary", Type::texts, "", "", "required",
     "surfaces of the opposite side, translated from primary", fem_pair},
    {"periodic[].phase", Type::number, "degrees", "", "(by [bloch])",
     "phase k.d: the field at the secondary faces is that at the primary ones times exp(-j phase)", fem_pair},
    {"bloch.theta", Type::number, "degrees", "0 to 180", "",
     "polar angle of the direction the wave comes from", fem_pair},
    {"bloch.phi", Type::number, "degrees", "", "0.0", "azimuth of the direction the wave comes from",
     fem_pair},
    {"bloch.wave_vector", Type::vector, "rad/m", "", "[0.0, 0.0, 0.0]",
     "Bloch wave vector, instead of angles", fem_pair},
};

}  // namespace

std::span<const Key> frequency_keys() {
  return keys;
}

}  // namespace curlew::io::schema
