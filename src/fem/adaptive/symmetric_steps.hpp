// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A few steps of conjugate gradients for real or complex symmetric matrices, for each column separately: an
// approximate inverse for error estimates, whose residuals have no smooth part. Krylov methods that end by a
// residual: linalg/krylov. Source: van der Vorst and Melissen (1990), IEEE Trans. Magn. 26.

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "linalg/dense/tall_products.hpp"

namespace curlew::fem {

namespace detail {

template <class Columns, class Precondition, class Product>
Columns steps_of_real(Columns r, int steps, const Precondition& precondition, const Product& product) {
  using Scalar = typename Columns::Scalar;
  using Row = Eigen::Matrix<Scalar, 1, Eigen::Dynamic>;
  const auto each_block = [&](const auto& body) { linalg::each_tall_block(r.rows(), body); };
  const auto products = [&](const Columns& u, const Columns& v) {
    std::vector<Row> parts(std::size_t((u.rows() + linalg::tall_block - 1) / linalg::tall_block));
    each_block([&](Eigen::Index first, Eigen::Index rows) {
      parts[std::size_t(first / linalg::tall_block)] =
          u.middleRows(first, rows).cwiseProduct(v.middleRows(first, rows)).colwise().sum();
    });
    Row sum = Row::Zero(u.cols());
    for (const Row& part : parts) sum += part;
    return sum;
  };
  const auto ratio = [](Scalar u, Scalar v) { return v == 0.0 ? Scalar(0) : u / v; };
  Columns e = Columns::Zero(r.rows(), r.cols()), p = e;
  Row before = Row::Zero(r.cols());
  for (int step = 0; step < steps; ++step) {
    const Columns z = precondition(r);
    const Row rho = products(r, z);
    const Row beta = rho.binaryExpr(before, ratio);
    each_block([&](Eigen::Index first, Eigen::Index rows) {
      p.middleRows(first, rows) = z.middleRows(first, rows) + p.middleRows(first, rows) * beta.asDiagonal();
    });
    before = rho;
    const Columns q = product(p);
    const Row alpha = rho.binaryExpr(products(p, q), ratio);
    each_block([&](Eigen::Index first, Eigen::Index rows) {
      e.middleRows(first, rows) += p.middleRows(first, rows) * alpha.asDiagonal();
      r.middleRows(first, rows) -= q.middleRows(first, rows) * alpha.asDiagonal();
    });
  }
  return e;
}

}  // namespace detail

/// Starts from zero. Real and imaginary parts of r are solved for separately: products without conjugation
/// vanish where both have equal energies. @param r right-hand sides [unknowns, columns] @param precondition,
/// product of all columns
template <class Columns, class Precondition, class Product>
Columns symmetric_steps(const Columns& r, int steps, const Precondition& precondition,
                        const Product& product) {
  if constexpr (!Eigen::NumTraits<typename Columns::Scalar>::IsComplex) {
    return detail::steps_of_real<Columns>(r, steps, precondition, product);
  } else {
    const Eigen::Index n = r.cols();
    Columns parts(r.rows(), 2 * n);
    parts.leftCols(n) = r.real(), parts.rightCols(n) = r.imag();
    const Columns e = detail::steps_of_real<Columns>(std::move(parts), steps, precondition, product);
    return e.leftCols(n) + Complex(0, 1) * e.rightCols(n);
  }
}

}  // namespace curlew::fem
