// SPDX-License-Identifier: BSD-3-Clause
// Keys of mom2d alone.
#include "io/schema/tables.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view mom2d = "mom2d";

constexpr Key keys[] = {
    {"unit", Type::word, "", "m | mm | wavelength", "\"m\"", "of all lengths in the config", mom2d},
    {"formulation.polarization", Type::word, "", "tm | te", "\"tm\"", "of the waves, to z", mom2d},
    {"formulation.method", Type::word, "", "mom | lcn", "\"lcn\"",
     "pulses and points, or the locally corrected Nystrom method", mom2d},
    {"formulation.nodes", Type::integer, "", "1 to 12", "(lcn 8, mom 1)", "per cell", mom2d},
    {"formulation.equation", Type::word, "", "efie | mfie | cfie", "(open contours: efie, else cfie)",
     "of conductors", mom2d},
    {"formulation.alpha", Type::number, "", "(0 to 1)", "0.5", "share of the EFIE in the CFIE", mom2d},
    {"formulation.dielectric", Type::word, "", "muller | pmchwt", "\"muller\"", "equations of dielectrics",
     mom2d},
    {"formulation.integration", Type::word, "", "accurate | paper", "\"accurate\"", "of the pulse method",
     mom2d},
    {"formulation.interpolation", Type::word, "", "neighbours | cell", "\"neighbours\"",
     "nodes that carry the density near a target", mom2d},
    {"formulation.near_distance", Type::number, "wavelengths", "", "0.0",
     "within which integrals are corrected", mom2d},
    {"contour[].type", Type::word, "", "circle | ellipse | rectangle | strip | polyline | spline | curve",
     "required", "shape", mom2d},
    {"contour[].name", Type::text, "", "", "(contour1, contour2, ...)", "for [[boundary]]", mom2d},
    {"contour[].material", Type::text, "", "", "", "name of the [[material]] inside", mom2d},
    {"contour[].center", Type::numbers, "unit", "(two numbers)", "[0.0, 0.0]",
     "of a circle, ellipse or rectangle", mom2d},
    {"contour[].radius", Type::numbers, "unit", "> 0", "", "of a circle; of an ellipse two", mom2d},
    {"contour[].rotation", Type::number, "degrees", "", "0.0", "of an ellipse or rectangle", mom2d},
    {"contour[].size", Type::numbers, "unit", "(two numbers)", "", "sides of a rectangle", mom2d},
    {"contour[].start", Type::numbers, "unit", "(two numbers)", "", "of a strip", mom2d},
    {"contour[].end", Type::numbers, "unit", "(two numbers)", "", "of a strip", mom2d},
    {"contour[].points", Type::rows, "unit", "(two numbers each)", "", "of a polyline or spline", mom2d},
    {"contour[].closed", Type::boolean, "", "", "(true if the ends agree)", "of a polyline or spline", mom2d},
    {"contour[].file", Type::text, "", "", "", "of points (CSV of x, y), or the geometry of a physical curve",
     mom2d},
    {"contour[].region", Type::text, "", "", "(the only one)", "name of the physical curve", mom2d},
    {"contour[].parameters.*", Type::number, "unit or none", "", "(those of the .geo)",
     "a DefineConstant number of the .geo", mom2d},
    {"contour[].grading", Type::integer, "", "0 to 45", "(lcn 16, mom 0)",
     "halvings of cells towards corners", mom2d},
    {"contour[].cells", Type::integer, "", "1 to 1000000", "(by the wavelength)", "into which it is divided",
     mom2d},
    {"solver.precision", Type::word, "", "automatic | double | mixed", "\"automatic\"",
     "of dense factors; mixed: single, refined in double", mom2d},
    {"solver.device_memory", Type::number, "GiB", "> 0", "(all that is free)",
     "of the GPU for the dense matrix at most; what does not fit stays in the host's memory",
     "mom2d ie-solve"},
    {"solver.method", Type::text, "", "", "(direct)", "of other programs; not used", mom2d},
    {"solver.tolerance", Type::number, "", "", "", "of other programs; not used", mom2d},
    {"solver.max_iterations", Type::integer, "", "", "", "of other programs; not used", mom2d},
};

}  // namespace

std::span<const Key> mom2d_keys() {
  return keys;
}

}  // namespace curlew::io::schema
