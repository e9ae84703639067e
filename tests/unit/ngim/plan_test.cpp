// SPDX-License-Identifier: BSD-3-Clause
// The whole method against direct sums: tolerance by tolerance, shape by shape, regime by regime.

#include "ngim/plan.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <new>

#include "address_space.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "clouds.hpp"

namespace curlew::ngim {
namespace {

constexpr auto single = Precision::single_precision;

struct Errors {
  double potential, gradient;
};

/// Relative L2 errors of the last of num_vectors charge vectors at every step-th observer.
Errors errors_of(const Points& sources, const Points* observers, Complex k, Options options,
                 Index num_vectors = 1) {
  const Points& targets = observers != nullptr ? *observers : sources;
  const auto charges = random_charges(sources.size() * num_vectors);
  const std::size_t m = targets.size(), step = std::max<std::size_t>(1, m / 80);
  std::vector<Complex> potential(m * num_vectors), gradient(options.gradient ? 3 * m * num_vectors : 0);
  const Plan plan(
      sources, observers != nullptr ? std::optional<std::span<const Vec3<double>>>(*observers) : std::nullopt,
      k, options);
  plan.apply(charges.data(), num_vectors, potential.data(), options.gradient ? gradient.data() : nullptr);
  const std::size_t last = num_vectors - 1;
  double error = 0, total = 0, slope_error = 0, slope_total = 0;
  for (std::size_t t = 0; t < m; t += step) {
    const Field field = reference(sources, &charges[last * sources.size()], targets[t], k);
    error += std::norm(potential[last * m + t] - field.potential), total += std::norm(field.potential);
    for (int d = 0; d < 3 && options.gradient; ++d) {
      slope_error += std::norm(gradient[(3 * last + d) * m + t] - field.gradient[d]),
          slope_total += std::norm(field.gradient[d]);
    }
  }
  return {std::sqrt(error / total), options.gradient ? std::sqrt(slope_error / slope_total) : 0};
}

Options asking(double tolerance, Precision precision = Precision::double_precision, bool gradient = false,
               Offset leaf = 0) {
  Options options;
  options.tolerance = tolerance, options.precision = precision, options.gradient = gradient,
  options.leaf_size = leaf;
  return options;
}

class Shapes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Shapes,
                         testing::Values("cube", "sphere", "inverse_t", "line", "clusters", "plane",
                                         "graded"));

TEST_P(Shapes, MeetTheToleranceStaticAndAtLowFrequency) {
  const Points points = cloud(GetParam(), 1500);
  for (const double diameter : {0.0, 0.5, 4.0}) {
    const Complex k = 2 * pi * diameter;
    EXPECT_LT(errors_of(points, nullptr, k, asking(5e-2, single, false, 30)).potential, 5e-2) << diameter;
    EXPECT_LT(errors_of(points, nullptr, k, asking(1e-3, single, false, 30)).potential, 1e-3) << diameter;
  }
  EXPECT_LT(errors_of(points, nullptr, 2 * pi * 0.5, asking(1e-5, single, false, 100)).potential, 1e-5);
}

TEST_P(Shapes, MeetTheToleranceInTheMixedRegime) {
  const Points points = cloud(GetParam(), 1500);
  const Complex k = 2 * pi * 16.0;  // boxes of 4 wavelengths by cones, smaller ones by grids
  const Errors errors = errors_of(points, nullptr, k, asking(1e-2, Precision::double_precision, true, 40));
  EXPECT_LT(errors.potential, 1e-2);
  EXPECT_LT(errors.gradient, 1e-2);
}

TEST(Plan, MeetsTightTolerances) {
  const Points points = cloud("sphere", 600);
  const auto options = [](double tolerance) {
    return asking(tolerance, Precision::double_precision, false, 60);
  };
  EXPECT_LT(errors_of(points, nullptr, 0.0, options(1e-9)).potential, 1e-9);
  EXPECT_LT(errors_of(points, nullptr, 2 * pi * 0.5, options(1e-7)).potential, 1e-7);
}

TEST(Plan, MeetsToleranceAtThirtyTwoWavelengths) {
  const Points points = cloud("sphere", 3000);
  EXPECT_LT(errors_of(points, nullptr, 2 * pi * 32, asking(5e-2, single, false, 60)).potential, 5e-2);
  EXPECT_LT(errors_of(cloud("line", 1500), nullptr, 2 * pi * 32,
                      asking(1e-4, Precision::double_precision, false, 30))
                .potential,
            1e-5);
}

TEST(Plan, HandlesLossAndGradientsAndSeveralVectors) {
  const Points points = cloud("inverse_t", 2000);
  for (const Complex k : {Complex(3, -0.5), Complex(25, -10), Complex(0, -6), Complex(2, -900)}) {
    const Errors errors =
        errors_of(points, nullptr, k, asking(1e-4, Precision::double_precision, true, 40), 5);
    EXPECT_LT(errors.potential, 1e-4) << k.real() << " " << k.imag();
    EXPECT_LT(errors.gradient, 1e-4) << k.real() << " " << k.imag();
  }
}

TEST(Plan, HandlesTwoSetsFarApartAndInterleaved) {
  Points sources = cloud("cube", 1500), observers = cloud("sphere", 1100, 5);
  EXPECT_LT(errors_of(sources, &observers, 9.0, asking(1e-5, Precision::double_precision, true, 40)).gradient,
            1e-5);
  for (auto& p : observers) p.x += 3;  // only far fields: nothing hides the error of the grids
  EXPECT_LT(
      errors_of(sources, &observers, 2.0, asking(1e-5, Precision::double_precision, false, 40)).potential,
      1e-5);
  EXPECT_LT(errors_of(sources, &observers, 40.0, asking(1e-3, single, false, 40)).potential, 1e-3);
}

TEST(Plan, IsReciprocalAndLinear) {
  const Points points = cloud("sphere", 1200);
  const Plan plan(points, std::nullopt, 12.0, asking(1e-4, Precision::double_precision, false, 30));
  const std::size_t n = points.size();
  auto charges = random_charges(2 * n);
  std::vector<Complex> both(3 * n), fields(3 * n);
  for (std::size_t i = 0; i < n; ++i)
    both[i] = charges[i], both[n + i] = charges[n + i],
    both[2 * n + i] = 2.0 * charges[i] - Complex(0, 1) * charges[n + i];
  plan.apply(both.data(), 3, fields.data());

  Complex ab = 0, ba = 0;
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ab += both[i] * fields[n + i], ba += both[n + i] * fields[i];
    size += std::abs(both[i] * fields[n + i]);
    worst = std::max(worst, std::abs(fields[2 * n + i] - (2.0 * fields[i] - Complex(0, 1) * fields[n + i])) /
                                std::abs(fields[2 * n + i]));
  }
  EXPECT_LT(std::abs(ab - ba), 1e-12 * size) << "the low-frequency stages are each other's transposes";
  EXPECT_LT(worst, 1e-10);
}

