// SPDX-License-Identifier: BSD-3-Clause
// Closed-form modes against their defining properties: orthonormal, Helmholtz' equation, walls, known
// cut-offs.

#include "fem/ports/waveguide_mode.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

using Family = WaveguideMode::Family;

PortShape rectangle(double a, double b) {
  return {PortShape::Kind::rectangle, {0.1, -0.2, 0.3}, {0, 1, 0}, {0, 0, 1}, a, b};
}
PortShape circle(double radius) {
  return {PortShape::Kind::circle, {0.1, -0.2, 0.3}, {0.8, 0.6, 0}, {-0.6, 0.8, 0}, radius, radius};
}

/// ∫ f dA by the midpoint rule in u, v or in ρ, φ; exact enough for trigonometric integrands.
template <class F>
double integrate(const PortShape& shape, F&& f) {
  constexpr int n = 150;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (shape.kind == PortShape::Kind::rectangle) {
        const double u = (i + 0.5) / n * shape.width, v = (j + 0.5) / n * shape.height;
        sum += f(shape.origin + u * shape.u + v * shape.v) * shape.width * shape.height / (n * n);
      } else {
        const double rho = (i + 0.5) / n * shape.width, phi = 2 * pi * (j + 0.5) / n;
        const auto r = shape.origin + rho * std::cos(phi) * shape.u + rho * std::sin(phi) * shape.v;
        sum += f(r) * rho * shape.width * 2 * pi / (n * n);
      }
    }
  }
  return sum;
}

TEST(WaveguideModes, AreOrthonormal) {
  for (const PortShape& shape : {rectangle(0.9, 0.4), rectangle(0.5, 0.5), circle(0.7)}) {
    const auto modes = waveguide_modes(shape, 8);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double product =
            integrate(shape, [&](Vec3<double> r) { return dot(modes[i].electric(r), modes[j].electric(r)); });
        EXPECT_NEAR(product, i == j ? 1 : 0, 2e-4) << modes[i].name << " " << modes[j].name;
      }
    }
  }
}

/// -∇²e = kc² e for every Cartesian component, by central differences.
TEST(WaveguideModes, SolveHelmholtzInTheCrossSection) {
  for (const PortShape& shape : {rectangle(0.9, 0.4), circle(0.7)}) {
    const auto inside = shape.origin + 0.31 * shape.width * shape.u + 0.4 * shape.height * shape.v;
    for (const auto& mode : waveguide_modes(shape, 8)) {
      constexpr double h = 1e-3;
      const auto sum = mode.electric(inside + h * shape.u) + mode.electric(inside - h * shape.u) +
                       mode.electric(inside + h * shape.v) + mode.electric(inside - h * shape.v);
      const auto laplacian = (1 / (h * h)) * (sum - 4.0 * mode.electric(inside));
      const double kc2 = mode.cutoff * mode.cutoff;
      EXPECT_LT(norm(laplacian + kc2 * mode.electric(inside)), 1e-4 * kc2 * (1 + norm(mode.electric(inside))))
          << mode.name;
    }
  }
}

TEST(WaveguideModes, HaveNoTangentialFieldOnTheWall) {
  const PortShape round = circle(0.7);
  for (const auto& mode : waveguide_modes(round, 8)) {
    for (const double phi : {0.1, 1.3, 4.0}) {
      const auto radial = std::cos(phi) * round.u + std::sin(phi) * round.v;
      const auto tangent = -std::sin(phi) * round.u + std::cos(phi) * round.v;
      EXPECT_NEAR(dot(mode.electric(round.origin + round.width * radial), tangent), 0, 1e-12) << mode.name;
    }
  }
  const PortShape flat = rectangle(0.9, 0.4);
  for (const auto& mode : waveguide_modes(flat, 8)) {
    EXPECT_NEAR(dot(mode.electric(flat.origin + 0.3 * flat.u), flat.u), 0, 1e-12) << mode.name;
    EXPECT_NEAR(dot(mode.electric(flat.origin + 0.3 * flat.v), flat.v), 0, 1e-12) << mode.name;
  }
}

