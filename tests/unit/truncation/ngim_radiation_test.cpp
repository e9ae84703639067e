// SPDX-License-Identifier: BSD-3-Clause
// Fields of currents by NGIM against all pairs, which share no code with its grids and cones.
#include "truncation/ngim_radiation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include "base/error.hpp"
#include "needs_gpu.hpp"
#include "truncation/radiation_map.hpp"

namespace curlew::truncation {
namespace {

using fields::NearFields;

double largest(const std::vector<Vec3<Complex>>& a, const std::vector<Vec3<Complex>>* b = nullptr) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double sum = 0;
    for (int x = 0; x < 3; ++x) sum += std::norm(a[i][x] - (b == nullptr ? Complex(0) : (*b)[i][x]));
    most = std::max(most, std::sqrt(sum));
  }
  return most;
}

/// The largest error of E and of curl E, each over its own largest value.
double relative_error(const NearFields& exact, const NearFields& fields) {
  return std::max(largest(exact.e, &fields.e) / largest(exact.e),
                  largest(exact.curl, &fields.curl) / largest(exact.curl));
}

struct Case {
  fields::SurfacePoints sources;
  fields::SurfaceCurrents currents;
  std::vector<Vec3<double>> observers;
};

// Small cases are a strip from pole to pole: as long as the sphere, so that grids have the same orders, but
// of far fewer boxes, of which fewer still are pairs.
const bool small = wants_small_cases();
const int num_sources = small ? 300 : 3000, num_observers = small ? 150 : 700;
const Offset leaf_size = small ? 20 : 100;  // several levels

/// Sources on a sphere of radius 1 with random or smooth currents, two right-hand sides; observers on one of
/// radius 1.1. Graded: denser towards a pole, so that leaves of all sizes are neighbours.
Case spheres(bool smooth, bool graded = false) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  const Vec3<double> centre{0.3, -0.2, 0.1};
  const auto direction = [&](int i, int n) {
    const double t = (i + 0.5) / n, z = 1 - 2 * (graded ? t * t * t : t), s = std::sqrt(1 - z * z);
    const double turn = pi * (1 + std::sqrt(5.0)) * i;
    const double phi = small ? 0.1 * std::remainder(turn, 2 * pi) : turn;
    return Vec3<double>{s * std::cos(phi), s * std::sin(phi), z};
  };
  Case c;
  c.currents = fields::SurfaceCurrents(2, num_sources);
  for (int i = 0; i < num_sources; ++i) {
    const Vec3<double> n = direction(i, num_sources);
    c.sources.normal.push_back(n), c.sources.position.push_back(n + centre);
    const double t = (i + 0.5) / num_sources, area = 4 * pi / num_sources * (graded ? 3 * t * t : 1);
    c.sources.weight.push_back(area * (smooth ? 1 : 1 + 0.5 * u(random)));
    for (int column = 0; column < 2; ++column) {
      const auto at = std::size_t(column * num_sources + i);
      const Vec3<double> j = 0.01 * cross(n, Vec3<double>{1, 2.0 - column, 0.5}), m = cross(n, j);
      for (int x = 0; x < 3; ++x) {
        c.currents.electric[at][x] = smooth ? j[x] : 0.003 * Complex(u(random), u(random));
        c.currents.magnetic[at][x] = smooth ? Complex(20.0, 100.0) * m[x] : Complex(u(random), u(random));
      }
    }
  }
  for (int i = 0; i < num_observers; ++i) c.observers.push_back(1.1 * direction(i, num_observers) + centre);
  return c;
}

void expect_tolerance(const Case& c, double k, double tolerance, Device device) {
  const fields::Exterior medium{k, 300.0};
  const NearFields exact = fields::RadiationOperator(c.sources, c.observers, medium).apply(c.currents);
  const NgimRadiation radiation(c.sources, c.observers, medium, tolerance, device, leaf_size);
  const double error = relative_error(exact, radiation.apply(c.currents));
  EXPECT_GT(radiation.plan().levels().size(), 2u);
  EXPECT_LT(error, tolerance) << "k " << k << ", measured " << radiation.measured_error();
  EXPECT_GT(error, 0.0) << "only direct sums";
}

/// Each in a separate test: tools that watch each access run a process for each.
struct ToleranceCase {
  const char* name;
  bool smooth, graded;
  double k, tolerance;
};

class NgimRadiationTolerance : public testing::TestWithParam<std::tuple<ToleranceCase, Device>> {};

TEST_P(NgimRadiationTolerance, IsMet) {
  const auto& [c, device] = GetParam();
  if (device == Device::cuda) CURLEW_NEEDS_GPU();
  expect_tolerance(spheres(c.smooth, c.graded), c.k, c.tolerance, device);
}

