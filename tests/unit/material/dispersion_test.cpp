// SPDX-License-Identifier: BSD-3-Clause
// Poles against their limits and sum rules, tables, roughness, and refusals of the config reader.

#include "material/dispersion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/config.hpp"
#include "material/conductor.hpp"

namespace curlew::material {
namespace {

Dispersion read(const std::string& text) {
  return read_dispersion(io::Config::parse(text, "m.toml"));
}

TEST(Dispersion, PolesHaveTheirStaticAndResonantValues) {
  const auto drude = read("model = { plasma_frequency = 2e9, damping = 1e8 }");
  // far above the plasma frequency it is transparent, at low frequency a conductor: -jσ/ωε0, σ = ε0 ωp²/γ
  EXPECT_LT(std::abs(drude.permittivity(1e13)), 1e-7);
  const Complex low = drude.permittivity(1e3);
  EXPECT_NEAR(low.imag() / -(2e9 * 2e9 / (1e8 * 1e3)), 1, 1e-6);
  // without collisions ε = 1 - 1 = 0 at the plasma frequency
  EXPECT_NEAR(std::abs(1.0 + read("model = { plasma_frequency = 2e9 }").permittivity(2e9)), 0, 1e-14);
  const auto lorentz = read("model = { delta_epsilon = 3.0, resonance_frequency = 1e9, damping = 1e7 }");
  EXPECT_NEAR(std::abs(lorentz.permittivity(1.0) - 3.0), 0, 1e-9);
  EXPECT_NEAR(std::abs(lorentz.permittivity(1e9) - Complex(0, -300)), 0, 1e-9);  // -jΔε ω0/γ
  const auto debye = read("model = { delta_epsilon = 70, relaxation_time = 1e-11 }");
  EXPECT_NEAR(std::abs(debye.permittivity(1 / (2 * pi * 1e-11)) - Complex(35, -35)), 0, 1e-9);
}

/// Kramers and Kronig: Δε'(0) = -(2/π) ∫ ε''/ω dω for every passive pole sum.
TEST(Dispersion, PolesAreCausal) {
  const auto sum = read(
      "model = [{ delta_epsilon = 2.0, relaxation_time = 1e-10 },\n"
      "         { delta_epsilon = 1.5, resonance_frequency = 5e9, damping = 1e9 }]");
  ASSERT_EQ(sum.poles.size(), 2U);
  double integral = 0;
  constexpr int n = 40000;
  for (int i = 0; i < n; ++i) {  // in ln ω
    const double f = 1e4 * std::pow(1e10, (i + 0.5) / n);
    integral += -sum.permittivity(f).imag() * std::log(1e10) / n;
  }
  EXPECT_NEAR(2 / pi * integral, 3.5, 1e-3);
}

TEST(Dispersion, TableIsLinearAndEnds) {
  const auto file = std::filesystem::temp_directory_path() / "curlew-dispersion-test.csv";
  std::ofstream(file) << "frequency_hz,epsilon_re,epsilon_im\n1e9,4,-0.1\n2e9,3,-0.3\n";
  const auto table = read("table = \"" + file.string() + "\"");
  EXPECT_NEAR(std::abs(table.permittivity(1.5e9) - Complex(3.5, -0.2)), 0, 1e-12);
  EXPECT_NEAR(std::abs(table.permittivity(2e9) - Complex(3, -0.3)), 0, 1e-12);
  EXPECT_THROW(table.permittivity(2.1e9), InputError);
  EXPECT_THROW(table.permittivity(0.9e9), InputError);
  std::ofstream(file) << "frequency_hz,epsilon_re,epsilon_im\n1e9,4,0.1\n";
  EXPECT_THROW(read("table = \"" + file.string() + "\""), InputError);  // gain
  std::filesystem::remove(file);
}

TEST(Dispersion, RefusesWhatIsNotPassive) {
  EXPECT_THROW(read("model = { plasma_frequency = -1e9 }"), InputError);
  EXPECT_THROW(read("model = { plasma_frequency = 1e9, damping = -1.0 }"), InputError);
  EXPECT_THROW(read("model = { delta_epsilon = -1.0, relaxation_time = 1e-9 }"), InputError);
  EXPECT_THROW(read("model = { plasma_frequency = 1e9, relaxation_time = 1e-9 }"), InputError);
}

TEST(Roughness, GoesFromSmoothToItsLimit) {
  const Roughness hammerstad{Roughness::Model::hammerstad, 1e-6}, groiss{Roughness::Model::groiss, 1e-6},
      huray{Roughness::Model::huray, 0, 0.5e-6, 2.0};
  for (const auto& r : {hammerstad, groiss, huray}) EXPECT_NEAR(r.factor(1.0), 1, 1e-3);
  EXPECT_NEAR(hammerstad.factor(1e-9), 2, 1e-5);
  EXPECT_NEAR(groiss.factor(1e-9), 2, 1e-5);
  EXPECT_NEAR(huray.factor(1e-10), 1 + 1.5 * 2.0, 1e-2);
  EXPECT_NEAR(hammerstad.factor(1e-6), 1 + 2 / pi * std::atan(1.4), 1e-14);
  EXPECT_NEAR(huray.factor(0.5e-6), 1 + 3 / 2.5, 1e-14);
}

}  // namespace
}  // namespace curlew::material
