// SPDX-License-Identifier: BSD-3-Clause
// Every shape at every size in wavelengths to every tolerance, against direct sums: minutes of work, so only
// when CURLEW_LONG_TESTS is set. The other tests take samples of it.

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/constants.hpp"
#include "base/device.hpp"
#include "clouds.hpp"
#include "ngim/plan.hpp"

namespace curlew::ngim {
namespace {

/// Relative L2 error at every 80th observer.
double error_of(const Points& points, Complex k, const Options& options) {
  const auto charges = random_charges(points.size());
  std::vector<Complex> potential(points.size());
  const Plan plan(points, std::nullopt, k, options);
  plan.apply(charges.data(), 1, potential.data());
  double error = 0, total = 0;
  for (std::size_t t = 0; t < points.size(); t += 80) {
    const Field exact = reference(points, charges.data(), points[t], k);
    error += std::norm(potential[t] - exact.potential), total += std::norm(exact.potential);
  }
  return std::sqrt(error / total);
}

void check_shape(const char* shape, Device device) {
  const Points points = cloud(shape, 5000);
  for (const Complex k :
       {Complex(0), Complex(pi), Complex(8 * pi), Complex(32 * pi), Complex(64 * pi), Complex(25, -10)}) {
    for (const double tolerance : {5e-2, 1e-3, 1e-5, 1e-7, 1e-9}) {
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        if (precision == Precision::single_precision && tolerance < 1e-5) continue;
        Options options;
        options.tolerance = tolerance, options.precision = precision, options.device = device;
        options.leaf_size = 60;
        EXPECT_LT(error_of(points, k, options), tolerance)
            << shape << ", k " << k << ", "
            << (precision == Precision::single_precision ? "single" : "double");
      }
    }
  }
}

class ErrorMatrix : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::getenv("CURLEW_LONG_TESTS") == nullptr) GTEST_SKIP() << "CURLEW_LONG_TESTS is not set";
  }
};
INSTANTIATE_TEST_SUITE_P(All, ErrorMatrix,
                         testing::Values("cube", "sphere", "inverse_t", "line", "clusters", "plane",
                                         "graded"));

TEST_P(ErrorMatrix, OnTheCpu) {
  check_shape(GetParam(), Device::cpu);
}

TEST_P(ErrorMatrix, OnTheGpu) {
  if (device_info().name.empty()) GTEST_SKIP() << "no CUDA device";
  check_shape(GetParam(), Device::cuda);
}

}  // namespace
}  // namespace curlew::ngim