INSTANTIATE_TEST_SUITE_P(Devices, NgimRadiationTolerance,
                         testing::Combine(testing::Values(ToleranceCase{"Low", true, false, 2.0, 1e-3},
                                                          ToleranceCase{"Random", false, false, 6.0, 1e-3},
                                                          ToleranceCase{"Fine", true, false, 6.0, 1e-5},
                                                          ToleranceCase{"Graded", true, true, 6.0, 1e-3},
                                                          // many wavelengths: cones
                                                          ToleranceCase{"Cones", false, false, 30.0, 1e-3},
                                                          ToleranceCase{"FineCones", true, false, 30.0, 1e-5},
                                                          ToleranceCase{"GradedCones", true, true, 30.0,
                                                                        1e-3}),
                                          testing::Values(Device::cpu, Device::cuda)),
                         [](const auto& each) {
                           return std::get<0>(each.param).name +
                                  std::string(std::get<1>(each.param) == Device::cuda ? "OnTheGpu" : "");
                         });

TEST(NgimRadiationOnTheDevice, HoldsGridsOfHighOrder) {  // more than its shared memory does
  CURLEW_NEEDS_GPU();
  const Case c = spheres(true);
  const fields::Exterior medium{12.0, 300.0};
  const double tolerance = small ? 1e-6 : 3e-6;

  const NgimRadiation radiation(c.sources, c.observers, medium, tolerance, Device::cuda, leaf_size);

  const NearFields exact = fields::RadiationOperator(c.sources, c.observers, medium).apply(c.currents);
  EXPECT_LT(relative_error(exact, radiation.apply(c.currents)), tolerance);
  EXPECT_FALSE(radiation.plan().single_precision());
  EXPECT_GE(radiation.plan().levels()[2].order, 14);
}

class AutomaticRadiation : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (GetParam() == Device::cuda) CURLEW_NEEDS_GPU();
  }
};

TEST_P(AutomaticRadiation, TakesWhatIsCheaper) {
  const Case c = spheres(true);
  const fields::Exterior medium{3.0, 300.0};
  const double area = 4 * pi * 9 / (4 * pi * pi), pairs = double(num_sources) * num_observers;
  const NearFields exact = fields::RadiationOperator(c.sources, c.observers, medium).apply(c.currents);
  const auto error = [&](double share) {  // of the cost of all pairs, which NGIM takes
    const RadiationCosts costs{.pair = 1 / pairs, .setup_area = 4 * share / area};
    const auto radiate = make_radiation(RadiationMethod::automatic, c.sources, c.observers, medium, 1e-4,
                                        GetParam(), {2, 4}, costs);  // at 1e-4 costs are not scaled
    return relative_error(exact, radiate(c.currents, false));
  };

  EXPECT_LT(error(1.01), 1e-12);
  EXPECT_GT(error(0.99), 1e-12);
  EXPECT_LT(error(0.99), 1e-2);
}

TEST_P(AutomaticRadiation, TurnsToAllPairsWhereNgimFails) {
  const Case c = spheres(true);
  const fields::Exterior medium{3.0, 300.0};
  constexpr double impossible = 1e-14;
  const auto make = [&](RadiationMethod method) {
    return make_radiation(method, c.sources, c.observers, medium, impossible, GetParam(), {},
                          {.pair = 1});  // NGIM is assumed to cost nothing
  };

  const NearFields fields = make(RadiationMethod::automatic)(c.currents, false);

  EXPECT_LT(
      relative_error(fields::RadiationOperator(c.sources, c.observers, medium).apply(c.currents), fields),
      1e-12);
  EXPECT_THROW(make(RadiationMethod::ngim), Error);
}

// Mixed arithmetic of all pairs shows on a GPU, and nowhere else, in the field of one right-hand side.
TEST_P(AutomaticRadiation, ComputesAsPreciselyAsAsked) {
  const Case c = spheres(true);
  const fields::Exterior medium{3.0, 300.0};
  fields::SurfaceCurrents first(1, c.sources.size());
  std::copy_n(c.currents.electric.begin(), first.electric.size(), first.electric.begin());
  std::copy_n(c.currents.magnetic.begin(), first.magnetic.size(), first.magnetic.begin());
  const NearFields exact = fields::RadiationOperator(c.sources, c.observers, medium).apply(first);
  const auto error = [&](double tolerance) {
    return relative_error(
        exact, make_radiation(RadiationMethod::direct, c.sources, c.observers, medium, tolerance, GetParam(),
                              {}, {}, pair_precision_for(tolerance))(first, false));
  };

  EXPECT_LT(error(9e-5), 1e-12);
  EXPECT_LT(error(1e-4), GetParam() == Device::cuda ? fields::mixed_pair_error : 1e-12);
  if (GetParam() == Device::cuda) {
    EXPECT_GT(error(1e-4), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, AutomaticRadiation, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return device.param == Device::cuda ? "gpu" : "cpu"; });

TEST(NgimRadiation, RefusesWhatMakesNoSense) {
  const Case c = spheres(false);
  EXPECT_THROW(NgimRadiation(c.sources, c.observers, {0.0}, 1e-3), InputError);
  EXPECT_THROW(NgimRadiation(c.sources, c.observers, {1.0}, 1e-14), InputError);
  const NgimRadiation radiation(c.sources, c.observers, {1.0}, 1e-2);
  EXPECT_THROW(radiation.apply(fields::SurfaceCurrents(1, 7)), InputError);
}

}  // namespace
}  // namespace curlew::truncation
