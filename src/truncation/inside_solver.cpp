// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/inside_solver.hpp"

#include <Eigen/Core>
#include <algorithm>

namespace curlew::truncation {

namespace {

constexpr double least_accuracy = 0.1;  // largest tolerance of a solution, for any weight

double norm(const std::vector<Complex>& v, std::size_t column, std::size_t n) {
  return Eigen::Map<const Eigen::VectorXcd>(&v[column * n], Eigen::Index(n)).norm();
}

}  // namespace

void InsideSolver::run(const std::vector<Complex>& right, std::vector<Complex>& x,
                       const std::vector<double>& shares) {
  std::vector<double> tolerances;
  double largest = 0;
  for (const double share : shares) {
    tolerances.push_back(std::min(least_accuracy, system_.tolerance() / share));
    largest = std::max(largest, share);
  }
  x.resize(right.size());
  const double residual = system_.solve(right.data(), x.data(), Index(shares.size()), tolerances);
  residual_ = std::max(residual_, system_.is_iterative() ? residual * std::min(1.0, largest) : residual);
  if (system_.is_iterative()) steps_ += system_.report().iterations;
}

void InsideSolver::solve(std::vector<Complex> right, Index count) {
  std::vector<double> shares(std::size_t(count), 1.0);
  if (!system_.is_iterative() || right_.size() != right.size()) {
    run(right, x_, shares);
  } else {
    const std::size_t n = right.size() / shares.size();
    std::vector<Complex> change(right.size()), step;
    for (std::size_t i = 0; i < right.size(); ++i) change[i] = right[i] - right_[i];
    for (std::size_t c = 0; c < shares.size(); ++c) {
      const double whole = norm(right, c, n), part = norm(change, c, n);
      if (whole > 0 && part > 0) shares[c] = std::min(1.0, part / whole);
    }
    run(change, step, shares);
    for (std::size_t i = 0; i < step.size(); ++i) x_[i] += step[i];
  }
  right_ = std::move(right);
}

std::vector<Complex> InsideSolver::solve_part(const std::vector<Complex>& right, Index count, double share) {
  std::vector<Complex> x;
  run(right, x, std::vector<double>(std::size_t(count), std::min(1.0, share)));
  return x;
}

}  // namespace curlew::truncation
