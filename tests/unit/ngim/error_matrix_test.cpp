// SPDX-License-Identifier: BSD-3-Clause
// Error asked against error measured, on a part of the matrix that em-bench ngim --case errors runs whole:
// every shape meets every regime, tight and loose.

#include <gtest/gtest.h>

#include <memory>
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

class ErrorMatrix : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Waves, ErrorMatrix,
    testing::Values(
        Case{0.0, 1e-9, twice, {"sphere", "line", "graded"}},
        Case{pi, 1e-2, single, {"cube", "sphere", "inverse_t", "line", "clusters", "plane", "graded"}},
        Case{pi, 1e-6, twice, {"clusters", "graded"}}, Case{pi, 1e-7, twice, {"inverse_t"}},
        Case{4 * pi, 1e-5, single, {"cube", "plane"}}, Case{16 * pi, 1e-3, single, {"sphere", "clusters"}},
        Case{16 * pi, 1e-5, twice, {"inverse_t"}}, Case{64 * pi, 5e-2, single, {"sphere", "plane", "graded"}},
        Case{64 * pi, 1e-3, twice, {"line", "inverse_t"}}, Case{Complex(3, -0.5), 1e-5, twice, {"sphere"}},
        Case{Complex(50, -5), 1e-4, twice, {"plane"}}, Case{Complex(190, -10), 1e-2, single, {"cube"}}));

void expect_tolerance_kept(const Case& c, Device device) {
  Options options;
  options.tolerance = c.tolerance, options.precision = c.precision, options.device = device;
  options.leaf_size = 40, options.grids = std::make_shared<GridCache>();
  for (const std::string& shape : c.shapes)
    EXPECT_LE(error_of(cloud(shape, 2000), c.k, options), c.tolerance) << shape << " " << c.k;
}

TEST_P(ErrorMatrix, StaysBelowTheTolerance) {
  expect_tolerance_kept(GetParam(), Device::cpu);
}

TEST_P(ErrorMatrix, StaysBelowTheToleranceOnTheGpu) {
  CURLEW_NEEDS_GPU();
  expect_tolerance_kept(GetParam(), Device::cuda);
}

}  // namespace
}  // namespace curlew::ngim
