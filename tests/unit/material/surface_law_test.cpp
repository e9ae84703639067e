// SPDX-License-Identifier: BSD-3-Clause
// Walls, sheets and layers against closed forms and their limits.

#include "material/surface_law.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <string>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::material {
namespace {

SurfaceLawPtr read(const std::string& type, const std::string& text) {
  return read_surface_law(io::Config::parse(text, "b.toml"), type);
}

TEST(Wall, OfCopperIsThatOfPozar) {
  const auto wall = read("impedance", "conductivity = 5.8e7\n");
  const Complex zs = wall->impedance(10e9);
  EXPECT_NEAR(zs.real(), 0.02609, 1e-5);  // Pozar, section 1.7
  EXPECT_EQ(zs.real(), zs.imag());
  EXPECT_TRUE(wall->is_lossy() && wall->is_metal());
  EXPECT_EQ(wall->sides(10e9), Sides::apart);
  const auto rough =
      read("impedance", "conductivity = 5.8e7\nroughness = { model = \"hammerstad\", rms = 1e-3 }\n");
  EXPECT_NEAR(rough->impedance(10e9).real() / zs.real(), 2, 1e-3);
}

TEST(Wall, RefusesWhatIsNotOne) {
  EXPECT_THROW(read("impedance", ""), InputError);
  EXPECT_THROW(read("impedance", "surface_impedance = 0\n"), InputError);
  EXPECT_THROW(read("impedance", "surface_impedance = [-1, 2]\n"), InputError);
  EXPECT_THROW(read("impedance", "surface_impedance = 1\nconductivity = 1\n"), InputError);
}

/// Two lines in series: chain matrices of a quarter and three quarters of the layer make that of the whole.
TEST(Slab, ChainsLikeALine) {
  const Complex eps(4, -3), mu(1.5, -0.2);
  const double f = 3e9, d = 7e-3;
  const auto chain = [&](double thickness) {
    const auto z = slab_impedance(eps, mu, thickness, f);
    const Complex z11 = 0.5 * (z.even + z.odd), z12 = 0.5 * (z.even - z.odd);
    return std::array<Complex, 4>{z11 / z12, (z11 * z11 - z12 * z12) / z12, 1.0 / z12, z11 / z12};
  };
  const auto a = chain(d / 4), b = chain(3 * d / 4), whole = chain(d);
  EXPECT_LT(std::abs(a[0] * b[0] + a[1] * b[2] - whole[0]), 1e-12 * std::abs(whole[0]));
  EXPECT_LT(std::abs(a[0] * b[1] + a[1] * b[3] - whole[1]), 1e-12 * std::abs(whole[1]));
  EXPECT_LT(std::abs(a[2] * b[0] + a[3] * b[2] - whole[2]), 1e-12 * std::abs(whole[2]));
}

TEST(Slab, OpenAndShortHaveTheirLimits) {
  const double f = 3e9, d = 7e-3, k = 2 * pi * f / speed_of_light * 2;
  const auto z = slab_impedance(4.0, 1.0, d, f);
  EXPECT_LT(std::abs(z.open - Complex(0, -vacuum_impedance / 2 / std::tan(k * d))), 1e-9);
  EXPECT_LT(std::abs(z.odd - Complex(0, vacuum_impedance / 2 * std::tan(k * d / 2))), 1e-9);
}

TEST(Sheet, OfThickMetalIsAWallOnBothSidesAndThinMetalAResistance) {
  const double f = 10e9, sigma = 1e4, depth = Conductor{sigma}.skin_depth(f);
  const Complex zs = Conductor{sigma}.impedance(f);
  for (const double ratio : {30.0, 1000.0}) {
    const auto thick = make_layer([=](Complex) { return Complex(sigma); }, ratio * depth, true);
    const auto z = thick->coupled_impedance(f);
    EXPECT_LT(std::abs(1.0 / z.self_admittance() / zs - 1.0), 1e-9);
    EXPECT_LT(std::abs(z.transfer_admittance() * zs), 1e-9);  // 2 exp(-30)
    EXPECT_LT(std::abs(thick->impedance(f) / zs - 1.0), 1e-9);
    EXPECT_EQ(thick->sides(f), Sides::coupled);
  }
  const auto thin = read("sheet", "conductivity = 1e4\nthickness = 1e-6\n");  // depth 50 um
  EXPECT_EQ(thin->sides(f), Sides::joined);
  EXPECT_EQ(thin->sides(0), Sides::coupled);
  // 1/(σd) to d²/6δ²
  EXPECT_LT(std::abs(thin->joined_impedance(f) * sigma * 1e-6 - 1.0), std::pow(1e-6 / depth, 2) / 5.9);
  EXPECT_LT(std::abs(thin->impedance(f) * sigma * 1e-6 - 1.0), 4 * std::pow(1e-6 / depth, 2) / 5.9);
}

/// Without normal electrons: Zs = jωμ0 λ of a wall, and of a film ½ jωμ0 λ coth(d/2λ), its kinetic
/// inductance.
TEST(Superconductor, HasTheLimitsOfTheTwoFluidModel) {
  const double f = 10e9, london = 80e-9, t4 = std::pow(4.2 / 9.2, 4), depth = london / std::sqrt(1 - t4);
  const std::string text = "london_depth = 80e-9\ncritical_temperature = 9.2\ntemperature = 4.2\n";
  const Complex inductive(0, 2 * pi * f * vacuum_permeability * depth);
  EXPECT_LT(std::abs(read("superconductor", text)->impedance(f) / inductive - 1.0), 1e-12);
  EXPECT_FALSE(read("superconductor", text)->is_lossy());
  for (const double decay : {-1e-9, 1e-15, 1e-9, 1e-3}) {  // of modes: jω becomes complex
    const Complex ratio(1, decay);
    const Complex zs = read("superconductor", text)->impedance(f * ratio);
    EXPECT_LT(std::abs(zs / (ratio * inductive) - 1.0), 1e-12) << decay;
  }
  for (const double d : {5e-9, 200e-9}) {
    const auto film = read("superconductor", text + fmt::format("thickness = {}\n", d));
    EXPECT_LT(std::abs(film->joined_impedance(f) / (0.5 * inductive / std::tanh(d / (2 * depth))) - 1.0),
              1e-9);
  }
  // Rs = ½ ω²μ0²λ³ σn t⁴ for few normal electrons
  const auto lossy = read("superconductor", text + "conductivity = 1e6\n");
  const double rs = 0.5 * std::pow(2 * pi * f * vacuum_permeability, 2) * std::pow(depth, 3) * 1e6 * t4;
  EXPECT_NEAR(lossy->impedance(f).real() / rs, 1, 1e-3);
  EXPECT_THROW(read("superconductor", "london_depth = 80e-9\ncritical_temperature = 9.2\ntemperature = 10\n"),
               InputError);
}

TEST(Sheet, StaysAccurateWhereItIsVeryThin) {
  const double sigma = 5.8e7, d = 1e-12;
  const auto z = make_layer([=](Complex) { return Complex(sigma); }, d, true)->coupled_impedance(1e6);
  EXPECT_LT(std::abs(0.5 * z.even * sigma * d - 1.0), 1e-12);
  EXPECT_LT(std::abs(z.odd / Complex(0, pi * 1e6 * vacuum_permeability * d) - 1.0), 1e-12);
}

/// Zs of copper at 12 frequencies: between them sqrt(f) bends by (h/f)²/32 at most.
TEST(TabulatedImpedance, FollowsTheLawThatItSamples) {
  const Conductor copper{5.8e7};
  const std::string file = testing::TempDir() + "copper.csv", key = "table = \"" + file + "\"\n";
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  const std::string head = "frequency_hz,impedance_re,impedance_im\n";
  std::string rows = head;
  for (int i = 0; i < 12; ++i) {
    const double f = 1e9 * (1 + i);
    rows +=
        fmt::format("{:.17g},{:.17g},{:.17g}\n", f, copper.impedance(f).real(), copper.impedance(f).imag());
  }
  write(rows);
  const auto wall = read("tabulated_impedance", key);
  EXPECT_TRUE(wall->is_lossy());
  EXPECT_EQ(wall->sides(1e10), Sides::apart);
  EXPECT_LT(std::abs(wall->impedance(12e9) / copper.impedance(12e9) - 1.0), 1e-15);
  for (const double f : {1.5e9, 4.3e9, 11.7e9}) {
    EXPECT_LT(std::abs(wall->impedance(f) / copper.impedance(f) - 1.0), std::pow(1e9 / f, 2) / 30) << f;
    EXPECT_GT(std::abs(wall->impedance(f) / copper.impedance(f) - 1.0), 1e-5) << f;  // a chord, not the law
  }
  EXPECT_THROW(wall->impedance(0.9e9), InputError);
  EXPECT_THROW(wall->impedance(12.1e9), InputError);
  for (const char* bad : {"1e9,-1,0\n", "1e9,0,0\n", "2e9,1,0\n1e9,1,0\n", ""}) {
    write(head + bad);
    EXPECT_THROW(read("tabulated_impedance", key), InputError) << bad;
  }
  write("frequency_hz,re,im\n1e9,1,0\n");
  EXPECT_THROW(read("tabulated_impedance", key), InputError);
}

}  // namespace
}  // namespace curlew::material
