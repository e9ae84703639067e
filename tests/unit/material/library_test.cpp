// SPDX-License-Identifier: BSD-3-Clause
// The library of materials: values by other sources, keys that win over it, every refusal.
#include "material/library.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "material/medium.hpp"
#include "material/surface_law.hpp"

namespace curlew::material {
namespace {

io::Config applied(const std::string& toml, const std::string& program = "fem-solve") {
  io::Config config = io::Config::parse(toml, "a.toml");
  apply_library(config, program);
  return config;
}

Complex permittivity(const std::string& table, double frequency) {
  return read_medium(applied("[[material]]\n" + table).tables("material")[0], MediumKind::tensor)
      .permittivity(frequency);
}

std::string refusal(const std::string& toml, const std::string& program = "fem-solve") {
  try {
    applied(toml, program);
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Library, HasSourcesAndOneMeaningPerName) {
  for (const auto& entry : library()) {
    EXPECT_FALSE(entry.source.empty()) << entry.name;
    EXPECT_EQ(find_material(entry.name), &entry);
    if (entry.rows.empty()) continue;
    const auto table = optical_table(entry);
    for (std::size_t i = 0; i < table.frequencies.size(); ++i) {
      EXPECT_TRUE(i == 0 || table.frequencies[i] > table.frequencies[i - 1]) << entry.name;
      EXPECT_LT(table.permittivities[i].imag(), 0) << entry.name;
    }
  }
  EXPECT_EQ(find_material("rt-duroid5880"), find_material("RT/duroid 5880"));
  EXPECT_EQ(find_material("Alumina 99.5%"), find_material("alumina"));
  EXPECT_EQ(find_material("unobtainium"), nullptr);
}

/// Copper at 10 GHz has a skin depth of 0.66 um and a surface resistance of 26.1 mohm (2.61e-7 sqrt(f);
/// Balanis, Pozar).
TEST(Library, MetalsMakeWalls) {
  const auto config = applied("[[boundary]]\ntype = \"impedance\"\nmaterial = \"copper\"\n");
  const Complex z = read_wall(config.tables("boundary")[0])->impedance(1e10);

  EXPECT_NEAR(z.real(), 0.0261, 0.0001);
  EXPECT_NEAR(z.imag(), z.real(), 1e-15);
}

/// Johnson and Christy's gold at 1.88 eV, as usually quoted: -13.65 - 1.04j.
TEST(Library, NobleMetalsFollowTheirTables) {
  const Complex at_row = permittivity("material = \"gold (optical)\"\n", speed_of_light / 0.6595e-6);
  EXPECT_NEAR(at_row.real(), -13.65, 0.01);
  EXPECT_NEAR(at_row.imag(), -1.035, 0.005);

  // Between rows: silver is a Drude metal at 1.5 um, so that -Re eps falls as the square of the frequency.
  const Complex silver = permittivity("material = \"silver (optical)\"\n", speed_of_light / 1.5e-6);
  EXPECT_NEAR(silver.real(), -102 * std::pow(1.5 / 1.393, 2), 6);
}

/// The peak of the losses of water lies at 1/(2 pi tau) = 19.2 GHz and is half the step of the permittivity.
TEST(Library, WaterIsADebyeMedium) {
  const double peak = 1 / (2 * pi * 8.27e-12);
  const Complex value = permittivity("material = \"water\"\n", peak);

  EXPECT_NEAR(peak, 19.24e9, 0.01e9);
  EXPECT_NEAR(value.real(), (78.36 + 5.2) / 2, 1e-9);
  EXPECT_NEAR(value.imag(), -(78.36 - 5.2) / 2, 1e-9);
  EXPECT_NEAR(permittivity("material = \"water\"\n", 1e6).real(), 78.36, 1e-4);
}

TEST(Library, KeysOfTheTableWin) {
  EXPECT_EQ(permittivity("material = \"FR4\"\n", 1e9), Complex(4.4, -0.02 * 4.4));
  EXPECT_EQ(permittivity("material = \"FR4\"\nloss_tangent = 0\n", 1e9), Complex(4.4, 0));
  EXPECT_EQ(permittivity("material = \"FR4\"\nepsilon_r = 4\n", 1e9), Complex(4, -0.08));
  const auto config =
      applied("[[boundary]]\ntype = \"impedance\"\nmaterial = \"copper\"\nconductivity = 1e7\n");
  EXPECT_EQ(config.tables("boundary")[0].get<double>("conductivity"), 1e7);
}

TEST(Library, ResolvedTextReadsBackTheSame) {
  const auto config =
      applied("[[material]]\nmaterial = \"gold (optical)\"\n[[material]]\nmaterial = \"water\"\n");
  const auto again = applied(config.to_toml());

  EXPECT_EQ(again.to_toml(), config.to_toml());
  const double green = speed_of_light / 0.5486e-6;
  EXPECT_EQ(read_medium(again.tables("material")[0], MediumKind::tensor).permittivity(green),
            permittivity("material = \"gold (optical)\"\n", green));
}

TEST(Library, RefusesUnknownNamesWithTheNearest) {
  EXPECT_EQ(refusal("[[material]]\nmaterial = \"coper\"\n"),
            "a.toml:2: material 1: material = \"coper\" is not in the library (nearest: copper, chromium, "
            "solder; all: --materials)");
  EXPECT_EQ(
      refusal("[[material]]\nmaterial = \"duroid\"\n"),
      "a.toml:2: material 1: material = \"duroid\" is not in the library (nearest: RT/duroid 5870, RT/duroid "
      "5880, RT/duroid 6002; all: --materials)");
  EXPECT_NE(refusal("[[material]]\nmaterial = \"RO5880\"\n").find("(nearest: RT/duroid 5880, "),
            std::string::npos);
}

TEST(Library, RefusesFrequenciesBeyondItsData) {
  EXPECT_EQ(refusal("[[material]]\nmaterial = \"gold (optical)\"\n[frequency]\nvalues = [1e9]\n"),
            "a.toml:2: material 1: gold (optical) is known from 154.8 THz to 1595 THz, not at 1 GHz: "
            "give its constants yourself");
  EXPECT_EQ(
      refusal("[[boundary]]\ntype = \"impedance\"\nmaterial = \"gold\"\n[frequency]\nvalues = [1e9, 3e14]\n"),
      "a.toml:3: boundary 1: gold is known from 0 Hz to 1 THz, not at 300 THz: give its constants yourself");
  EXPECT_EQ(refusal("[[material]]\nmaterial = \"FR4\"\n[frequency]\nvalues = [2e9]\n"), "nothing");
  EXPECT_THROW(permittivity("material = \"gold (optical)\"\n", 1e9), InputError) << "without [frequency]";
}

TEST(Library, RefusesMaterialsThatThePlaceHasNoUseFor) {
  EXPECT_EQ(
      refusal("[[boundary]]\ntype = \"pec\"\nmaterial = \"copper\"\n"),
      "a.toml:3: boundary 1: type = \"pec\" has no material: a wall of metal is type = \"impedance\", and a "
      "film has a [[material]] with its region");
  EXPECT_EQ(
      refusal("[[boundary]]\ntype = \"impedance\"\nmaterial = \"FR4\"\n"),
      "a.toml:3: boundary 1: FR4 is not a conductor: a wall takes copper, silver, ... (all: --materials)");
  EXPECT_EQ(refusal("[[boundary]]\ntype = \"sheet\"\nmaterial = \"copper\"\nsurface_impedance = 1\n"),
            "a.toml:3: boundary 1: give material or surface_impedance, not both");
}

TEST(Library, ErrorsOfItsKeysNameTheMaterial) {
  const auto config = applied("[[material]]\nmaterial = \"gold (optical)\"\nepsilon_r = 2\n");
  try {
    read_medium(config.tables("material")[0], MediumKind::tensor);
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "a.toml:2 (material \"gold (optical)\"): material 1: a table is the complete permittivity: "
              "leave out epsilon_r and loss_tangent");
  }
}

}  // namespace
}  // namespace curlew::material
