// SPDX-License-Identifier: BSD-3-Clause
// The GPU's all pairs against the CPU's, at sizes beside multiples of lanes, tiles and blocks.

#include <gtest/gtest.h>

#include <random>

#include "base/device.hpp"
#include "fields/radiation.hpp"
#include "needs_gpu.hpp"

namespace curlew::fields {
namespace {

class DeviceRadiationTest : public testing::Test {
 protected:
  void SetUp() override { CURLEW_NEEDS_GPU(); }
};

double magnitude(Vec3<Complex> v) {
  return std::hypot(std::abs(v.x), std::abs(v.y), std::abs(v.z));
}

struct Problem {
  SurfacePoints points;
  SurfaceCurrents currents;
  std::vector<Vec3<double>> observers;
};

/// Points in a cube of side 2 and observers in one of 2.4, the first of them on a source.
Problem problem(int num_sources, int num_observers, int columns) {
  std::mt19937_64 random(num_sources);
  std::uniform_real_distribution<double> u(-1, 1);
  Problem p{{}, SurfaceCurrents(columns, num_sources), std::vector<Vec3<double>>(num_observers)};
  for (int i = 0; i < num_sources; ++i) {
    p.points.position.push_back({u(random), u(random), u(random)});
    p.points.normal.push_back({0, 0, 1});
    p.points.weight.push_back(1 + 0.5 * u(random));
  }
  for (auto* field : {&p.currents.electric, &p.currents.magnetic})
    for (auto& v : *field)
      for (int x = 0; x < 3; ++x) v[x] = {u(random), u(random)};
  for (auto& r : p.observers) r = {1.2 * u(random), 1.2 * u(random), 1.2 * u(random)};
  p.observers[0] = p.points.position[0];
  return p;
}

constexpr Exterior medium{7.0, 200.0};

/// Largest difference of a field at a point over its value there.
double difference_by_point(const Problem& p) {
  const NearFields host = RadiationOperator(p.points, p.observers, medium).apply(p.currents);
  const NearFields device = RadiationOperator(p.points, p.observers, medium, Device::cuda).apply(p.currents);
  double worst = 0;
  for (std::size_t i = 0; i < host.e.size(); ++i)
    worst = std::max({worst, magnitude(host.e[i] - device.e[i]) / magnitude(host.e[i]),
                      magnitude(host.curl[i] - device.curl[i]) / magnitude(host.curl[i])});
  return worst;
}

/// Largest difference over the largest value, by column.
std::vector<double> differences_by_column(const std::vector<Vec3<Complex>>& exact,
                                          const std::vector<Vec3<Complex>>& fields, std::size_t columns) {
  std::vector<double> of_columns;
  const std::size_t m = exact.size() / columns;
  for (std::size_t c = 0; c < columns; ++c) {
    double error = 0, size = 0;
    for (std::size_t i = c * m; i < (c + 1) * m; ++i) {
      error = std::max(error, magnitude(exact[i] - fields[i]));
      size = std::max(size, magnitude(exact[i]));
    }
    of_columns.push_back(error / size);
  }
  return of_columns;
}

TEST_F(DeviceRadiationTest, AgreesWithTheHost) {
  for (const int sources : {1, 7, 65, 1000})
    for (const int observers : {1, 127, 513, 5000})
      for (const int columns : {1, 2, 3, 4, 5, 8, 9, 10, 11, 13, 17})
        EXPECT_LT(difference_by_point(problem(sources, observers, columns)), 1e-11)
            << sources << " " << observers << " " << columns;
}

// One right-hand side is in single precision, as its error shows; several that share their matrices are in
// double.
TEST_F(DeviceRadiationTest, MixedPrecisionKeepsItsError) {
  for (const int sources : {7, 65, 1000})
    for (const int columns : {1, 17}) {
      Problem p = problem(sources, 5000, columns);
      for (auto& r : p.observers) r = (2 / norm(r)) * r;  // off the sources, as S is
      const NearFields host = RadiationOperator(p.points, p.observers, medium).apply(p.currents);
      const NearFields device =
          RadiationOperator(p.points, p.observers, medium, Device::cuda, PairPrecision::mixed)
              .apply(p.currents);
      for (const auto& errors : {differences_by_column(host.e, device.e, std::size_t(columns)),
                                 differences_by_column(host.curl, device.curl, std::size_t(columns))})
        for (int c = 0; c < columns; ++c) {
          const bool alone = columns == 1;
          EXPECT_LT(errors[std::size_t(c)], alone ? mixed_pair_error : 1e-13) << sources << " " << c;
          EXPECT_GT(errors[std::size_t(c)], alone ? 1e-9 : 0) << sources << " " << c;
        }
    }
}

// More observers than go through the page-locked memory at once, twice into the same fields.
TEST_F(DeviceRadiationTest, LargeResultsComeInSlabs) {
  Problem p = problem(9, 100000, 5);
  const RadiationOperator radiation(p.points, p.observers, medium, Device::cuda);
  NearFields device = radiation.apply(p.currents);
  for (auto& j : p.currents.electric) j = Complex(0, 1) * j;
  const NearFields host = RadiationOperator(p.points, p.observers, medium).apply(p.currents);
  const auto* memory = device.e.data();

  radiation.apply(p.currents, device);

  EXPECT_EQ(device.e.data(), memory);
  for (const double error : differences_by_column(host.e, device.e, 5)) EXPECT_LT(error, 1e-13);
  for (const double error : differences_by_column(host.curl, device.curl, 5)) EXPECT_LT(error, 1e-13);
}

}  // namespace
}  // namespace curlew::fields
