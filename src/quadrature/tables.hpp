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
extern const double tetrahedron_table[][4];  ///< x, y, z, weight
extern const TableEntry tetrahedron_entries[];
extern const int num_tetrahedron_entries;

}  // namespace curlew::quadrature
