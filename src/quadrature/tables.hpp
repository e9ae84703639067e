// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tabulated rules: coordinates and weight of each point.

namespace curlew::quadrature {

/// Rows begin..end of a table form the rule of a degree; degrees ascend.
struct TableEntry {
  int degree, begin, end;
};
extern const double triangle_table[][3];  ///< u, v, weight
extern const TableEntry triangle_entries[];
extern const int num_triangle_entries;

/// Points that permutations of corners map to each other, by their barycentric coordinates:
///   size 1: all 1/4; 4: three are a; 6: two are a, two 1/2 - a; 12: two are a, one is b.
struct TetrahedronOrbit {
  int size;
  double weight;  ///< of each point; those of a rule sum to 1/6
  double a, b;
};
extern const TetrahedronOrbit tetrahedron_orbits[];
extern const TableEntry tetrahedron_entries[];
extern const int num_tetrahedron_entries;

}  // namespace curlew::quadrature
