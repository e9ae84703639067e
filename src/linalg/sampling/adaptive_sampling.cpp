// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sampling/adaptive_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::linalg {
namespace {

/// Points with the largest errors among those not yet used, `count` or as many as there are. The residual of
/// the model will be zero at the first one, and grow linearly beside it: the error, its square, decides on
/// the next.
std::vector<std::size_t> worst(const SampledModel& model, const std::vector<double>& points,
                               const std::vector<bool>& is_taken, std::size_t count) {
  std::vector<std::size_t> others, found;
  std::vector<double> errors(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_taken[i]) others.push_back(i), errors[i] = model.indicator(i);
  while (found.size() < count && !others.empty()) {
    const auto next = std::ranges::max_element(others, {}, [&](std::size_t i) { return errors[i]; });
    found.push_back(*next);
    others.erase(next);
    for (const std::size_t i : others) errors[i] *= std::pow(points[i] - points[found.back()], 2);
  }
  return found;
}

}  // namespace

Sampling sample_adaptively(SampledModel& model, const std::vector<double>& points, double tolerance,
                           std::size_t most) {
  Sampling result;
  std::vector<bool> is_taken(points.size(), false);
  const auto take = [&](const std::vector<std::size_t>& chosen) {
    model.begin(chosen);
    double error = 0;
    for (const std::size_t i : chosen) {
      error = std::max(error, model.take(i));
      result.taken.push_back(i);
      is_taken[i] = true;
    }
    return error;
  };
  const auto all_taken = [&] { return result.taken.size() == points.size(); };
  const auto [low, high] = std::minmax_element(points.begin(), points.end());
  std::vector<std::size_t> next{std::size_t(low - points.begin())};
  if (low != high) next.push_back(std::size_t(high - points.begin()));
  take(next);
  model.scan();
  std::size_t good = 0;
  while (good < 2 && !all_taken() && result.taken.size() < most) {
    next = worst(model, points, is_taken, std::min(model.at_a_time(), most - result.taken.size()));
    const double error = take(next);
    result.error_estimate = std::max(error, model.scan());
    log::debug("adaptive sweep: {} solutions, error {:.1e} at {:.6g} Hz, {:.1e} including the change",
               result.taken.size(), error, points[next.front()], result.error_estimate);
    good = result.error_estimate < tolerance ? good + next.size() : 0;
  }
  result.converged = good >= 2 || all_taken();
  if (all_taken()) result.error_estimate = 0;
  return result;
}

void require_converged(const Sampling& sampling, double tolerance) {
  if (sampling.converged) return;
  throw NumericalError(fmt::format(
      "adaptive sweep: error {:.1e} after {} full solutions, {:.1e} required (raise max_solutions "
      "or narrow the band)",
      sampling.error_estimate, sampling.taken.size(), tolerance));
}

}  // namespace curlew::linalg
