// SPDX-License-Identifier: BSD-3-Clause
// Media of [[material]]: against closed forms, with refusals and warnings.

#include "material/medium.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>
#include <string>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::material {
namespace {

Medium read(const std::string& text, MediumKind kind = MediumKind::tensor) {
  return read_medium(io::Config::parse(text, "m.toml"), kind);
}

/// Log messages while reading.
std::string warnings(const std::string& text) {
  std::ostringstream out;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(out)));
  read(text);
  spdlog::set_default_logger(before);
  return out.str();
}

TEST(Medium, LossesAddUp) {
  const std::string text =
      "epsilon_r = [2.5, -0.1]\nmu_r = 1.2\nloss_tangent = 0.02\nconductivity = 0.5\n"
      "model = { delta_epsilon = 70, relaxation_time = 1e-11 }\n";
  const double f = 1 / (2 * pi * 1e-11);  // the pole is 35 - 35j
  const Complex expected(2.5 + 35, -0.1 - 0.02 * 2.5 - 35 - 0.5 / (2 * pi * f * vacuum_permittivity));
  for (const auto kind : {MediumKind::tensor, MediumKind::isotropic, MediumKind::stated}) {
    const Medium medium = read(text, kind);
    EXPECT_LT(std::abs(medium.permittivity(f) - expected), 1e-12);
    EXPECT_EQ(medium.mu_r[0], 1.2);
  }
}

/// A gyrotropic tensor is lossless, and stays passive with a loss tangent.
TEST(Medium, LossTangentOfATensorIsThatOfItsHermitianPart) {
  const Medium medium =
      read("epsilon_r = [[2, [0, 0.5], 0], [[0, -0.5], 3, 0], [0, 0, 4]]\nloss_tangent = 0.1\n");
  const Tensor t = with_loss_tangent(medium.epsilon_r, medium.loss_tangent);
  EXPECT_LT(std::abs(t[0] - Complex(2, -0.2)), 1e-15);
  EXPECT_LT(std::abs(t[1] - Complex(0.05, 0.5)), 1e-15);  // 0.5j (1 - 0.1j)
  EXPECT_LT(std::abs(t[3] - Complex(-0.05, -0.5)), 1e-15);
}

/// diag(2, 5, 3) turned by 30 degrees about z in double precision.
TEST(Medium, ATurnedTensorIsSymmetric) {
  const Medium medium = read(
      "epsilon_r = [[2.7500000000000004, -1.2990381056766578, 1e-17], [-1.299038105676658, 4.25, 0], [0, 0, "
      "3]]\n"
      "mu_r = [[1.3, [0, 0.5], 0], [[0, -0.5], 1.3, 0], [0, 0, 1]]\n");
  EXPECT_EQ(medium.epsilon_r[1], medium.epsilon_r[3]);
  EXPECT_EQ(medium.epsilon_r[2], 0.0);
  EXPECT_EQ(medium.mu_r[1], -medium.mu_r[3]);
}

TEST(Medium, WarnsOfGainWithTheKey) {
  const auto text = warnings("epsilon_r = [1, 0.1]\n");
  for (const char* word : {"m.toml:1", "epsilon_r", "is gain"})
    EXPECT_NE(text.find(word), std::string::npos) << text;
  EXPECT_NE(warnings("\nmu_r = [[1, [0.1, 0.1], 0], [[0.1, 0.1], 1, 0], [0, 0, 1]]\n").find("m.toml:2"),
            std::string::npos);  // symmetric: loss matrix indefinite
  EXPECT_EQ(warnings("epsilon_r = [2, -0.1]\nmu_r = [1, -0.1]\n"), "");
  EXPECT_EQ(warnings("epsilon_r = [[2, [0, 0.5], 0], [[0, -0.5], 3, 0], [0, 0, 4]]\n"), "");
}

TEST(Medium, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(read("loss_tangent = -0.1\n"), InputError);
  EXPECT_THROW(read("conductivity = -1\n"), InputError);
  EXPECT_THROW(read("epsilon_r = 0\n"), InputError);
  EXPECT_THROW(read("mu_r = 2\n", MediumKind::stated), InputError);               // no epsilon_r
  EXPECT_EQ(read("conductivity = 1e4\n", MediumKind::stated).epsilon_r[0], 1.0);  // a metal
  EXPECT_THROW(read("epsilon_r = [2, 3, 4]\n", MediumKind::isotropic), InputError);
}

}  // namespace
}  // namespace curlew::material