TEST(Plan, DoesNotDependOnUnitOrPosition) {
  Points points = cloud("cube", 800);
  const auto charges = random_charges(points.size());
  std::vector<Complex> a(points.size()), b(points.size());
  Plan(points, std::nullopt, 5.0, asking(1e-6)).apply(charges.data(), 1, a.data());
  for (auto& p : points) p = 1e-6 * p;
  Plan(points, std::nullopt, 5e6, asking(1e-6)).apply(charges.data(), 1, b.data());
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_LT(std::abs(b[i] * 1e-6 - a[i]), 1e-9 * std::abs(a[i]) + 1e-9);
}

TEST(Plan, MeasuresItsError) {
  const Points points = cloud("cube", 2000);
  const auto charges = random_charges(points.size());
  std::vector<Complex> u(points.size());
  const Plan plan(points, std::nullopt, 5.0, asking(1e-3, single, false, 30));
  plan.apply(charges.data(), 1, u.data());
  const auto good = plan.measure_error(charges.data(), u.data(), 100);
  EXPECT_LT(good.l2, 1e-3);
  EXPECT_GT(good.l2, 1e-8);
  for (auto& v : u) v *= 1.5;
  const auto bad = plan.measure_error(charges.data(), u.data(), 100);
  EXPECT_NEAR(bad.l1, 0.5, 1e-2);
  EXPECT_NEAR(bad.l2, 0.5, 1e-2);
}

