// SPDX-License-Identifier: BSD-3-Clause
// Iterations whose products are as inexact as the residual allows, against the dense matrix, on CPU and GPU.
#include <gtest/gtest.h>

#include "base/device.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/solve.hpp"
#include "ie/surface/surface_equation.hpp"
#include "linalg/krylov/relaxation.hpp"
#include "needs_gpu.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

constexpr double sums_to = 1e-4, iterates_to = 1e-3;

SolveOptions relaxing(Device device, int gpus = 1) {
  SolveOptions o;
  o.direct = false, o.accelerated = true, o.preconditioner = Preconditioner::jacobi;
  o.device = device, o.gpus = gpus;
  o.acceleration_tolerance = sums_to, o.relaxes_products = true;
  o.krylov.method = linalg::KrylovMethod::gmres, o.krylov.tolerance = iterates_to;
  return o;
}

double dense_residual(const System& system, const std::vector<Complex>& x, const std::vector<Complex>& b) {
  const auto matrix = fill_dense(system);
  auto left = b;
  double of_b = 0, of_left = 0;
  for (Index j = 0; j < system.num_unknowns(); ++j)
    for (Index i = 0; i < system.num_unknowns(); ++i)
      left[std::size_t(i)] -= matrix(i, j) * x[std::size_t(j)];
  for (std::size_t i = 0; i < b.size(); ++i) of_b += std::norm(b[i]), of_left += std::norm(left[i]);
  return std::sqrt(of_left / of_b);
}

/// Most products are coarse ones, and the currents are as good as those of exact products.
void expect_the_tolerance(Device device, int gpus) {
  const System system(sphere_problem(9, 6, Equation::cfie));
  const SurfaceEquation equation(system);
  const auto b = right_hand_side(system, mie_wave());
  auto x = b, exactly = b;
  SolveOptions o = relaxing(device, gpus);
  const auto report = solve(equation, o, x, 1);
  o.relaxes_products = false;
  const auto exact = solve(equation, o, exactly, 1);

  EXPECT_TRUE(report.converged && exact.converged);
  // Sums to 1e-4 of what cancels in part: their own error shows in both.
  EXPECT_LE(dense_residual(system, x, b), iterates_to + 3 * sums_to);
  EXPECT_LE(report.iterations, exact.iterations + 2);
  EXPECT_EQ(report.krylov[0].starts, 1) << "the errors left the tolerance to the iteration";
  EXPECT_EQ(exact.products.size(), 1u);
  const auto tolerances = tolerances_of_sums(sums_to);
  ASSERT_EQ(tolerances.size(), 3u);
  ASSERT_EQ(report.products.size(), 3u);
  long products = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(report.products[i].tolerance, tolerances[i]);
    products += report.products[i].products;
  }
  EXPECT_GE(products, report.iterations + 2) << "true residuals at both ends";
  EXPECT_LE(products, report.iterations + 3) << "a GPU may have begun one more when the end is seen";
  EXPECT_LT(2 * report.products[0].products, products);
}

TEST(RelaxedProducts, ReachTheResidualOfTheDenseMatrix) {
  expect_the_tolerance(Device::cpu, 1);
}

TEST(RelaxedProductsOnDevice, ReachTheResidualOfTheDenseMatrix) {
  CURLEW_NEEDS_GPU();
  expect_the_tolerance(Device::cuda, 1);
}

TEST(RelaxedProductsOnDevice, SharedByAllThereAre) {
  CURLEW_NEEDS_GPU();
  if (num_devices() < 2) GTEST_SKIP() << "one GPU";
  expect_the_tolerance(Device::cuda, num_devices());
}

std::vector<Complex> of_wave(const std::vector<Complex>& all, std::size_t wave, std::size_t n) {
  return {all.begin() + std::ptrdiff_t(wave * n), all.begin() + std::ptrdiff_t((wave + 1) * n)};
}

