// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An antenna of two ports for fe-iiee: strip.geo and tables of its config.

#include <string>

namespace curlew::test {

/// A strip of two gaps with a lumped port in each, inside of two spheres.
inline const std::string strip_geometry =
    "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 0.4};\nSphere(2) = {0, 0, 0, 0.3};\n"
    "w = 0.03; cut[] = {-0.23, -0.015, 0.015, 0.1, 0.13, 0.23};\n"
    "For i In {0:4}\n  Rectangle(101 + i) = {-w / 2, cut[i], 0, w, cut[i + 1] - cut[i]};\nEndFor\n"
    "BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{101:105}; Delete; }\ne = 1e-4; r = 0.3 + e;\n"
    "ball() = Volume In BoundingBox{-r, -r, -r, r, r, r};\nshell() = Volume{:};\nshell() -= {ball()};\n"
    "first() = Surface In BoundingBox{-w, -0.015 - e, -e, w, 0.015 + e, e};\n"
    "second() = Surface In BoundingBox{-w, 0.1 - e, -e, w, 0.13 + e, e};\n"
    "strip() = Surface In BoundingBox{-w, -0.24, -e, w, 0.24, e};\nstrip() -= {first(), second()};\n"
    "inner() = CombinedBoundary{ Volume{ball()}; };\nouter() = CombinedBoundary{ Volume{:}; };\n"
    "Physical Volume(\"ball\") = {ball()};\nPhysical Volume(\"shell\") = {shell()};\n"
    "Physical Surface(\"first\") = {first()};\nPhysical Surface(\"second\") = {second()};\n"
    "Physical Surface(\"strip\") = {strip()};\nPhysical Surface(\"S_prime\") = {inner()};\n"
    "Physical Surface(\"S\") = {outer()};\n"
    "MeshSize{ PointsOf{ Surface{first(), second(), strip()}; } } = 0.03;\n";

inline const std::string strip_tables =
    "[[material]]\nregion = [\"ball\", \"shell\"]\n[[boundary]]\nregion = \"strip\"\ntype = \"pec\"\n"
    "[[port]]\nregion = \"first\"\ntype = \"lumped\"\nresistance = 73\ndirection = \"y\"\nexcite = true\n"
    "[[port]]\nregion = \"second\"\ntype = \"lumped\"\nresistance = 40\ndirection = \"y\"\n";
inline const std::string coarse_strip =
    "[mesh]\nfile = \"strip.geo\"\nunit = \"m\"\nsize = 0.3\norder = 1\n[space]\norder = 1\n" + strip_tables;

}  // namespace curlew::test
