// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A Lagrange space of order 2 or 3 as two levels, for multilevel preconditioners: the functions of order 1,
// which stand for the vertices, and the nodal functions of edges and faces. With T = 1 on the diagonal and,
// from a vertex to the nodes of its edges and faces, the value of its linear function there, p = T c turns
// coefficients into nodal values and T^T A T is the matrix of the levels. A function of order 1 lives on the
// cells of the nodal one, so the pattern stays. Source: Zienkiewicz, Taylor, Zhu (2013), The Finite Element
// Method, section 6.9 (hierarchical shape functions).

#include <vector>

#include "fem/lagrange/lagrange_space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

class LinearLevels {
 public:
  explicit LinearLevels(const LagrangeSpace& space);
  /// First free unknowns of the vertices, of the others, and the end.
  std::vector<Index> offsets() const { return {0, vertices(), vertices() + ends_.num_rows}; }
  /// T^T A T. @param[in,out] a [num_free, num_free] with the pattern of the space
  void transform(linalg::Csr<Complex>& a) const;
  /// T^T b. @param[in,out] b [num_free, columns]
  void restrict_to_levels(std::vector<Complex>& b) const;
  /// T c. @param[in,out] x [num_free, columns]
  void prolong_to_nodes(std::vector<Complex>& x) const;

 private:
  Index vertices() const { return ends_.num_cols; }
  linalg::Csr<Complex> ends_;    // [others, vertices] the lower part of T
  linalg::Csr<Complex> around_;  // its transpose
};

}  // namespace curlew::fem
