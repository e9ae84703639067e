// SPDX-License-Identifier: BSD-3-Clause
#include "ie/excitation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// curl E = -j k eta H by central differences.
template <class Source>
void expect_maxwell(const Source& source, Vec3<double> at, double k) {
  const double h = 1e-5;
  const auto e = [&](Vec3<double> shift) { return source.at(at + shift, k).e; };
  const auto d = [&](int i) {
    Vec3<double> step{};
    step[i] = h;
    const auto up = e(step), down = e(-step);
    return (1 / (2 * h)) * (up - down);
  };
  const auto dx = d(0), dy = d(1), dz = d(2);
  const Vec3<Complex> curl{dy.z - dz.y, dz.x - dx.z, dx.y - dy.x};
  const auto expect = Complex(0, -k * vacuum_impedance) * source.at(at, k).h;
  for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(curl[i] - expect[i]), 1e-6 * (1 + std::abs(expect[i])));
}

TEST(Excitation, FieldsObeyMaxwell) {
  expect_maxwell(PlaneWave{0.7, 2.1, 0.3}, {0.2, -0.4, 0.9}, 2.5);
  expect_maxwell(Dipole{{0.1, 0.2, 0.3}, {1e-2, {2e-2, 1e-2}, -1e-2}}, {0.9, -0.4, 0.8}, 2.5);
}

TEST(Excitation, PlaneWaveArrivesFromItsDirection) {
  const PlaneWave wave{pi / 2, 0, 0};  // from +x, E along theta^ = -z

  EXPECT_NEAR(wave.direction().x, -1, 1e-15);
  EXPECT_NEAR(wave.electric_direction().z, -1, 1e-15);
  EXPECT_NEAR(std::arg(wave.at({0.1, 0, 0}, 1.0).e.z / wave.at({0, 0, 0}, 1.0).e.z), 0.1, 1e-12);
}

/// A dipole near a conducting sphere and a distant one hear each other alike: <J_1, E_2> = <J_2, E_1>.
TEST(Excitation, DipolesOverASphereAreReciprocal) {
  const double k = 1.2;
  const System system(sphere_problem(3, k, Equation::efie));
  const Dipole one{{0, 0, 1.8}, {0.0, 1.0, 0.0}}, two{{2.1, 0.3, 0}, {0.0, 0.3, 1.0}};
  auto matrix = fill_dense(system);
  auto x = right_hand_side(system, one), y = right_hand_side(system, two);
  const auto b1 = x, b2 = y;
  x.insert(x.end(), y.begin(), y.end());
  linalg::solve_dense(matrix, x.data(), 2, linalg::LuPrecision::full, false);

  Complex there{}, back{};
  for (std::size_t i = 0; i < b1.size(); ++i) there += b2[i] * x[i], back += b1[i] * x[b1.size() + i];

  EXPECT_LT(std::abs(there - back), 1e-10 * std::abs(there));
}

}  // namespace
}  // namespace curlew::ie
