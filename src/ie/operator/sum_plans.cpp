// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/sum_plans.hpp"

#include <algorithm>
#include <cmath>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "linalg/krylov/relaxation.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda_device.hpp"
#endif

namespace curlew::ie {
namespace {

/// Accuracy of sums in single precision (docs/measured/ngim.md).
constexpr double single_sums = 5e-4;
/// Products with larger tolerances are hardly faster.
constexpr double loosest = 5e-2;
/// Least ratio of two tolerances that is worth the memory of a plan.
constexpr double least_step = 3;

}  // namespace

std::vector<double> tolerances_of_sums(double asked) {
  std::vector<double> all{asked};
  for (const double next : {std::max(std::sqrt(asked * loosest), single_sums), loosest})
    if (next >= least_step * all.back()) all.push_back(next);
  return all;
}

SumPlans::SumPlans(std::span<const PointSet> sets, double tolerance, Device device)
    : sets_(sets.begin(), sets.end()), device_(device), free_before_(free_bytes()) {
  for (const double each : tolerances_of_sums(tolerance)) levels_.push_back({each, each, {}});
  if (has_coarser_sums(tolerance)) levels_.push_back({steering_sums, linalg::any_error, {}});
  make(levels_[0]);
}

void SumPlans::make(Level& level) const {
  std::vector<std::unique_ptr<ngim::Plan>> plans;
  for (const PointSet& set : sets_) {
    ngim::Options options;
    options.tolerance = level.tolerance;
    options.gradient = set.needs_gradient, options.surface = set.surface;
    options.device = device_;
    if (device_ == Device::cuda && level.tolerance >= single_sums)
      options.precision = ngim::Precision::single_precision;
    std::optional<std::span<const Vec3<double>>> observers;
    if (!set.observers.empty()) observers = set.observers;
    plans.push_back(std::make_unique<ngim::Plan>(set.points, observers, set.k, options));
  }
  level.plans = std::move(plans);
}

std::size_t SumPlans::free_bytes() const {
#ifdef CURLEW_HAVE_CUDA
  if (device_ == Device::cuda) return free_device_memory(cuda::current_device());
#endif
  return available_memory();
}

bool SumPlans::try_make(Level& level, std::size_t kept_free) const {
  // Further plans need at most the memory of the first, including its work arrays.
  const std::size_t now = free_bytes(), taken = free_before_ > now ? free_before_ - now : 0;
  if (now < taken + kept_free) {
    log::debug("products of tolerance {:.1e} are not used: {:.3g} GiB are free, {:.3g} GiB needed",
               level.tolerance, gib(now), gib(taken + kept_free));
    return false;
  }
  try {
    make(level);
  } catch (const ResourceError& e) {
    log::debug("no sums to {:.1e}: {}", level.tolerance, e.what());
    return false;
  }
  return true;
}

void SumPlans::allow(double error, std::size_t kept_free) {
  current_ = 0;
  for (std::size_t i = levels_.size(); i-- > 1 && current_ == 0;) {
    Level& level = levels_[i];
    if (level.least_error > error || level.is_refused) continue;
    if (level.plans.empty()) level.is_refused = !try_make(level, kept_free);
    if (!level.is_refused) current_ = i;
  }
}

std::vector<ProductCount> SumPlans::products() const {
  std::vector<ProductCount> all;
  for (const Level& level : levels_)
    if (level.products > 0 || all.empty()) all.push_back({level.tolerance, level.products});
  return all;
}

}  // namespace curlew::ie
