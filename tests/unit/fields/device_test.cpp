// SPDX-License-Identifier: BSD-3-Clause
// The GPU's all pairs against the CPU's, at sizes beside multiples of lanes, tiles and blocks.

#include <gtest/gtest.h>

#include <random>

#include "base/device.hpp"
#include "fields/radiation.hpp"

namespace curlew::fields {
namespace {

class DeviceRadiationTest : public testing::Test {
 protected:
  void SetUp() override {
    if (device_info().name.empty()) GTEST_SKIP() << "no GPU";
  }
};

double difference(int num_sources, int num_observers, int columns) {
  std::mt19937_64 random(num_sources);
  std::uniform_real_distribution<double> u(-1, 1);
  SurfacePoints points;
  for (int i = 0; i < num_sources; ++i) {
    points.position.push_back({u(random), u(random), u(random)});
    points.normal.push_back({0, 0, 1});
    points.weight.push_back(1 + 0.5 * u(random));
  }
  SurfaceCurrents currents(columns, num_sources);
  for (auto* field : {&currents.electric, &currents.magnetic})
    for (auto& v : *field)
      for (int x = 0; x < 3; ++x) v[x] = {u(random), u(random)};
  std::vector<Vec3<double>> observers(num_observers);
  for (auto& p : observers) p = {1.2 * u(random), 1.2 * u(random), 1.2 * u(random)};
  observers[0] = points.position[0];
  const Exterior medium{7.0, 200.0};
  const NearFields host = RadiationOperator(points, observers, medium).apply(currents);
  const NearFields device = RadiationOperator(points, observers, medium, Device::cuda).apply(currents);
  double worst = 0;
  for (std::size_t i = 0; i < host.e.size(); ++i)
    for (int x = 0; x < 3; ++x) {
      const double e =
          norm(Vec3<double>{std::abs(host.e[i].x), std::abs(host.e[i].y), std::abs(host.e[i].z)});
      const double c =
          norm(Vec3<double>{std::abs(host.curl[i].x), std::abs(host.curl[i].y), std::abs(host.curl[i].z)});
      worst = std::max({worst, std::abs(host.e[i][x] - device.e[i][x]) / e,
                        std::abs(host.curl[i][x] - device.curl[i][x]) / c});
    }
  return worst;
}

TEST_F(DeviceRadiationTest, AgreesWithTheHost) {
  for (const int sources : {1, 7, 65, 1000})
    for (const int observers : {1, 127, 513, 5000})
      for (const int columns : {1, 2, 3, 4, 5, 8, 9, 10, 11, 13, 17})
        EXPECT_LT(difference(sources, observers, columns), 1e-11)
            << sources << " " << observers << " " << columns;
}

}  // namespace
}  // namespace curlew::fields
