// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/radiation_cost.hpp"

#include <cmath>

namespace curlew::truncation {

namespace {

constexpr double columns_together = 16;  // of all pairs: they share the matrix of a pair

// One more digit raises the orders of the grids, whose moments and translations then take longer: fitted to
// CPU times from 1e-2 to 1e-4.
constexpr double digit_of_points = 1.4, digit_of_area = 1.8;
constexpr double fitted_tolerance = 1e-4;

// Fitted to spheres of 2 to 32 wavelengths (GPU), 1 to 8 (CPU), with transfers. Only ratios count: other
// processors and numbers of threads change both methods alike.
constexpr RadiationCosts on_gpu{.pair = 8.0e-12,  // one H200, 16 cores
                                .pair_column = 2.3e-12,
                                .pair_point = 1e-9,
                                .column = 5e-4,
                                .point = 1e-7,
                                .area = 7e-5,
                                .setup = 0.1,
                                .setup_point = 1.5e-6,
                                .setup_area = 4e-3};
constexpr RadiationCosts on_cpu{.pair = 1.6e-9,  // two cores with AVX-512
                                .pair_column = 1.9e-9,
                                .pair_point = 0,
                                .column = 0,
                                .point = 3.2e-6,
                                .area = 2.5e-3,
                                .setup = 0,
                                .setup_point = 9e-6,
                                .setup_area = 7e-3};

}  // namespace

RadiationCosts radiation_costs(Device device) {
  return device == Device::cuda ? on_gpu : on_cpu;
}

double direct_seconds(const RadiationCosts& costs, const RadiationTask& task) {
  const double passes = std::ceil(double(task.columns) / columns_together);
  const double a_pair = passes * costs.pair + double(task.columns) * costs.pair_column;
  return task.evaluations * (task.sources * task.observers * a_pair +
                             double(task.columns) * costs.pair_point * (task.sources + task.observers));
}

double ngim_seconds(const RadiationCosts& costs, const RadiationTask& task) {
  const double digits = std::log10(fitted_tolerance / task.tolerance);
  const double points = (task.sources + task.observers) * std::pow(digit_of_points, digits);
  const double area = task.area * std::pow(digit_of_area, digits);
  return costs.setup + costs.setup_point * points + costs.setup_area * area +
         task.evaluations * double(task.columns) * (costs.column + costs.point * points + costs.area * area);
}

}  // namespace curlew::truncation
