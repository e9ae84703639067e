// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Keys of mom2d only, each a row of the schema and the argument of the program's reader.

#include "io/schema/typed_key.hpp"

namespace curlew::io::keys {

inline constexpr Key<Word> mesh_unit{
    "mesh.unit", "", "m | mm | wavelength", "\"m\"", "unit of all lengths in the config", "mom2d"};
inline constexpr Key<Word> polarization{"excitation.polarization",  "",     "tm | te", "\"tm\"",
                                        "E (tm) or H (te) along z", "mom2d"};

namespace formulation {
inline constexpr Key<Word> method{"formulation.method",
                                  "",
                                  "mom | lcn",
                                  "\"lcn\"",
                                  "mom: pulses with point matching; lcn: locally corrected Nystrom method",
                                  "mom2d"};
inline constexpr Key<int> nodes{"formulation.nodes", "",     "1 to 12", "(lcn 8, mom 1)",
                                "nodes per cell",    "mom2d"};
inline constexpr Key<Word> equation{"formulation.equation",   "",
                                    "efie | mfie | cfie",     "(open contours: efie, else cfie)",
                                    "equation of conductors", "mom2d"};
inline constexpr Key<double> alpha{
    "formulation.alpha", "", "(0 to 1)", "0.5", "weight of the EFIE in the CFIE", "mom2d"};
inline constexpr Key<Word> integration{
    "formulation.integration",
    "",
    "accurate | paper",
    "\"accurate\"",
    "paper: pulses at one point; densities of lcn from the nodes of one cell",
    "mom2d"};
}  // namespace formulation

namespace contour {
inline constexpr Key<Word> type{"contour[].type",
                                "",
                                "circle | ellipse | rectangle | strip | polyline | spline | curve",
                                "required",
                                "shape of the contour",
                                "mom2d"};
inline constexpr Key<std::string> name{
    "contour[].name", "", "", "(contour1, contour2, ...)", "name, as [[boundary]] uses it", "mom2d"};
inline constexpr Key<std::string> material{
    "contour[].material", "", "", "", "name of the [[material]] inside", "mom2d"};
inline constexpr Key<std::vector<double>> center{"contour[].center",
                                                 "mesh.unit",
                                                 "(two numbers)",
                                                 "[0.0, 0.0]",
                                                 "center of a circle, ellipse or rectangle",
                                                 "mom2d"};
inline constexpr Key<std::vector<double>> radius{
    "contour[].radius", "mesh.unit", "> 0", "", "radius of a circle, or the two of an ellipse", "mom2d"};
inline constexpr Key<double> rotation{
    "contour[].rotation", "degrees", "", "0.0", "rotation of an ellipse or rectangle", "mom2d"};
inline constexpr Key<std::vector<double>> size{"contour[].size",       "mesh.unit", "(two numbers)", "",
                                               "sides of a rectangle", "mom2d"};
inline constexpr Key<std::vector<std::vector<double>>> points{
    "contour[].points",
    "mesh.unit",
    "(two numbers each)",
    "",
    "points of a polyline, spline or strip (its two ends)",
    "mom2d"};
inline constexpr Key<bool> closed{"contour[].closed",
                                  "",
                                  "",
                                  "(true if the ends agree)",
                                  "whether a polyline or spline is closed",
                                  "mom2d"};
inline constexpr Key<std::string> file{
    "contour[].file", "", "", "", "points (CSV of x, y), or the geometry file of a physical curve", "mom2d"};
inline constexpr Key<int> grading{
    "contour[].grading", "", "0 to 45", "(lcn 16, mom 0)", "halvings of cells towards corners", "mom2d"};
inline constexpr Key<int> cells{
    "contour[].cells", "", "1 to 1000000", "(by the wavelength)", "number of cells of the contour", "mom2d"};
}  // namespace contour

}  // namespace curlew::io::keys
