// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/images.hpp"

#include <Eigen/Core>

#include "ie/operator/corrected_operator.hpp"

namespace curlew::ie {

std::vector<Complex> images(const IntegralEquation& equation, const std::vector<Complex>& x, Index count,
                            double sum_tolerance) {
  const Index n = equation.size();
  std::vector<Complex> result(x.size());
  if (sum_tolerance > 0) {
    Stages ignored;
    const CorrectedOperator product(equation.fill({}, ignored), sum_tolerance);
    for (Index c = 0; c < count; ++c) product.apply(&x[std::size_t(c * n)], &result[std::size_t(c * n)]);
    return result;
  }
  const auto a = equation.full_matrix();
  const Eigen::Map<const Eigen::MatrixXcd> matrix(a.data(), n, n), columns(x.data(), n, count);
  Eigen::Map<Eigen::MatrixXcd>(result.data(), n, count).noalias() = matrix * columns;
  return result;
}

}  // namespace curlew::ie
