// SPDX-License-Identifier: BSD-3-Clause
// Keys of [[boundary]], [[symmetry]] and [[pml]].
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr Key boundary[] = {
    {"boundary[].region", Type::texts, "", "", "required", "surfaces of the mesh; names of contours (mom2d)",
     solver_programs},
    {"boundary[].type", Type::word, "",
     "pec | pmc | impedance | absorbing | lumped | sheet | superconductor | tabulated_impedance | rigid | "
     "neumann | robin | dirichlet",
     "required", "condition on the surfaces; acoustics: impedance, absorbing and the last four", fem_pair},
    {"boundary[].type", Type::word, "",
     "pec | pmc | impedance | absorbing | lumped | sheet | superconductor | tabulated_impedance", "required",
     "condition on the surfaces", "fe-iiee"},
    {"boundary[].type", Type::word, "", "pec | impedance | film", "required", "kind of the surfaces",
     "ie-solve"},
    {"boundary[].type", Type::word, "", "pec | impedance", "required", "kind of the contours", "mom2d"},
    {"boundary[].material", Type::text, "", "", "",
     "conductor of an impedance or sheet in the library (--materials)", solver_programs},
    {"boundary[].order", Type::integer, "", "1 to 2", "1", "order of an absorbing condition", fem},
    {"boundary[].radius", Type::number, "mesh.unit", "> 0", "(planes)",
     "radius of the sphere with an absorbing condition of order 2", fem},
    {"boundary[].conductivity", Type::number, "S/m", "(> 0; superconductor: >= 0)", "(superconductor: 0)",
     "conductivity of a good conductor (impedance), a thin sheet, or the normal electrons of a "
     "superconductor at its critical temperature",
     fem},
    {"boundary[].conductivity", Type::number, "S/m", "> 0", "", "conductivity of a good conductor",
     "ie-solve mom2d"},
    {"boundary[].surface_impedance", Type::complex, "ohm", "(Re >= 0)", "",
     "surface impedance of a wall, of a thin sheet its resistance per square (real, > 0); acoustics: [Pa "
     "s/m]",
     solver_programs},
    {"boundary[].thickness", Type::number, "m", "> 0", "",
     "thickness of a sheet with a conductivity, or of a superconductor", fem},
    {"boundary[].resistance", Type::number, "ohm", "> 0", "", "resistance of a lumped element", fem},
    {"boundary[].inductance", Type::number, "H", "> 0", "", "inductance of a lumped element", fem},
    {"boundary[].capacitance", Type::number, "F", "> 0", "", "capacitance of a lumped element", fem},
    {"boundary[].connection", Type::word, "", "series | parallel", "\"series\"",
     "connection of resistance, inductance and capacitance in a lumped element", fem},
    {"boundary[].direction", Type::direction, "", "x | y | z | +x | +y | +z | -x | -y | -z | radial", "",
     "direction of the current in a lumped element; radial: a ring or sector", fem},
    {"boundary[].critical_temperature", Type::number, "K", "> 0", "",
     "critical temperature of a superconductor", fem},
    {"boundary[].temperature", Type::number, "K", "> 0", "",
     "temperature of a superconductor, below the critical one", fem},
    {"boundary[].london_depth", Type::number, "m", "> 0", "",
     "London penetration depth of a superconductor at 0 K", fem},
    {"boundary[].thickness", Type::number, "m", "> 0", "",
     "thickness of a film, or of the slab of an impedance", "ie-solve"},
    {"boundary[].roughness.model", Type::word, "", "hammerstad | groiss | huray", "",
     "model of a rough conductor", solver_programs},
    {"boundary[].roughness.rms", Type::number, "m", "> 0", "", "height of the roughness (hammerstad, groiss)",
     solver_programs},
    {"boundary[].roughness.spheres", Type::numbers, "m", "> 0", "",
     "[radius of the spheres, their area over the flat area] (huray)", solver_programs},
    {"boundary[].velocity", Type::numbers, "m/s", "(1 to 3 numbers)", "(0)",
     "velocity of the wall along the outward normal, a number or [re, im]; [x, y, z]: that of a body which "
     "moves as a whole (acoustics)",
     fem_pair},
    {"boundary[].alpha", Type::complex, "1/m", "", "",
     "alpha in the robin condition dp/dn + alpha p = value (acoustics)", fem_pair},
    {"boundary[].value", Type::complex, "Pa/m", "", "0.0",
     "right-hand side of robin, or for dirichlet the pressure [Pa] (acoustics)", fem_pair},
    {"boundary[].table", Type::text, "", "", "",
     "CSV of a tabulated_impedance: frequency_hz, impedance_re, impedance_im [ohm]", fem},
};

constexpr Key layers[] = {
    {"symmetry[].axis", Type::word, "", "x | y | z", "required",
     "axis normal to the plane, whose mirror images radiate too", fem_pair},
    {"symmetry[].type", Type::word, "", "pec | pmc | soft | rigid | ground", "required",
     "plane of symmetry, or metal with nothing beyond it; acoustics: soft (p = 0), rigid, or a rigid ground",
     fem_pair},
    {"symmetry[].position", Type::number, "mesh.unit", "", "0.0", "position of the plane on its axis",
     fem_pair},
    {"pml[].region", Type::texts, "", "", "", "volumes of the layer in the mesh", fem},
    {"pml[].around", Type::text, "", "", "", "closed outer surface on which the program grows the layer",
     fem},
    {"pml[].center", Type::vector, "mesh.unit", "", "",
     "center of a spherical layer; without it the layer is Cartesian", fem},
    {"pml[].reflection", Type::number, "", "(0 < R < 1)", "1e-5",
     "reflection of the profile at normal incidence", fem},
    {"pml[].frequency", Type::number, "Hz", "> 0", "(follows the frequency)", "frequency of a fixed profile",
     fem},
    {"pml[].thickness", Type::number, "mesh.unit", "> 0", "", "thickness of a grown layer", fem},
    {"pml[].layers", Type::integer, "", "1 to 20", "3", "cells across a grown layer", fem},
};

}  // namespace

std::span<const Key> boundary_keys() {
  return boundary;
}
std::span<const Key> layer_keys() {
  return layers;
}

}  // namespace curlew::io::schema