TEST(Plan, KnowsNoneOneAndTwoPoints) {
  Complex u[2] = {7, 7};
  const Complex q[2] = {{1, 2}, {3, -1}};
  Plan(Points{}, std::nullopt, 1.0, {}).apply(q, 1, u);
  EXPECT_EQ(u[0], Complex(7));
  Plan(Points{{1, 2, 3}}, std::nullopt, 1.0, {}).apply(q, 1, u);
  EXPECT_EQ(u[0], Complex(0));
  Plan(Points{{0, 0, 0}, {0, 3, 4}}, std::nullopt, 2.0, {}).apply(q, 1, u);
  EXPECT_LT(std::abs(u[0] - q[1] * std::exp(Complex(0, -10)) / 5.0), 1e-14);
  EXPECT_LT(std::abs(u[1] - q[0] * std::exp(Complex(0, -10)) / 5.0), 1e-14);
  const Points none;
  Plan(Points{{0, 0, 0}}, std::span<const Vec3<double>>(none), 1.0, {}).apply(q, 1, nullptr);
}

TEST(Plan, GivesNothingForCoincidentPairs) {
  Points points(600, Vec3<double>{1, 1, 1});
  points.push_back({2, 1, 1});
  std::vector<Complex> q(601, 1.0), u(601);
  Plan(points, std::nullopt, 0.0, asking(1e-6)).apply(q.data(), 1, u.data());
  EXPECT_LT(std::abs(u[0] - 1.0), 1e-6);
  EXPECT_LT(std::abs(u[600] - 600.0), 6e-4);
}

TEST(Plan, SaysThatMemoryIsTooSmall) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  const Points points(4000000, Vec3<double>{1, 2, 3});
  const auto with_little_memory = [&] {
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = std::size_t(64) << 20;  // less than the process has already
    setrlimit(RLIMIT_AS, &limit);
    try {
      const Plan plan(points, std::nullopt, 1.0, {});
    } catch (const ResourceError& e) {
      std::_Exit(std::string(e.what()).find("memory") != std::string::npos ? 3 : 1);
    } catch (const std::bad_alloc&) {
      std::_Exit(3);  // the programs say "out of memory" and end with 3
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(with_little_memory(), testing::ExitedWithCode(3), "");
}

TEST(Plan, WithoutADeviceTurnsToTheHostIfItMay) {
  if (!device_info().name.empty()) GTEST_SKIP() << "there is a device";
  const Points points = cloud("cube", 50);
  Options options;
  options.device = Device::cuda;
  EXPECT_THROW(Plan(points, std::nullopt, 1.0, options), ResourceError);
  options.may_use_host = true;
  EXPECT_EQ(Plan(points, std::nullopt, 1.0, options).device(), Device::cpu);
}

TEST(Plan, RefusesWhatCannotBe) {
  const Points two{{0, 0, 0}, {1, 0, 0}};
  const auto make = [&](Complex k, Options options) { Plan plan(two, std::nullopt, k, options); };
  EXPECT_THROW(make(-1.0, {}), InputError);
  EXPECT_THROW(make(Complex(1, 0.1), {}), InputError);
  EXPECT_THROW(make(NAN, {}), InputError);
  EXPECT_THROW(make(1.0, asking(1e-7, single)), InputError);
  EXPECT_THROW(make(1.0, asking(1e-13)), InputError);
  EXPECT_THROW(make(1.0, asking(2.0)), InputError);
  EXPECT_THROW(make(1.0, asking(NAN)), InputError);
  const Complex bad[2] = {NAN, 1};
  Complex u[2];
  EXPECT_THROW(Plan(two, std::nullopt, 1.0, {}).apply(bad, 1, u), InputError);
}

}  // namespace
}  // namespace curlew::ngim
