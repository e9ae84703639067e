// SPDX-License-Identifier: BSD-3-Clause
// S that is not its transpose, in files and summary: a plane wave through a slab of ferrite that is
// magnetised along its direction, which turns the polarisation by the same sense in both directions.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

constexpr double frequency = 10e9, mu = 1.3, kappa = 0.5, epsilon = 4, thickness = 4e-3, air = 4e-3;

const char* const slab_geo = R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 4, 4, 4};
Box(2) = {0, 0, 4, 4, 4, 4};
Box(3) = {0, 0, 8, 4, 4, 4};
v() = BooleanFragments{ Volume{1}; Delete; }{ Volume{2, 3}; Delete; };
e = 1e-3;
left() = Surface In BoundingBox{-e, -e, -e, e, 4 + e, 12 + e};
right() = Surface In BoundingBox{4 - e, -e, -e, 4 + e, 4 + e, 12 + e};
front() = Surface In BoundingBox{-e, -e, -e, 4 + e, e, 12 + e};
back() = Surface In BoundingBox{-e, 4 - e, -e, 4 + e, 4 + e, 12 + e};
Periodic Surface{right()} = {left()} Translate{4, 0, 0};
Periodic Surface{back()} = {front()} Translate{0, 4, 0};
Physical Volume("air") = {1, 3};
Physical Volume("ferrite") = {2};
Physical Surface("left") = {left()};
Physical Surface("right") = {right()};
Physical Surface("front") = {front()};
Physical Surface("back") = {back()};
Physical Surface("bottom") = Surface In BoundingBox{-e, -e, -e, 4 + e, 4 + e, e};
Physical Surface("top") = Surface In BoundingBox{-e, -e, 12 - e, 4 + e, 4 + e, 12 + e};
)";

const char* const slab_toml = R"([mesh]
file = "slab.geo"
unit = "mm"
size = 4
[space]
order = 3
[[material]]
region = "air"
[[material]]
region = "ferrite"
epsilon_r = 4
mu_r = [[1.3, [0, 0.5], 0], [[0, -0.5], 1.3, 0], [0, 0, 1]]
[[periodic]]
primary = "left"
secondary = "right"
[[periodic]]
primary = "front"
secondary = "back"
[[port]]
region = "top"
type = "floquet"
modes = 2
[[port]]
region = "bottom"
type = "floquet"
modes = 2
[frequency]
values = [10e9]
[output]
fields = false
[accuracy]
estimate = "off"
)";

/// Reflection and transmission between the faces of the slab for the polarisation that sees one μ.
std::array<Complex, 2> slab_of(double mu_of_wave) {
  const double k = 2 * pi * frequency / speed_of_light, eta = std::sqrt(mu_of_wave / epsilon);
  const Complex rho = (eta - 1) / (eta + 1),
                p = std::polar(1.0, -k * std::sqrt(mu_of_wave * epsilon) * thickness),
                denominator = 1.0 - rho * rho * p * p;
  return {rho * (1.0 - p * p) / denominator, (1.0 - rho * rho) * p / denominator};
}

/// S of the modes y and x (TE, TM) at the top, then at the bottom. With B = μ0 [[μ, jκ], [-jκ, μ]] H the
/// fields (1, ∓j) see μ ± κ, whichever way they travel: a slab that acts as M± on them takes E_y to
/// E_x = j (M+ - M-)/2 and E_x to E_y = -j (M+ - M-)/2. Source: Pozar (2012), Microwave Engineering, 9.2.
std::array<std::array<Complex, 4>, 4> exact_s() {
  const auto plus = slab_of(mu + kappa), minus = slab_of(mu - kappa);
  const Complex delay = std::polar(1.0, -2 * (2 * pi * frequency / speed_of_light) * air);
  std::array<std::array<Complex, 4>, 4> s{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t through = i / 2 != j / 2 ? 1 : 0;
      const Complex same = 0.5 * (plus[through] + minus[through]),
                    turned = Complex(0, 0.5) * (plus[through] - minus[through]);
      s[i][j] = delay * (i % 2 == j % 2 ? same : i % 2 == 1 ? turned : -turned);
    }
  }
  return s;
}

class Nonreciprocal : public SummaryTest {};

TEST_F(Nonreciprocal, FilesAndSummaryHaveSOfFaradayRotationAndNotItsTranspose) {
  write("slab.geo", slab_geo);
  write("slab.toml", slab_toml);
  const Ended ended = run("fem-solve slab.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto exact = exact_s();
  ASSERT_GT(std::abs(exact[3][0] - exact[0][3]), 0.2);  // far from reciprocal
  const auto file = test::read_touchstone(path("out/slab.s4p"));
  const auto results = this->results();
  const auto& stated = results["s_parameters"][0];
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const std::string key = "s" + std::to_string(i + 1) + "_" + std::to_string(j + 1);
      const Complex summary(stated[key][0], stated[key][1]);
      EXPECT_LT(std::abs(file.at(0, int(i), int(j)) - exact[i][j]), 5e-4) << key << " of the Touchstone file";
      EXPECT_LT(std::abs(summary - exact[i][j]), 5e-4) << key << " of the summary";
    }
  }
}

/// Passes from geometry and frequency alone; the error bars of all of S cover the errors and are not far too
/// wide. The dual problem has the opposite bias.
TEST_F(Nonreciprocal, PassesAndBarsByDefault) {
  write("slab.geo", slab_geo);
  std::string config = slab_toml;
  for (const char* left_out : {"size = 4\n", "[space]\norder = 3\n", "[accuracy]\nestimate = \"off\"\n"})
    config.erase(config.find(left_out), std::string(left_out).size());
  write("slab.toml", config);
  const Ended ended = run("fem-solve slab.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto exact = exact_s();
  const auto file = test::read_touchstone(path("out/slab.s4p"));
  const auto bars = io::read_csv(path("out/errors.csv"));
  double worst = 0, widest = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double error = std::abs(file.at(0, i, j) - exact[std::size_t(i)][std::size_t(j)]);
      const auto name = "S" + std::to_string(i + 1) + std::to_string(j + 1);
      const auto row = std::ranges::find(bars.text.at("quantity"), name) - bars.text.at("quantity").begin();
      ASSERT_LT(std::size_t(row), bars.num_rows) << name;
      const double bar = bars.numbers("error")[std::size_t(row)];
      EXPECT_LT(error, bar) << name;
      worst = std::max(worst, error), widest = std::max(widest, bar);
    }
  EXPECT_LT(worst, 0.02);
  EXPECT_LT(widest, 10 * worst);
}

}  // namespace
}  // namespace curlew::test
