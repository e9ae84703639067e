// SPDX-License-Identifier: BSD-3-Clause
#include "io/pattern_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::io {
namespace {

const Provenance origin{"fem-solve", "dipole.toml", ""};

/// A short dipole of moment 1 A m along z, 80 % of the accepted power radiated, half of the incident
/// accepted; phi varies fastest, as no other program has it.
std::vector<FarFieldRow> dipole(double frequency, const std::string& port) {
  std::vector<FarFieldRow> rows;
  const double k = 2 * pi * frequency / speed_of_light;
  for (int t = 0; t <= 180; t += 2) {
    for (int p = 0; p <= 355; p += 5) {
      const double sine = std::sin(t * pi / 180), d = 1.5 * sine * sine;
      const Complex e(0, vacuum_impedance * k * sine / (4 * pi));
      rows.push_back({frequency, port, double(t), double(p), e, 0.0, d, 0.8 * d, 0.4 * d, 99});
    }
  }
  return rows;
}

/// The lines that hold nothing but numbers.
std::vector<std::vector<double>> number_lines(const std::string& text) {
  std::vector<std::vector<double>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<double> numbers;
    for (double x = 0; words >> x;) numbers.push_back(x);
    if (!numbers.empty() && words.eof()) lines.push_back(numbers);
  }
  return lines;
}

/// [W] of peak fields E r [V] on rows (.., theta, ..., re, im, re, im): midpoint in phi, trapezia in theta.
double radiated(const std::vector<std::vector<double>>& rows, std::size_t theta, std::size_t fields) {
  double sum = 0;
  for (const auto& r : rows) {
    double squared = 0;
    for (std::size_t i = 0; i < 4; ++i) squared += r[fields + i] * r[fields + i];
    sum += squared / (2 * vacuum_impedance) * std::sin(r[theta] * pi / 180);
  }
  return sum * (2 * pi / 180) * (5 * pi / 180);
}

TEST(PatternFiles, FekoFileCarriesTheFieldAndTheGainInThetaFirstOrder) {
  auto rows = dipole(1e9, "port1");
  const auto more = dipole(2e9, "port1");
  rows.insert(rows.end(), more.begin(), more.end());
  const std::string text = feko_pattern(rows, origin);
  EXPECT_EQ(text.rfind("##File Type: Far field\n##File Format: 3\n", 0), 0u);
  EXPECT_NE(text.find("#Frequency: 2.000000000E+09\n"), std::string::npos);
  EXPECT_NE(text.find("#No. of Theta Samples: 91\n#No. of Phi Samples: 72\n"), std::string::npos);
  const auto lines = number_lines(text);
  ASSERT_EQ(lines.size(), 2u * 91 * 72);
  EXPECT_EQ(lines[1][0], 2);   // theta first
  EXPECT_EQ(lines[91][1], 5);  // then phi
  const auto& broadside = lines[45];
  ASSERT_EQ(broadside.size(), 9u);
  EXPECT_NEAR(broadside[8], 10 * std::log10(0.8 * 1.5), 1e-7);
  EXPECT_NEAR(broadside[6], broadside[8], 1e-7);  // all of it in theta
  EXPECT_EQ(broadside[7], -300);
  // Power of a moment Il: eta k^2 |Il|^2/(12 pi) (Balanis, Antenna Theory, section 4.2).
  const double k = 2 * pi * 1e9 / speed_of_light;
  EXPECT_NEAR(
      radiated({lines.begin(), lines.begin() + 91 * 72}, 0, 2) / (vacuum_impedance * k * k / (12 * pi)), 1,
      1e-6);
}

TEST(PatternFiles, CstFileStatesThePowersThatItsFieldsCarry) {
  auto rows = dipole(1e9, "port1");
  const auto more = dipole(2e9, "port1");
  rows.insert(rows.end(), more.begin(), more.end());
  const std::string text = cst_pattern(rows, origin);
  EXPECT_NE(text.find("// Version:\n3.0\n"), std::string::npos);
  EXPECT_NE(text.find("// #Frequencies\n2\n"), std::string::npos);
  EXPECT_NE(text.find("// >> Total #phi samples, total #theta samples\n72 91\n"), std::string::npos);
  const auto lines = number_lines(text);
  std::vector<double> powers;
  std::vector<std::vector<double>> fields;
  for (const auto& line : lines) {
    if (line.size() == 1) powers.push_back(line[0]);
    if (line.size() == 6) fields.push_back(line);
  }
  ASSERT_EQ(powers.size(), 10u);  // the version, the number of frequencies, twice four
  ASSERT_EQ(fields.size(), 2u * 91 * 72);
  EXPECT_EQ(fields[1][1], 2);  // theta first
  const double sum = radiated({fields.begin(), fields.begin() + 91 * 72}, 1, 2);
  EXPECT_NEAR(powers[2] / sum, 1, 1e-6);
  EXPECT_NEAR(powers[3] / powers[2], 1 / 0.8, 1e-8);
  EXPECT_NEAR(powers[4] / powers[2], 1 / 0.4, 1e-8);
  EXPECT_EQ(powers[5], 1e9);
}

TEST(PatternFiles, DirectionsThatAreNoGridAreRefused) {
  auto rows = dipole(1e9, "port1");
  rows.pop_back();
  EXPECT_THROW(feko_pattern(rows, origin), InputError);
  EXPECT_THROW(cst_pattern(rows, origin), InputError);
}

TEST(PatternFiles, FormatsAreReadFromTheConfig) {
  const auto read = [](const std::string& text) { return read_pattern_formats(Config::parse(text)); };
  const auto both = read("[output]\nformats = [\"ffs\", \"ffe\", \"touchstone2\"]\n");
  EXPECT_TRUE(both.ffe && both.ffs);
  EXPECT_FALSE(read("[output]\nfields = true\n").ffe);
  EXPECT_THROW(read("[output]\nformats = [\"fff\"]\n"), InputError);
}

}  // namespace
}  // namespace curlew::io
