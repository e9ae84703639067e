// SPDX-License-Identifier: BSD-3-Clause
// The costs by which `radiation = "auto"` decides: against seconds measured here, at both ends, and that
// larger sizes never reverse the decision.
#include "truncation/radiation_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "base/constants.hpp"
#include "base/timer.hpp"
#include "needs_gpu.hpp"
#include "truncation/radiation_map.hpp"

namespace curlew::truncation {
namespace {

/// Spheres with n points each, of so many wavelengths.
RadiationTask spheres(double n, double diameter, Index columns = 1, int evaluations = 8) {
  return {n, n, pi * diameter * diameter, columns, evaluations};
}

bool takes_ngim(const RadiationTask& task, Device device) {
  const RadiationCosts costs = radiation_costs(device);
  return ngim_seconds(costs, task) < direct_seconds(costs, task);
}

class RadiationDecision : public testing::TestWithParam<Device> {};

TEST_P(RadiationDecision, FewPointsTakeAllPairsAndManyTakeNgim) {
  for (const Index columns : {1, 10, 100})
    for (const double diameter : {0.5, 2.0, 8.0}) {
      EXPECT_FALSE(takes_ngim(spheres(1000, diameter, columns), GetParam()));
      EXPECT_TRUE(takes_ngim(spheres(1e6, diameter, columns), GetParam()));
    }
}

TEST_P(RadiationDecision, MorePointsAndMoreEvaluationsNeverTurnBackToAllPairs) {
  for (const Index columns : {1, 3, 16, 17, 91})
    for (const double diameter : {1.0, 8.0}) {
      bool before = false;
      for (double n = 100; n < 1e7; n *= 1.3) {
        const bool now = takes_ngim(spheres(n, diameter, columns), GetParam());
        EXPECT_TRUE(now || !before) << n << " points";
        before = now;
      }
      before = false;
      for (int evaluations = 1; evaluations < 1000; evaluations *= 2) {
        const bool now = takes_ngim(spheres(40000, diameter, columns, evaluations), GetParam());
        EXPECT_TRUE(now || !before) << evaluations << " evaluations";
        before = now;
      }
    }
}

TEST_P(RadiationDecision, SeveralColumnsShareAllPairsButNotNgim) {
  const RadiationCosts costs = radiation_costs(GetParam());
  RadiationTask one = spheres(1e5, 4), ten = spheres(1e5, 4, 10);

  const double direct = direct_seconds(costs, ten) / direct_seconds(costs, one);
  const double setup = ngim_seconds(costs, spheres(1e5, 4, 1, 0));
  const double ngim = (ngim_seconds(costs, ten) - setup) / (ngim_seconds(costs, one) - setup);

  EXPECT_GT(direct, 2.5);  // 3 on the GPU, 5.9 on the CPU
  EXPECT_LT(direct, 7);
  EXPECT_NEAR(ngim, 10, 1e-9);
}

TEST_P(RadiationDecision, CountsTheSetUpOnce) {
  const RadiationCosts costs = radiation_costs(GetParam());
  const auto seconds = [&](int evaluations) { return ngim_seconds(costs, spheres(1e5, 4, 1, evaluations)); };

  EXPECT_GT(seconds(1), 2 * (seconds(2) - seconds(1)));
  EXPECT_NEAR(seconds(9) - seconds(8), seconds(2) - seconds(1), 1e-9 * seconds(9));
}

TEST_P(RadiationDecision, FewerDigitsAreCheaper) {
  RadiationTask task = spheres(1e5, 4);
  const RadiationCosts costs = radiation_costs(GetParam());
  const double exact = ngim_seconds(costs, task);
  task.tolerance = 1e-2;
  EXPECT_LT(ngim_seconds(costs, task), exact);
}

/// Processor seconds of one thread by all pairs over those of NGIM, eight evaluations of one and of eight
/// right-hand sides: em-bench's spheres on a machine with AVX-512.
TEST(RadiationCost, StatesTheMeasuredRatio) {
  struct Row {
    double n, diameter, tolerance, setup, one, eight, all, all_eight;
  };
  const RadiationCosts costs = radiation_costs(Device::cpu);
  for (const Row& r : {Row{8192, 2, 1e-2, 0.158, 0.0569, 0.455, 0.409, 2.05},
                       Row{32768, 4, 1e-2, 0.674, 0.262, 2.07, 6.82, 38.1},
                       Row{16384, 8, 1e-2, 1.35, 0.429, 3.42, 1.73, 8.6},
                       Row{8192, 1, 1e-3, 0.163, 0.0608, 0.485, 0.436, 2.14},
                       Row{16384, 4, 1e-3, 0.687, 0.249, 2.01, 1.48, 9.27},
                       Row{4096, 1, 1e-4, 0.189, 0.0579, 0.468, 0.0989, 0.424},
                       Row{16384, 2, 1e-4, 0.705, 0.259, 2.10, 1.64, 10.8},
                       Row{32768, 4, 1e-4, 1.41, 0.514, 4.16, 7.81, 34.5}}) {
    for (const bool is_one : {true, false}) {
      RadiationTask task = spheres(r.n, r.diameter, is_one ? 1 : 8);
      task.tolerance = r.tolerance;
      const double measured = 8 * (is_one ? r.all : r.all_eight) / (r.setup + 8 * (is_one ? r.one : r.eight));
      const double expected = direct_seconds(costs, task) / ngim_seconds(costs, task);
      EXPECT_NEAR(std::log(expected / measured), 0, std::log(1.6))
          << r.n << " points, " << r.diameter << " wavelengths, " << r.tolerance << ": " << expected
          << " for " << measured;
    }
  }
}

/// Points on a sphere, equally spread.
fields::SurfacePoints sphere_points(int n, double radius) {
  fields::SurfacePoints points;
  for (int i = 0; i < n; ++i) {
    const double z = 1 - (2 * i + 1.0) / n, s = std::sqrt(1 - z * z), phi = pi * (1 + std::sqrt(5.0)) * i;
    points.normal.push_back({s * std::cos(phi), s * std::sin(phi), z});
    points.position.push_back(radius * points.normal.back());
    points.weight.push_back(4 * pi * radius * radius / n);
  }
  return points;
}

/// Seconds of the set-up and all evaluations on this machine, of which one is timed; on the CPU all pairs are
/// scaled up from a part of the observers.
double measured_seconds(RadiationMethod method, const RadiationTask& task, Device device) {
  const auto n = int(task.sources);
  const double diameter = std::sqrt(task.area / pi);  // in wavelengths, of a sphere of radius 1
  const auto sources = sphere_points(n, 1), outer = sphere_points(n, 1.1);
  const bool is_part = method == RadiationMethod::direct && device == Device::cpu;
  const std::size_t count = is_part ? 400 : outer.position.size();
  fields::SurfaceCurrents currents(1, n);
  for (std::size_t i = 0; i < sources.position.size(); ++i) {
    const Vec3<double>& u = sources.normal[i];
    currents.electric[i] = {u.y, -u.x, 0.0};
    currents.magnetic[i] = {0.0, u.z, -u.y};
  }
  const Timer set_up;
  const auto map = make_radiation(method, sources, std::span(outer.position).first(count), {pi * diameter},
                                  1e-4, device, {1, task.evaluations}, radiation_costs(device));
  const double once = set_up.seconds();
  const Timer evaluation;
  map(currents, false);
  return once + task.evaluations * evaluation.seconds() * double(n) / double(count);
}

/// Where one method is predicted to take a third of the other's time, it is faster on this machine.
TEST_P(RadiationDecision, TakesWhatIsFasterOnThisMachine) {
  const bool is_gpu = GetParam() == Device::cuda;
  if (is_gpu) CURLEW_NEEDS_GPU();
  const RadiationCosts costs = radiation_costs(GetParam());
  for (const RadiationTask& task : {spheres(500, 0.5), is_gpu ? spheres(524288, 8) : spheres(20000, 0.5)}) {
    const double expected = direct_seconds(costs, task) / ngim_seconds(costs, task);
    ASSERT_GT(std::abs(std::log(expected)), std::log(3.0)) << task.sources;

    const double direct = measured_seconds(RadiationMethod::direct, task, GetParam()),
                 ngim = measured_seconds(RadiationMethod::ngim, task, GetParam());

    EXPECT_GT(expected > 1 ? direct / ngim : ngim / direct, 1)
        << task.sources << " points: " << direct << " s, NGIM " << ngim << " s";
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RadiationDecision, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return device.param == Device::cuda ? "gpu" : "cpu"; });

}  // namespace
}  // namespace curlew::truncation