/// Waves that recycle each other's directions with the least accurate sums: residuals with the dense matrix
/// are as requested, and few products are accurate.
void expect_directions_of_loose_sums(Device device) {
  const System system(sphere_problem(5, 4, Equation::efie));
  const SurfaceEquation equation(system);
  const auto n = std::size_t(system.num_unknowns());
  constexpr Index num_waves = 4;
  std::vector<Complex> b;
  for (int i = 0; i < num_waves; ++i) {
    const auto one = right_hand_side(system, PlaneWave{0.3 * i, 0.4, 0.7 * i});
    b.insert(b.end(), one.begin(), one.end());
  }
  auto x = b, exactly = b;
  SolveOptions o = relaxing(device);
  o.kept_directions = 300;
  const auto report = solve(equation, o, x, num_waves);
  o.relaxes_products = false;
  const auto exact = solve(equation, o, exactly, num_waves);

  EXPECT_TRUE(report.converged && exact.converged);
  for (std::size_t wave = 0; wave < std::size_t(num_waves); ++wave)
    EXPECT_LE(dense_residual(system, of_wave(x, wave, n), of_wave(b, wave, n)), iterates_to + 3 * sums_to);
  ASSERT_EQ(exact.products.size(), 1u);
  ASSERT_EQ(report.products.size(), 2u) << "exact ones and the loosest";
  EXPECT_EQ(report.products[1].tolerance, steering_sums);
  EXPECT_EQ(report.products[1].products, report.iterations);
  EXPECT_LT(3 * report.products[0].products, exact.products[0].products);
  EXPECT_LT(report.krylov.back().iterations, report.krylov.front().iterations);
}

TEST(RelaxedProducts, WithKeptDirectionsAreOfTheLoosestSums) {
  expect_directions_of_loose_sums(Device::cpu);
}

TEST(RelaxedProductsOnDevice, WithKeptDirectionsAreOfTheLoosestSums) {
  CURLEW_NEEDS_GPU();
  expect_directions_of_loose_sums(Device::cuda);
}

/// The condition of the EFIE amplifies errors more than the rule assumes.
TEST(RelaxedProducts, OfTheEfieReachTheirTolerance) {
  const System system(sphere_problem(6, 4, Equation::efie));
  const auto b = right_hand_side(system, mie_wave());
  auto x = b;
  const auto report = solve(SurfaceEquation(system), relaxing(Device::cpu), x, 1);

  EXPECT_TRUE(report.converged);
  EXPECT_LE(dense_residual(system, x, b), iterates_to + 3 * sums_to);
  EXPECT_GT(report.products.size(), 1u);
}

TEST(SumPlans, TolerancesAreAtLeastAFactorOfThreeApart) {
  const auto expect = [](double asked, const std::vector<double>& all) {
    const auto got = tolerances_of_sums(asked);
    ASSERT_EQ(got.size(), all.size()) << asked;
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(got[i], all[i], 0.01 * all[i]);
  };
  expect(1e-8, {1e-8, 5e-4, 5e-2});
  expect(1e-4, {1e-4, 2.236e-3, 5e-2});
  expect(1e-3, {1e-3, 7.07e-3, 5e-2});
  expect(1e-2, {1e-2, 5e-2});
  expect(2e-2, {2e-2});
  expect(0.5, {0.5});
}

/// A product is by the coarsest sums that keep the error, and by the exact ones afterwards.
TEST(SumPlans, ProductsKeepTheErrorThatIsAllowed) {
  const System system(sphere_problem(9, 6, Equation::cfie));
  Stages stages;
  CorrectedOperator a(SurfaceEquation(system).fill({}, stages), sums_to);
  const auto x = right_hand_side(system, mie_wave());
  std::vector<Complex> exact(x.size()), y(x.size());
  a.apply(x.data(), exact.data());
  const auto error_of = [&](double allowed) {
    a.allow(allowed, 0);
    a.apply(x.data(), y.data());
    double wrong = 0, size = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      wrong += std::norm(y[i] - exact[i]), size += std::norm(exact[i]);
    return std::sqrt(wrong / size);
  };

  EXPECT_EQ(error_of(2e-3), 0) << "coarser sums would be to 2.2e-3";
  const double middle = error_of(4e-2), loosest = error_of(1), steering = error_of(linalg::any_error);
  EXPECT_GT(middle, 0);
  EXPECT_LT(middle, 3e-3);
  EXPECT_GT(loosest, middle);
  EXPECT_LT(loosest, 5e-2);
  EXPECT_GT(steering, loosest);
  EXPECT_LT(steering, steering_sums);
  EXPECT_EQ(error_of(0), 0);
  const auto products = a.products();
  ASSERT_EQ(products.size(), 4u);
  EXPECT_EQ(products[0].products, 3);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(products[i].products, 1);
}

/// If memory does not suffice, all products use the requested tolerance.
TEST(SumPlans, AreLeftOutWithoutMemory) {
  const System system(sphere_problem(4, 2, Equation::cfie));
  Stages stages;
  CorrectedOperator a(SurfaceEquation(system).fill({}, stages), sums_to);
  std::vector<Complex> x(std::size_t(system.num_unknowns()), 1.0), y(x.size());
  a.allow(1, std::size_t(1) << 60);
  a.apply(x.data(), y.data());
  ASSERT_EQ(a.products().size(), 1u);
  EXPECT_EQ(a.products()[0].tolerance, sums_to);
}

}  // namespace
}  // namespace curlew::ie
