// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of matrices with many rows and few columns: vectors of a finite element space. Blocks of rows by
// all threads, summed in their order, so that every number of threads gives the same bits. Eigen's own
// product has its threads wait for each other in loops, which costs more than it gains on matrices of this
// shape.

#include <Eigen/Core>
#include <algorithm>

namespace curlew::linalg {

/// Rows of a block.
constexpr Eigen::Index tall_block = 4096;

/// body(first, rows) for blocks of rows, by all threads.
template <class Body>
void each_tall_block(Eigen::Index rows, const Body& body) {
#pragma omp parallel for schedule(static) if (rows > 4 * tall_block)
  for (Eigen::Index first = 0; first < rows; first += tall_block)
    body(first, std::min(tall_block, rows - first));
}

/// A^T B. @param a [rows, m] @param b [rows, n] @return [m, n]
Eigen::MatrixXcd tall_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                              const Eigen::Ref<const Eigen::MatrixXcd>& b);
Eigen::VectorXd tall_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                             const Eigen::Ref<const Eigen::VectorXd>& b);

/// A C. @param a [rows, m] @param c [m, n] @return [rows, n]
Eigen::MatrixXcd combine_columns(const Eigen::Ref<const Eigen::MatrixXcd>& a, const Eigen::MatrixXcd& c);
/// The same into y [rows, n], apart from a.
void combine_columns(const Eigen::Ref<const Eigen::MatrixXcd>& a, const Eigen::MatrixXcd& c,
                     Eigen::Ref<Eigen::MatrixXcd> y);

}  // namespace curlew::linalg
