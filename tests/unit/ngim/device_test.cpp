// SPDX-License-Identifier: BSD-3-Clause
// The GPU against the CPU on the same plan, and against direct sums.

#include <gtest/gtest.h>

#include "base/device.hpp"
#include "base/error.hpp"
#include "clouds.hpp"
#include "ngim/plan.hpp"

namespace curlew::ngim {
namespace {

constexpr auto single = Precision::single_precision;
constexpr auto twice = Precision::double_precision;

class DevicePlan : public testing::Test {
 protected:
  void SetUp() override {
    if (device_info().name.empty()) GTEST_SKIP() << "no CUDA device";
  }
};

struct Fields {
  std::vector<Complex> potential, gradient;
  MeasuredError error;
};

Fields evaluate(const Points& sources, const Points* observers, Complex k, Options options, Device device) {
  options.device = device;
  options.gradient = true;
  const Index vectors = 2;
  const std::size_t m = observers != nullptr ? observers->size() : sources.size();
  const auto charges = random_charges(vectors * sources.size());
  Fields fields{std::vector<Complex>(vectors * m), std::vector<Complex>(3 * vectors * m), {}};
  const Plan plan(
      sources, observers != nullptr ? std::optional<std::span<const Vec3<double>>>(*observers) : std::nullopt,
      k, options);
  plan.apply(charges.data(), vectors, fields.potential.data(), fields.gradient.data());
  fields.error = plan.measure_error(charges.data(), fields.potential.data(), 200);
  return fields;
}

double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double error = 0, total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), total += std::norm(b[i]);
  return std::sqrt(error / total);
}

TEST_F(DevicePlan, AgreesWithTheHostToRounding) {
  for (const char* shape : {"cube", "sphere", "inverse_t", "line", "clusters", "plane", "graded"}) {
    const Points points = cloud(shape, 1500);
    for (const Complex k : {Complex(0), Complex(3.1), Complex(9, -2)}) {
      for (const Precision precision : {single, twice}) {
        Options options;
        options.precision = precision, options.leaf_size = 40,
        options.tolerance = precision == single ? 1e-3 : 1e-4;
        const Fields host = evaluate(points, nullptr, k, options, Device::cpu),
                     device = evaluate(points, nullptr, k, options, Device::cuda);
        // The closest pairs of the line lose digits in single precision, on both sides alike but not equally.
        const double rounding = precision == twice ? 1e-12 : 5e-4;
        EXPECT_LT(difference(device.potential, host.potential), rounding) << shape << " " << k;
        EXPECT_LT(difference(device.gradient, host.gradient), 10 * rounding) << shape << " " << k;
        EXPECT_LT(device.error.l2, options.tolerance) << shape << " " << k;
      }
    }
  }
}

TEST_F(DevicePlan, TakesTwoSetsAndAnyCount) {
  for (const int n : {1, 2, 31, 33, 65, 597, 2000}) {
    const Points sources = cloud("cube", n), observers = cloud("sphere", 43, 5);
    Options options;
    options.leaf_size = 32, options.tolerance = 1e-6;
    const Fields host = evaluate(sources, &observers, 2.0, options, Device::cpu),
                 device = evaluate(sources, &observers, 2.0, options, Device::cuda);
    EXPECT_LT(difference(device.potential, host.potential), 1e-12) << n;
    EXPECT_LT(device.error.l2, 1e-6) << n;
  }
}

TEST_F(DevicePlan, RefusesTheConesThatItLacks) {
  const Points points = cloud("cube", 3000);
  Options options;
  options.device = Device::cuda, options.leaf_size = 20;
  EXPECT_THROW(Plan(points, std::nullopt, 300.0, options), InputError);
}

}  // namespace
}  // namespace curlew::ngim
