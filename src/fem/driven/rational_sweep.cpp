// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/rational_sweep.hpp"

#include "linalg/sampling/sketch.hpp"

namespace curlew::fem {

void RationalModel::add(const DrivenSolution& solution) {
  const auto modes = solution.scattering.s.cols(), n = Eigen::Index(solution.x.size()) / modes;
  s_.push_back(solution.scattering.s);
  between_.add(solution.frequency,
               linalg::sketch(Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, modes)).reshaped());
}

SweepModel::Estimate RationalModel::at(double frequency, const std::vector<ModeState>&) const {
  const auto weights = between_.at(frequency);
  Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(s_[0].rows(), s_[0].cols());
  for (std::size_t j = 0; j < s_.size(); ++j) sum += weights.of_values[Eigen::Index(j)] * s_[j];
  return {sum, weights.indicator};
}

}  // namespace curlew::fem
