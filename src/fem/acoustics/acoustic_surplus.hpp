// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Contributions of cells to the error of pressures: dual-weighted residuals on elements of one more order.
//
// With A p = b on those elements and p_h the solution of lower order, interpolated to them, a probe's value
// lᵀp changes by zᵀ r, r = b - A p_h, z the solution for l; as r vanishes on the lower order, that is eᵀ A e'
// with the errors of both solutions. A few steps of conjugate gradients give e: residuals are local and have
// no part that is smooth over many cells. Source: Becker and Rannacher (2001), Acta Numerica 10, section 3;
// van der Vorst and Melissen (1990), IEEE Trans. Magn. 26 (complex symmetric conjugate gradients).

#include <Eigen/Core>
#include <vector>

#include "fem/lagrange/lagrange_space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// The same functions on elements of a higher order. @param x [space.num_nodes, columns]
/// @returns [finer.num_nodes, columns]
Eigen::MatrixXcd carried_over(const LagrangeSpace& space, const LagrangeSpace& finer,
                              const Eigen::MatrixXcd& x);

struct AcousticSurplus {
  std::vector<double> cells;  ///< [num_cells] weighted sums of magnitudes of contributions
  Eigen::MatrixXcd change;    ///< [columns, columns] changes of x_iᵀ A x_j, without weights
};

/// @param space of the solutions, order 1 or 2 @param finer of one more order, on the same mesh
/// @param a [finer.num_free, finer.num_free] complex symmetric
/// @param x [space.num_nodes, columns] solutions @param loads [finer.num_free, columns] right-hand sides
/// @param weights [columns, columns] of |change_ij| in the errors of cells
AcousticSurplus acoustic_surplus(const LagrangeSpace& space, const LagrangeSpace& finer,
                                 const linalg::Csr<Complex>& a, const Eigen::MatrixXcd& x,
                                 const Eigen::MatrixXcd& loads, const Eigen::MatrixXd& weights);

}  // namespace curlew::fem
