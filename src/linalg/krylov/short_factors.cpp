// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/short_factors.hpp"

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "linalg/krylov/random_vector.hpp"

namespace curlew::linalg {
namespace {

std::vector<Complex> random_side(Index n) {
  std::vector<Complex> b(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) b[std::size_t(i)] = random_entry<double>(i);
  return b;
}

/// |b - A x| / |b| for the solver's x, on process 0
double left_of_random_side(DirectSolver<Complex>& solver, const SharedMatrix<Complex>& a) {
  const std::vector<Complex> b = random_side(a.num_rows());
  std::vector<Complex> x = b, y(b.size());
  solver.solve(x.data());
  a.multiply_jointly(x.data(), y.data());
  double left = 0, all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) left += std::norm(b[i] - y[i]), all += std::norm(b[i]);
  return std::sqrt(left / all);
}

}  // namespace

bool factor_and_try(DirectSolver<Complex>& solver, const SharedMatrix<Complex>& a) {
  double left = 0;
  try {
    solver.factor(a.own());
    left = left_of_random_side(solver, a);
  } catch (const NumericalError& error) {  // of all processes, or of a matrix of this one
    log::debug("coarse level: {}", error.what());
    return false;
  }
  if (a.is_spread()) a.processes().broadcast(&left, sizeof left);
  const bool serves = left <= most_left_by_short_factors;
  log::debug(
      "coarse level: factors in single precision have a relative residual of {:.1e} for a random right-hand "
      "side{}",
      left, serves ? "" : ": they do not serve");
  return serves;
}

}  // namespace curlew::linalg
