// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sampling/rational_interpolant.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "linalg/dense/decompositions.hpp"

namespace curlew::linalg {

void RationalInterpolant::add(double point, const Eigen::VectorXcd& field) {
  points_.push_back(point);
  fields_.conservativeResize(field.size(), Eigen::Index(points_.size()));
  fields_.rightCols(1) = field;
  q_ = svd(fields_).v.rightCols(1);
}

RationalInterpolant::Weights RationalInterpolant::at(double point) const {
  const auto count = Eigen::Index(points_.size());
  Weights weights{Eigen::VectorXcd::Zero(count), 0};
  const auto known = std::find(points_.begin(), points_.end(), point);
  if (known != points_.end()) {
    weights.of_values[known - points_.begin()] = 1;
    return weights;
  }
  for (Eigen::Index j = 0; j < count; ++j)
    weights.of_values[j] = q_[j] * (points_[0] / (point - points_[std::size_t(j)]));
  const std::complex<double> sum = weights.of_values.sum();
  weights.of_values /= sum;
  weights.indicator = 1 / std::abs(sum);
  return weights;
}

}  // namespace curlew::linalg