TEST(WaveguideModes, HaveTheCutOffsOfTheBooks) {
  const auto wr90 = waveguide_modes(rectangle(22.86e-3, 10.16e-3), 5);
  EXPECT_EQ(wr90[0].name, "TE10");
  EXPECT_NEAR(wr90[0].cutoff_frequency(1, 1), 6.557140e9, 1e3);
  EXPECT_EQ(wr90[1].name, "TE20");
  EXPECT_EQ(wr90[2].name, "TE01");
  EXPECT_EQ(wr90[3].name, "TE11");
  EXPECT_EQ(wr90[4].name, "TM11");
  // zeros 1.8412 (twice), 2.4048, 3.0542 (twice), 3.8317 (TE01 and TM11 twice)
  const auto round = waveguide_modes(circle(1), 8);
  const double zeros[] = {1.841183781340659, 1.841183781340659, 2.404825557695773, 3.054236928227140,
                          3.054236928227140, 3.831705970207512, 3.831705970207512, 3.831705970207512};
  const char* names[] = {"TE11", "TE11s", "TM01", "TE21", "TE21s", "TE01", "TM11", "TM11s"};
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(round[i].cutoff, zeros[i], 1e-13) << i;
    EXPECT_EQ(round[i].name, names[i]);
  }
}

TEST(WaveguideModes, TravelAndDecayInTheRightSense) {
  const WaveguideMode mode(rectangle(22.86e-3, 10.16e-3), Family::te, 1, 0);
  const double k0 = 2 * pi * 10e9 / speed_of_light;
  const Complex gamma = mode.gamma(k0, 1, 1);
  EXPECT_NEAR(gamma.real(), 0, 1e-12);
  EXPECT_NEAR(gamma.imag(), std::sqrt(k0 * k0 - std::pow(pi / 22.86e-3, 2)), 1e-9);
  const Complex lossy = mode.gamma(k0, {1, -0.1}, 1);
  EXPECT_GT(lossy.real(), 0);
  EXPECT_GT(lossy.imag(), 0);
  EXPECT_GT(mode.gamma(0.5 * k0, 1, 1).real(), 0);
  // the wave impedance of TE is jωμ/γ, of TM γ/(jωε): their product is μ/ε
  const WaveguideMode tm(rectangle(22.86e-3, 10.16e-3), Family::tm, 1, 1);
  const WaveguideMode te(rectangle(22.86e-3, 10.16e-3), Family::te, 1, 1);
  const Complex product = tm.admittance(k0, 2.0, 1.5) * te.admittance(k0, 2.0, 1.5);
  EXPECT_LT(std::abs(product + k0 * k0 * 2.0 / 1.5), 1e-9 * std::abs(product));
}

TEST(PortShape, FindsTheRectangleOfABoxFace) {
  const auto box = mesh::make_box({.hi = {0.3, 0.1, 0.2}, .blocks = {3, 2, 2}});
  for (const auto& surface : box.surfaces) {
    if (surface.name != "y1") continue;
    const PortShape shape = detect_port_shape(box, surface, "port 1").value();
    EXPECT_EQ(shape.kind, PortShape::Kind::rectangle);
    EXPECT_NEAR(shape.width, 0.3, 1e-14);
    EXPECT_NEAR(shape.height, 0.2, 1e-14);
    EXPECT_NEAR(norm(shape.origin - Vec3<double>{0, 0.1, 0}), 0, 1e-14);
    EXPECT_NEAR(norm(shape.u - Vec3<double>{1, 0, 0}), 0, 1e-14);
    EXPECT_NEAR(norm(shape.v - Vec3<double>{0, 0, 1}), 0, 1e-14);
  }
}

TEST(PortShape, RefusesWhatIsNotPlaneAndKnowsNoOtherShapes) {
  const auto box = mesh::make_box({.hi = {0.3, 0.1, 0.2}, .blocks = {3, 2, 2}});
  for (const auto& surface : box.surfaces) {
    if (surface.name == "walls") {
      EXPECT_THROW(detect_port_shape(box, surface, "port 1"), InputError);
    }
    if (surface.name != "y1") continue;
    mesh::Region part = surface;
    part.entities.pop_back();  // a corner is missing
    EXPECT_FALSE(detect_port_shape(box, part, "port 1").has_value());
  }
}

}  // namespace
}  // namespace curlew::fem
