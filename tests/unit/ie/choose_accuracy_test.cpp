// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/choose_accuracy.hpp"

#include <gtest/gtest.h>

#include "ie/surface/surface_equation.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

SolveOptions sums_on_a_device(double tolerance) {
  SolveOptions o;
  o.direct = false, o.accelerated = true, o.acceleration_tolerance = tolerance, o.device = Device::cuda;
  return o;
}

TEST(ChooseAccuracy, CoarserRulesWhereNearPairsDoNotFit) {
  const System system(sphere_problem(7, 3.9, Equation::cfie));
  const auto o = sums_on_a_device(1e-3);
  const std::size_t needed = estimate_device_bytes(SurfaceEquation(system), o);
  EXPECT_EQ(choose_accuracy(system, o, needed).medium, Accuracy().medium);
  const auto coarser = choose_accuracy(system, o, needed - 1);
  EXPECT_EQ(coarser.medium, accuracy_for_sums.medium);
  const System smaller(system.problem(), coarser);
  EXPECT_LT(estimate_device_bytes(SurfaceEquation(smaller), o), needed);
  EXPECT_LT(SurfaceEquation(smaller).making_bytes(Device::cuda),
            SurfaceEquation(system).making_bytes(Device::cuda));
}

TEST(ChooseAccuracy, FinerSumsAndTheHostKeepTheRules) {
  const System system(sphere_problem(3, 1, Equation::cfie));
  auto o = sums_on_a_device(1e-4);
  EXPECT_EQ(choose_accuracy(system, o, 0).medium, Accuracy().medium);
  o = sums_on_a_device(1e-3), o.device = Device::cpu;
  EXPECT_EQ(choose_accuracy(system, o, 0).medium, Accuracy().medium);
}

/// A product with the coarser rules is as right as sums to 1e-3: ten edges per wavelength, currents of a
/// wave.
TEST(ChooseAccuracy, ProductsOfTheCoarserRulesAreRightToTheTolerance) {
  const System fine(sphere_problem(7, 3.9, Equation::cfie));
  const System coarse(fine.problem(), accuracy_for_sums);
  const auto x = right_hand_side(fine, PlaneWave{pi, 0, pi});
  const auto a = fill_dense(fine), b = fill_dense(coarse);
  double difference = 0, size = 0;
  for (Index i = 0; i < fine.num_unknowns(); ++i) {
    Complex exact = 0, rough = 0;
    for (Index j = 0; j < fine.num_unknowns(); ++j) exact += a(i, j) * x[j], rough += b(i, j) * x[j];
    difference += std::norm(rough - exact), size += std::norm(exact);
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-3);
}

}  // namespace
}  // namespace curlew::ie
