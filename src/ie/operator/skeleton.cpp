// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/skeleton.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace curlew::ie {
namespace {

using Matrix = Eigen::MatrixXcd;
using Columns = Eigen::Map<const Matrix>;

/// Inner products lose half of the digits: smaller values are noise.
constexpr double least_tolerance = 1e-7;
constexpr Eigen::Index block = 64;  // columns of temporaries as long as a right-hand side

struct Pivots {
  std::vector<Index> chosen;
  Matrix factor;  ///< [count, rank] of the Gram matrix: factor factor^H
};

/// Cholesky with the greatest remainder first: the remainders are |b_j - projection|^2, so that this is QR
/// with pivots of the columns themselves. @param gram of columns of length 1, or 0
Pivots pivoted_cholesky(const Matrix& gram, double tolerance) {
  const Eigen::Index count = gram.rows();
  Eigen::VectorXd left = gram.diagonal().real();
  Pivots out{{}, Matrix(count, count)};
  for (Eigen::Index r = 0; r < count; ++r) {
    Eigen::Index pivot = 0;
    if (left.maxCoeff(&pivot) <= tolerance * tolerance) break;
    auto column = out.factor.col(r);
    column = (gram.col(pivot) - out.factor.leftCols(r) * out.factor.row(pivot).head(r).adjoint()) /
             std::sqrt(left(pivot));
    left -= column.cwiseAbs2();
    left(pivot) = 0;
    out.chosen.push_back(Index(pivot));
  }
  out.factor.conservativeResize(count, Eigen::Index(out.chosen.size()));
  return out;
}

Matrix columns_at(const Columns& b, const std::vector<Index>& chosen) {
  Matrix out(b.rows(), Eigen::Index(chosen.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i) out.col(Eigen::Index(i)) = b.col(chosen[i]);
  return out;
}

}  // namespace

Skeleton find_skeleton(std::span<const Complex> b, Index count, double tolerance) {
  const Columns all(b.data(), Eigen::Index(b.size()) / count, count);
  Matrix gram = all.adjoint() * all;
  const Eigen::VectorXd norm = gram.diagonal().real().cwiseSqrt();
  const Eigen::VectorXd inverse = norm.unaryExpr([](double x) { return x > 0 ? 1 / x : 0.0; });
  gram = inverse.asDiagonal() * gram * inverse.asDiagonal();
  const auto [chosen, factor] = pivoted_cholesky(gram, std::max(tolerance, least_tolerance));
  const auto rank = Eigen::Index(chosen.size());
  Matrix own(rank, rank);
  for (Eigen::Index i = 0; i < rank; ++i) own.row(i) = factor.row(chosen[std::size_t(i)]);
  Skeleton out{chosen, own.adjoint().triangularView<Eigen::Upper>().solve(factor.adjoint()), 0, 1};
  out.growth = std::sqrt(out.coefficients.colwise().squaredNorm().maxCoeff());
  for (Eigen::Index i = 0; i < rank; ++i)
    out.coefficients.row(i) =
        (inverse(chosen[std::size_t(i)]) * out.coefficients.row(i)).cwiseProduct(norm.transpose());
  const Matrix few = columns_at(all, chosen);
  for (Eigen::Index first = 0; first < count; first += block) {
    const Eigen::Index here = std::min<Eigen::Index>(block, count - first);
    const Matrix left = all.middleCols(first, here) - few * out.coefficients.middleCols(first, here);
    for (Eigen::Index j = 0; j < here; ++j)
      out.error = std::max(out.error, left.col(j).norm() * inverse(first + j));
  }
  return out;
}

void combine(const Skeleton& skeleton, std::span<const Complex> solutions, std::span<Complex> x) {
  const Eigen::Index count = skeleton.coefficients.cols(), n = Eigen::Index(x.size()) / count;
  const Columns few(solutions.data(), n, skeleton.coefficients.rows());
  Eigen::Map<Matrix> all(x.data(), n, count);
  all.noalias() = few * skeleton.coefficients;
}

}  // namespace curlew::ie
