// SPDX-License-Identifier: BSD-3-Clause
// Requested against measured error, on a part of the matrix of em-bench ngim --case errors: every shape with
// every regime, for small and large tolerances.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "clouds.hpp"
#include "needs_gpu.hpp"
#include "ngim/grid_cache.hpp"
#include "ngim/plan.hpp"

namespace curlew::ngim {
namespace {

constexpr auto single = Precision::single_precision;
constexpr auto twice = Precision::double_precision;

/// Relative L2 error of the potential at every 50th of 2000 sources.
double error_of(const Points& sources, Complex k, const Options& options) {
  Points observers;
  for (std::size_t i = 0; i < sources.size(); i += 50) observers.push_back(sources[i]);
  const auto charges = random_charges(sources.size());
  std::vector<Complex> u(observers.size());
  Plan(sources, observers, k, options).apply(charges.data(), 1, u.data());
  double error = 0, total = 0;
  for (std::size_t i = 0; i < observers.size(); ++i) {
    const Complex exact = reference(sources, charges.data(), observers[i], k).potential;
    error += std::norm(u[i] - exact), total += std::norm(exact);
  }
  return std::sqrt(error / total);
}

struct Case {
  Complex k;
  double tolerance;
  Precision precision;
  std::vector<std::string> shapes;
};

/// Otherwise GoogleTest prints the bytes: addresses, and gaps without a value.
void PrintTo(const Case& c, std::ostream* out) {
  *out << "k " << c.k << ", tolerance " << c.tolerance;
}

class ErrorMatrix : public testing::TestWithParam<Case> {};
const Case quick_cases[] = {
    {0.0, 1e-9, twice, {"sphere", "line", "graded"}},
    {pi, 1e-2, single, {"cube", "sphere", "inverse_t", "line", "clusters", "plane", "graded"}},
    {16 * pi, 1e-5, twice, {"inverse_t"}},
    {64 * pi, 5e-2, single, {"sphere", "plane", "graded"}},
    {64 * pi, 1e-3, twice, {"line", "inverse_t"}},
    {Complex(3, -0.5), 1e-5, twice, {"sphere"}},
    {Complex(50, -5), 1e-4, twice, {"plane"}},
    {Complex(190, -10), 1e-2, single, {"cube"}}};
/// Half a minute each on a CPU.
const Case long_cases[] = {{pi, 1e-6, twice, {"clusters", "graded"}},
                           {pi, 1e-7, twice, {"inverse_t"}},
                           {4 * pi, 1e-5, single, {"cube", "plane"}},
                           {16 * pi, 1e-3, single, {"sphere", "clusters"}}};

class DeviceErrorMatrix : public ErrorMatrix {};

INSTANTIATE_TEST_SUITE_P(Waves, ErrorMatrix, testing::ValuesIn(quick_cases));
INSTANTIATE_TEST_SUITE_P(DISABLED_Tight, ErrorMatrix, testing::ValuesIn(long_cases));
INSTANTIATE_TEST_SUITE_P(Waves, DeviceErrorMatrix, testing::ValuesIn(quick_cases));
INSTANTIATE_TEST_SUITE_P(Tight, DeviceErrorMatrix, testing::ValuesIn(long_cases));

void expect_tolerance_kept(const Case& c, Device device) {
  Options options;
  options.tolerance = c.tolerance, options.precision = c.precision, options.device = device;
  const bool small = wants_small_cases();
  options.leaf_size = small ? 20 : 40, options.grids = std::make_shared<GridCache>();
  const auto num_shapes = small ? std::min<std::size_t>(c.shapes.size(), 2) : c.shapes.size();
  for (const std::string& shape : std::span(c.shapes).last(num_shapes))
    EXPECT_LE(error_of(cloud(shape, small ? 300 : 2000), c.k, options), c.tolerance) << shape << " " << c.k;
}

TEST_P(ErrorMatrix, StaysBelowTheTolerance) {
  expect_tolerance_kept(GetParam(), Device::cpu);
}

TEST_P(DeviceErrorMatrix, StaysBelowTheToleranceOnTheGpu) {
  CURLEW_NEEDS_GPU();
  expect_tolerance_kept(GetParam(), Device::cuda);
}

}  // namespace
}  // namespace curlew::ngim
