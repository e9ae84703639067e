// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of matrices with many rows and few columns: vectors of a finite element space. All threads compute
// blocks of rows, which are summed in their order, so that results have the same bits for any number of
// threads. In Eigen's own product threads wait for each other, which makes it slower for this shape.

#include <Eigen/Core>
#include <algorithm>

namespace curlew::linalg {

/// Number of rows of a block.
constexpr Eigen::Index tall_block = 4096;

/// Calls body(first, rows) for blocks of rows, with all threads.
template <class Body>
void each_tall_block(Eigen::Index rows, const Body& body) {
#pragma omp parallel for schedule(static) if (rows > 4 * tall_block)
  for (Eigen::Index first = 0; first < rows; first += tall_block)
    body(first, std::min(tall_block, rows - first));
}

/// A^T B. @param a [rows, m] @param b [rows, n] @return [m, n]
Eigen::MatrixXcd tall_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                              const Eigen::Ref<const Eigen::MatrixXcd>& b);
Eigen::MatrixXcd tall_product(const Eigen::Ref<const Eigen::MatrixXcd>& a,
                              const Eigen::Ref<const Eigen::MatrixXcd>& b);
Eigen::MatrixXd tall_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                             const Eigen::Ref<const Eigen::MatrixXd>& b);

/// A C. @param a [rows, m] @param c [m, n] @return [rows, n]
Eigen::MatrixXcd combine_columns(const Eigen::Ref<const Eigen::MatrixXcd>& a, const Eigen::MatrixXcd& c);
/// The same into y [rows, n], which must not overlap a.
void combine_columns(const Eigen::Ref<const Eigen::MatrixXcd>& a, const Eigen::MatrixXcd& c,
                     Eigen::Ref<Eigen::MatrixXcd> y);

}  // namespace curlew::linalg
