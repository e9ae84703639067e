// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sources/excitation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "ie/sources/port_strip.hpp"
#include "message_of.hpp"
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

/// A dipole near a conducting sphere and a distant one receive each other equally: <J_1, E_2> = <J_2, E_1>.
TEST(Excitation, DipolesOverASphereAreReciprocal) {
  const double k = 1.2;
  const System system(sphere_problem(3, k, Equation::efie));
  const Dipole one{{0, 0, 1.8}, {0.0, 1.0, 0.0}}, two{{2.1, 0.3, 0}, {0.0, 0.3, 1.0}};
  auto matrix = fill_dense(system);
  auto x = test_dipole(system, one, 0, Testing::equations),
       y = test_dipole(system, two, 0, Testing::equations);
  const auto b1 = x, b2 = y;
  x.insert(x.end(), y.begin(), y.end());
  linalg::solve_dense(matrix, x.data(), 2, linalg::LuPrecision::full, false);

  Complex there{}, back{};
  for (std::size_t i = 0; i < b1.size(); ++i) there += b2[i] * x[i], back += b1[i] * x[b1.size() + i];

  EXPECT_LT(std::abs(there - back), 1e-10 * std::abs(there));
}

/// A strip of width 0.2 along z in three surfaces: "low", "port" from 0 to 0.3, "high".
System strip_system() {
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  const double z[] = {-0.5, -0.2, 0, 0.13, 0.3, 0.6};
  for (const double height : z)
    for (const double y : {-0.1, 0.02, 0.1}) nodes.push_back({0, y, height});
  for (Index row = 0; row < 5; ++row) {
    for (Index column = 0; column < 2; ++column) {
      const Index a = 3 * row + column;
      triangles.push_back({a, a + 1, a + 4}), triangles.push_back({a, a + 4, a + 3});
      for (int i = 0; i < 2; ++i) tag.push_back(row < 2 ? 0 : row < 4 ? 1 : 2);
    }
  }
  Problem p;
  p.mesh = make_surface_mesh("strip", nodes, triangles, tag, {"low", "port", "high"});
  p.surfaces.resize(3);
  p.frequency = 1e8;
  p.equation = Equation::efie;
  return System(std::move(p));
}

/// The current 1 A/m along z, which RWG functions represent: its flow across the edges.
std::vector<Complex> uniform_flow(const System& system) {
  std::vector<Complex> x;
  for (const auto& f : system.space().functions()) {
    const auto from = system.mesh().centroid(f.plus), to = system.mesh().centroid(f.minus);
    const auto edge = normalized(system.mesh().nodes[f.b] - system.mesh().nodes[f.a]);
    auto across = cross(edge, Vec3<double>{1, 0, 0});
    if (dot(across, to - from) < 0) across = -across;
    x.emplace_back(across.z);
  }
  return x;
}

/// Ports of both kinds must count 0.2 A, whatever the mesh.
TEST(Port, CountsTheCurrentOfAUniformFlow) {
  const System system = strip_system();
  const auto x = uniform_flow(system);
  Port spread{.name = "p", .region = "port"};
  const Port gap{.name = "p", .from = "low", .to = "port"};

  EXPECT_NEAR(port_current(find_port(system, spread), x.data()).real(), 0.2, 1e-15);
  EXPECT_NEAR(port_current(find_port(system, gap), x.data()).real(), 0.2, 1e-15);
  spread.direction = {0, 0, -1};
  EXPECT_NEAR(port_current(find_port(system, spread), x.data()).real(), -0.2, 1e-15);
  spread.direction = {1, 0, 0};
  EXPECT_THROW(find_port(system, spread), InputError);
  spread.direction = {0, 0, 1};
  spread.region = "high";  // its upper end is free
  EXPECT_THROW(find_port(system, spread), InputError);
  spread.region = "porch";
  EXPECT_THROW(find_port(system, spread), InputError);
}

/// Two gaps between the same surfaces, as where the halves of a loop meet: a voltage across both drives none.
TEST(Port, MeetsInOnePlaceOnly) {
  Problem p = strip_system().problem();
  for (int& tag : p.mesh.tag)
    if (tag == 2) tag = 0;  // "low" on both sides of "port"
  p.mesh.tag_names[2] = "none";
  const System system(std::move(p));
  const auto message =
      test::message_of<InputError>([&] { find_port(system, {.name = "p", .from = "low", .to = "port"}); });

  EXPECT_NE(message.find("meet in 2 places"), std::string::npos) << message;
}

/// A uniform current I through a sheet takes R I^2, whatever the mesh; so does the impedance in series.
TEST(Port, SheetTakesThePowerOfItsResistance) {
  const System system = strip_system();
  const auto x = uniform_flow(system);
  const auto power = [&](const Port& port) {
    Complex sum{};
    for (const Entry& e : port_loads(system, {port}))
      sum += x[std::size_t(e.row)] * e.value * x[std::size_t(e.column)];
    return sum.real() * vacuum_impedance;
  };

  EXPECT_NEAR(power({.name = "p", .region = "port", .sheet_resistance = 50}), 50 * 0.2 * 0.2, 1e-12);
  EXPECT_NEAR(power({.name = "p", .series_impedance = 50, .region = "port"}), 50 * 0.2 * 0.2, 1e-12);
}

/// A surface between r = 1 and 3 over an angle, between two conductors of the same shape.
SurfaceMesh sector(double angle, bool is_trapezoid) {
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  for (const double r : {0.8, 1.0, 2.0, 3.0, 3.2}) {
    for (int i = 0; i <= 8; ++i) {
      const double phi = angle * (i / 8.0 - 0.5);
      nodes.push_back(is_trapezoid ? Vec3<double>{r, r * std::tan(0.5 * angle) * (i / 4.0 - 1), 0}
                                   : Vec3<double>{r * std::cos(phi), r * std::sin(phi), 0});
    }
  }
  for (Index row = 0; row < 4; ++row) {
    for (Index i = 0; i < 8; ++i) {
      const Index a = 9 * row + i;
      triangles.push_back({a, a + 9, a + 10}), triangles.push_back({a, a + 10, a + 1});
      for (int k = 0; k < 2; ++k) tag.push_back(row == 0 ? 0 : row == 3 ? 2 : 1);
    }
  }
  return make_surface_mesh("sector", nodes, triangles, tag, {"inner", "port", "outer"});
}

TEST(Port, IsAStripOfOneWidth) {
  EXPECT_THROW(strip_length(sector(0.7, false), 1, {1, 0, 0}, "p"), InputError) << "ends are arcs";
  EXPECT_THROW(strip_length(sector(0.7, true), 1, {1, 0, 0}, "p"), InputError) << "three times as wide";
}

}  // namespace
}  // namespace curlew::ie
