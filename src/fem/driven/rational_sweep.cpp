// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/rational_sweep.hpp"

#include <algorithm>

#include "fem/driven/sketch.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::fem {

void RationalModel::add(const DrivenSolution& solution) {
  const auto modes = solution.scattering.s.cols(), n = Eigen::Index(solution.x.size()) / modes;
  const Eigen::MatrixXcd short_fields =
      sketch(Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, modes));
  frequencies_.push_back(solution.frequency);
  s_.push_back(solution.scattering.s);
  fields_.conservativeResize(short_fields.size(), Eigen::Index(s_.size()));
  fields_.rightCols(1) = short_fields.reshaped();
  weights_ = linalg::svd(fields_).v.rightCols(1);
}

SweepModel::Estimate RationalModel::at(double frequency, const std::vector<ModeState>&) const {
  const auto known = std::find(frequencies_.begin(), frequencies_.end(), frequency);
  if (known != frequencies_.end()) return {s_[std::size_t(known - frequencies_.begin())], 0};
  Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(s_[0].rows(), s_[0].cols());
  Complex q = 0;
  for (std::size_t j = 0; j < s_.size(); ++j) {
    const Complex share = weights_[Eigen::Index(j)] * frequencies_[0] / (frequency - frequencies_[j]);
    sum += share * s_[j];
    q += share;
  }
  return {sum / q, 1 / std::abs(q)};
}

}  // namespace curlew::fem
