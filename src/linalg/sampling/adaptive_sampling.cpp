// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sampling/adaptive_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::linalg {
namespace {

/// The point with the largest error among those not yet used.
std::size_t worst(const SampledModel& model, const std::vector<bool>& is_taken) {
  const std::size_t count = is_taken.size();
  std::size_t found = count;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_taken[i] && (found == count || model.indicator(i) > model.indicator(found))) found = i;
  return found;
}

}  // namespace

Sampling sample_adaptively(SampledModel& model, const std::vector<double>& points, double tolerance,
                           std::size_t most) {
  Sampling result;
  std::vector<bool> is_taken(points.size(), false);
  const auto take = [&](std::size_t i) {
    const double error = model.take(i);
    result.taken.push_back(i);
    is_taken[i] = true;
    return error;
  };
  const auto all_taken = [&] { return result.taken.size() == points.size(); };
  const auto [low, high] = std::minmax_element(points.begin(), points.end());
  take(std::size_t(low - points.begin()));
  if (low != high) take(std::size_t(high - points.begin()));
  model.scan();
  int good = 0;
  while (good < 2 && !all_taken() && result.taken.size() < most) {
    const std::size_t next = worst(model, is_taken);
    const double error = take(next);
    result.error_estimate = std::max(error, model.scan());
    log::debug("adaptive sweep: {} solutions, error {:.1e} at {:.6g} Hz, {:.1e} including the change",
               result.taken.size(), error, points[next], result.error_estimate);
    good = result.error_estimate < tolerance ? good + 1 : 0;
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
