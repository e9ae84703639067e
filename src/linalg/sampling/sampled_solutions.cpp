// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sampling/sampled_solutions.hpp"

#include <algorithm>
#include <utility>

#include "linalg/sampling/sketch.hpp"

namespace curlew::linalg {
namespace {

/// Greatest change of a right-hand side's solution against its length.
double relative_difference(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  double most = 0;
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    const double length = b.col(c).norm();
    if (length > 0) most = std::max(most, (a.col(c) - b.col(c)).norm() / length);
  }
  return most;
}

double difference(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

Eigen::MatrixXcd sum(const Eigen::VectorXcd& weights, const std::vector<Eigen::MatrixXcd>& values) {
  Eigen::MatrixXcd out = Eigen::MatrixXcd::Zero(values[0].rows(), values[0].cols());
  for (std::size_t j = 0; j < values.size(); ++j) out += weights[Eigen::Index(j)] * values[j];
  return out;
}

}  // namespace

const Sampling& SampledSolutions::sample(double tolerance, std::size_t most) {
  sampling_ = sample_adaptively(*this, points_, tolerance, most);
  return sampling_;
}

bool SampledSolutions::knows(std::size_t point) const {
  return sampling_.converged || std::ranges::find(sampling_.taken, point) != sampling_.taken.end();
}

SampledSolutions::Values SampledSolutions::values(Eigen::MatrixXcd columns,
                                                  const Eigen::MatrixXcd& linear) const {
  return {std::move(columns), observed_ ? observed_(linear) : Eigen::MatrixXcd(), 0};
}

SampledSolutions::Values SampledSolutions::between(double point) const {
  const auto weights = weights_.at(point);
  Values out = values(sum(weights.of_values, sketched_), sum(weights.of_values, linear_));
  out.indicator = weights.indicator;
  return out;
}

double SampledSolutions::take(std::size_t i) {
  SampledColumns solved = solve_(i);
  const Eigen::Index count = Eigen::Index(solved.x.size()) / solved.unknowns;
  sketched_.push_back(sketch(Eigen::Map<const Eigen::MatrixXcd>(solved.x.data(), solved.unknowns, count)));
  linear_.push_back(std::move(solved.linear));
  x_.push_back(std::move(solved.x));
  const auto& columns = sketched_.back();
  // Waves of 1 V/m and ports of 1 V get the same weight.
  if (lengths_.size() == 0) lengths_ = columns.colwise().norm().cwiseMax(1e-300);
  weights_.add(points_[i], (columns * lengths_.cwiseInverse().asDiagonal()).reshaped());
  if (at_.empty()) return 0;
  const Values exact = values(columns, linear_.back());
  return std::max(relative_difference(at_[i].columns, exact.columns),
                  difference(at_[i].observed, exact.observed));
}

double SampledSolutions::scan() {
  const auto last = std::exchange(at_, std::vector<Values>(points_.size()));
  for (std::size_t i = 0; i < points_.size(); ++i) at_[i] = between(points_[i]);
  double change = 0;
  for (std::size_t i = 0; i < last.size(); ++i)
    change = std::max({change, relative_difference(last[i].columns, at_[i].columns),
                       difference(last[i].observed, at_[i].observed)});
  return change;
}

std::vector<Complex> SampledSolutions::at(std::size_t point) const {
  const auto weights = weights_.at(points_[point]).of_values;
  std::vector<Complex> x(x_[0].size(), 0);
  for (std::size_t j = 0; j < x_.size(); ++j) {
    const Complex weight = weights[Eigen::Index(j)];
    if (weight == 0.0) continue;  // a solution itself, not its product
#pragma omp parallel for if (x.size() > 100000)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight * x_[j][i];
  }
  return x;
}

}  // namespace curlew::linalg
