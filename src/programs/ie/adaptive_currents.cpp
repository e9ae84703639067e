// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/adaptive_currents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fem/driven/sketch.hpp"

namespace curlew::programs {
namespace {

/// Greatest change of a right-hand side's currents against their length.
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

void AdaptiveCurrents::sample(const fem::FastSweepOptions& options, run::Run& run) {
  const auto sampling =
      linalg::sample_adaptively(*this, frequencies_, options.tolerance, std::size_t(options.max_solutions));
  linalg::require_converged(sampling, options.tolerance);
  run.results()["full_solutions"] = sampling.taken.size();
  run.results()["adaptive_error_estimate"] = sampling.error_estimate;
  run.line(fmt::format("adaptive sweep: {} full solutions for {} frequencies, error estimate {:.1e}",
                       sampling.taken.size(), frequencies_.size(), sampling.error_estimate));
}

AdaptiveCurrents::Values AdaptiveCurrents::values(Eigen::MatrixXcd currents,
                                                  const Eigen::MatrixXcd& port_currents) const {
  Values values{std::move(currents), {}, 0};
  if (!ports_.empty()) values.s = ie::network_of(ports_, port_currents, reference_).scattering;
  return values;
}

AdaptiveCurrents::Values AdaptiveCurrents::between(double frequency) const {
  const auto weights = weights_.at(frequency);
  Values out = values(sum(weights.of_values, sketched_), sum(weights.of_values, through_));
  out.indicator = weights.indicator;
  return out;
}

double AdaptiveCurrents::take(std::size_t i) {
  SampledCurrents solved = solve_(i);
  const Eigen::Index count = Eigen::Index(solved.x.size()) / solved.unknowns;
  ports_ = std::move(solved.ports);
  sketched_.push_back(
      fem::sketch(Eigen::Map<const Eigen::MatrixXcd>(solved.x.data(), solved.unknowns, count)));
  through_.push_back(ie::port_currents(
      ports_, &solved.x[std::size_t(solved.unknowns) * (std::size_t(count) - ports_.size())],
      solved.unknowns));
  x_.push_back(std::move(solved.x));
  const auto& currents = sketched_.back();
  // Waves of 1 V/m and ports of 1 V count alike.
  if (lengths_.size() == 0) lengths_ = currents.colwise().norm().cwiseMax(1e-300);
  weights_.add(frequencies_[i], (currents * lengths_.cwiseInverse().asDiagonal()).reshaped());
  if (at_.empty()) return 0;
  const Values exact = values(currents, through_.back());
  return std::max(relative_difference(at_[i].currents, exact.currents), difference(at_[i].s, exact.s));
}

double AdaptiveCurrents::scan() {
  const auto last = std::exchange(at_, std::vector<Values>(frequencies_.size()));
  for (std::size_t i = 0; i < frequencies_.size(); ++i) at_[i] = between(frequencies_[i]);
  double change = 0;
  for (std::size_t i = 0; i < last.size(); ++i)
    change = std::max(
        {change, relative_difference(last[i].currents, at_[i].currents), difference(last[i].s, at_[i].s)});
  return change;
}

std::vector<Complex> AdaptiveCurrents::at(double frequency) const {
  const auto weights = weights_.at(frequency).of_values;
  std::vector<Complex> x(x_[0].size(), 0);
  for (std::size_t j = 0; j < x_.size(); ++j) {
    const Complex weight = weights[Eigen::Index(j)];
    if (weight == 0.0) continue;  // a solution is taken as it is
#pragma omp parallel for
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight * x_[j][i];
  }
  return x;
}

}  // namespace curlew::programs
