// SPDX-License-Identifier: BSD-3-Clause
// Contours without cells: passes by default, against series that share nothing with the cells, and against
// many more cells.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "run_summary.hpp"
#include "series.hpp"

namespace curlew::test {
namespace {

using mom2d::series::Long;

/// Echo widths [wavelengths] at 0, 1, ... 359 degrees of a circle, wave from phi = 0: outside J + a H, inside
/// b J, u and u'/factor continuous; factor = 1 (TM) or epsilon (TE).
/// Source: Harrington (1961), Time-Harmonic Electromagnetic Fields, section 5-9.
std::vector<double> circle_widths(double ka, bool te, std::optional<double> epsilon) {
  namespace series = mom2d::series;
  const int last = series::num_terms(ka * std::sqrt(epsilon.value_or(1)));
  const auto j = series::bessel_j(last + 1, Long(ka));
  const auto y = series::bessel_y(last + 1, ka);
  const Long inner(ka * std::sqrt(epsilon.value_or(1)));
  const auto within = series::bessel_j(last + 1, inner);
  std::vector<Long> a;
  for (int m = 0; m <= last; ++m) {
    const auto b = series::j_pair(j, m, Long(ka)), h = series::h_pair(j, y, m, ka),
               c = series::j_pair(within, m, inner);
    // weights of u and of u' whose sum vanishes outside
    const Long of_u = epsilon ? c.d * (long double)(te ? 1 / std::sqrt(*epsilon) : std::sqrt(*epsilon))
                              : Long(te ? 0 : 1),
               of_d = epsilon ? -c.f : Long(te ? 1 : 0);
    a.push_back((m == 0 ? 1.0L : 2.0L) * (m % 2 ? -1.0L : 1.0L) * (of_u * b.f + of_d * b.d) /
                (of_u * h.f + of_d * h.d));
  }
  std::vector<double> widths;
  for (int degrees = 0; degrees < 360; ++degrees) {
    Long sum = 0;
    for (int m = last; m >= 0; --m)
      sum += a[std::size_t(m)] * std::cos(m * degrees * (long double)(pi / 180));
    widths.push_back(2 / pi * double(std::norm(sum)));
  }
  return widths;
}

class Mom2dPasses : public SummaryTest {
 protected:
  std::vector<double> widths(const std::string& folder = "out") const {
    return io::read_csv(path(folder + "/echo_width.csv")).numbers("width_m");
  }
  void expect_converged(const std::string& command) const {
    const Ended ended = run("mom2d " + command + " --device cpu --no-report -o out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_TRUE(results()["refinement"]["converged"]) << ended.out;
    EXPECT_FALSE(exists("out/refinement.h5"));
  }
  /// In all directions 0.2 dB of the greatest, within the error bars of the passes.
  void expect_widths(const std::vector<double>& exact, const std::string& what) const {
    const auto found = widths();
    ASSERT_EQ(found.size(), exact.size());
    double error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) error = std::max(error, std::abs(found[i] - exact[i]));
    error /= *std::max_element(exact.begin(), exact.end());
    EXPECT_LT(error, 0.047) << what;
    if (results().contains("refinement")) {
      EXPECT_LT(error, results()["refinement"]["estimated_error"].get<double>()) << what;
    }
    const auto bars = io::read_csv(path("out/errors.csv"));
    const auto& names = bars.text.at("quantity");
    for (const auto& [name, degrees] : {std::pair{"backscatter", 0}, {"forward", 180}}) {
      const auto row = std::find_if(names.begin(), names.end(), [&](const std::string& of) {
        return of.find(name) != std::string::npos;
      });
      ASSERT_NE(row, names.end()) << name;
      // Of the amplitude's size, in the same unit as its value.
      const auto at = std::size_t(row - names.begin()), d = std::size_t(degrees);
      const double ratio = std::sqrt(exact[d] / found[d]);
      EXPECT_LT(std::abs(ratio - 1) * bars.numbers("value")[at], bars.numbers("error")[at]) << what << name;
    }
  }
};

std::string problem(const std::string& contour, const std::string& formulation,
                    const std::string& polarization = "tm") {
  return "[mesh]\nunit = 'wavelength'\n[[contour]]\nname = 'body'\n" + contour + "\n[formulation]\n" +
         formulation + "\n[excitation]\npolarization = '" + polarization + "'\n";
}

TEST_F(Mom2dPasses, CirclesHaveTheEchoWidthsOfTheSeries) {
  for (const std::string method : {"lcn", "mom"})
    for (const bool te : {false, true})
      for (const bool metal : {true, false})
        for (const double ka : {0.1, 1.0, 8.0}) {
          const auto what =
              method + (te ? " te " : " tm ") + (metal ? "metal " : "glass ") + std::to_string(ka);
          write("circle.toml", problem("type = 'circle'\nradius = '" + std::to_string(ka) + " / (2 * pi)'" +
                                           (metal ? "" : "\nmaterial = 'glass'"),
                                       "method = '" + method + "'", te ? "te" : "tm") +
                                   (metal ? "" : "[[material]]\nregion = 'glass'\nepsilon_r = 4\n"));
          expect_converged("circle.toml");
          expect_widths(circle_widths(ka, te, metal ? std::nullopt : std::optional(4.0)), what);
        }
}

/// Full solutions of a smooth contour have errors of 1e-8; between them the model of the sweep has 1e-4.
TEST_F(Mom2dPasses, BarsBetweenFullSolutionsOfASweepContainTheErrorOfItsModel) {
  write("band.toml",
        "[mesh]\nunit = 'm'\n[[contour]]\nname = 'body'\ntype = 'circle'\nradius = 0.1\n"
        "[formulation]\nmethod = 'lcn'\n[frequency]\nstart = 0.3e9\nstop = 3e9\npoints = 41\n"
        "[excitation]\npolarization = 'tm'\n");
  expect_converged("band.toml");
  const auto bars = io::read_csv(path("out/errors.csv"));
  const auto& names = bars.text.at("quantity");
  const auto frequencies = bars.numbers("frequency_hz"), values = bars.numbers("value"),
             errors = bars.numbers("error");
  int within = 0, all = 0;
  double greatest = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].rfind("backscatter", 0) != 0) continue;
    const double ka = 0.1 * 2 * pi * frequencies[i] / speed_of_light;
    const double exact = std::sqrt(8 * pi * circle_widths(ka, false, std::nullopt)[0]);
    greatest = std::max(greatest, std::abs(values[i] - exact) / exact);
    within += std::abs(values[i] - exact) <= errors[i], ++all;
  }
  EXPECT_EQ(all, 41);
  EXPECT_GE(within, 39);  // 95 %
  EXPECT_LT(greatest, 1e-2);
  EXPECT_GT(greatest, 1e-7);
}

/// Edges and corners against fourfold cells, whose rounding errors the condition of 4e8 raises to 1e-8.
TEST_F(Mom2dPasses, StripsAndSquaresAreThoseOfManyCells) {
  for (const std::string shape : {"type = 'strip'\npoints = [[-0.8, 0], [0.8, 0]]",
                                  "type = 'rectangle'\nsize = [0.7, 0.7]\nrotation = 20"})
    for (const std::string polarization : {"tm", "te"}) {
      write("many.toml", problem(shape + "\ncells = 32\ngrading = 16", "", polarization));
      const Ended many =
          run("mom2d many.toml --device cpu --no-report -o many --set accuracy.estimate=off "
              "--set excitation.phi=[30]");
      ASSERT_EQ(many.status, 0) << many.err;
      EXPECT_FALSE(results("many").contains("refinement"));
      for (const std::string method : {"lcn", "mom"}) {
        write("few.toml", problem(shape, "method = '" + method + "'", polarization));
        expect_converged("few.toml --set excitation.phi=[30]");
        const auto exact = widths("many"), found = widths();
        double error = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) error = std::max(error, std::abs(found[i] - exact[i]));
        error /= *std::max_element(exact.begin(), exact.end());
        EXPECT_LT(error, 0.047) << shape << polarization << method;
        EXPECT_LT(error, results()["refinement"]["estimated_error"].get<double>() + 1e-8)
            << shape << polarization << method;
      }
    }
}

/// Corners of conductors: the innermost cells' error falls as h^(π/γ) only, by 1.59 for halves at 90 degrees
/// and 1.48 at 40, so that twice the change was no bar. Cells halved 40 times have none; E along the edges
/// does not suffer from their rounding.
TEST_F(Mom2dPasses, BarsCoverTheCornersOfConductors) {
  for (const std::string shape :
       {"type = 'rectangle'\nsize = [0.3, 0.3]", "type = 'rectangle'\nsize = [0.8, 0.008]",
        "type = 'polyline'\npoints = [[0, 0], [0.4, 0], [0.1, 0.25]]\nclosed = true"}) {
    write("deep.toml", problem(shape + "\ncells = 12\ngrading = 40", ""));
    ASSERT_EQ(run("mom2d deep.toml --device cpu --no-report -o deep --set accuracy.estimate=off").status, 0);
    const auto exact = widths("deep");
    for (const std::string cells : {"", "\ncells = 4"}) {
      write("few.toml", problem(shape + cells, ""));
      const std::string estimate = cells.empty() ? "" : " --set accuracy.estimate=all";
      ASSERT_EQ(run("mom2d few.toml --device cpu --no-report -o out" + estimate).status, 0);
      expect_widths(exact, shape + cells);
    }
  }
}

/// Twenty sides of an outline of 2.3 wavelengths have one cell each in the first pass: the next has two, else
/// the change would be 0.
TEST_F(Mom2dPasses, EverySideOfAnOutlineIsHalved) {
  std::string points;
  for (int i = 0; i < 20; ++i) {
    const double t = 2 * pi * i / 20, r = 0.3 + 0.08 * std::cos(3 * t);
    points += fmt::format("{}[{}, {}]", i ? ", " : "", r * std::cos(t), r * std::sin(t));
  }
  const std::string outline = "type = 'spline'\nclosed = true\npoints = [" + points + "]";
  write("many.toml", problem(outline + "\ncells = 120", "", "te"));
  ASSERT_EQ(run("mom2d many.toml --device cpu --no-report -o many --set accuracy.estimate=off").status, 0);
  write("few.toml", problem(outline, "nodes = 2", "te"));
  expect_converged("few.toml");
  expect_widths(widths("many"), "outline");
  const auto unknowns = io::read_csv(path("out/passes.csv")).numbers("unknowns");
  EXPECT_EQ(unknowns.at(1), 2 * unknowns.at(0));
}

/// 0.2 dB takes few cells at corners, where all of them were graded 16 times (4352 unknowns).
TEST_F(Mom2dPasses, CornersAreResolvedAsFarAsTheToleranceNeeds) {
  const std::string glass = "[[material]]\nregion = 'glass'\nepsilon_r = 4\n";
  const std::string square = "type = 'rectangle'\nsize = [1, 1]\nmaterial = 'glass'";
  write("many.toml", problem(square + "\ncells = 16\ngrading = 12", "", "te") + glass);
  ASSERT_EQ(run("mom2d many.toml --device cpu --no-report -o many --set accuracy.estimate=off").status, 0);
  write("few.toml", problem(square, "", "te") + glass);
  expect_converged("few.toml");
  expect_widths(widths("many"), "glass");
  EXPECT_LT(io::read_csv(path("out/passes.csv")).numbers("unknowns").back(), 1500);
}

/// Cuts of several waves, the monostatic one and all frequencies count; between solutions of an adaptive
/// sweep too, whose last pass is the run.
TEST_F(Mom2dPasses, LookAtEveryCutAndFrequency) {
  write("rod.toml",
        "[mesh]\nunit = 'mm'\n[[contour]]\ntype = 'ellipse'\nradius = [20, 10]\n[excitation]\nphi = [0, "
        "90]\n[output]\n"
        "monostatic = true\n");
  expect_converged("rod.toml --set frequency.values=[3e9,8e9]");
  const auto rows = io::read_csv(path("out/passes.csv"));
  EXPECT_EQ(rows.num_rows, 2U * 3 * results()["refinement"]["passes"].get<std::size_t>());
  const auto& names = rows.text.at("quantity");
  EXPECT_TRUE(std::find(names.begin(), names.end(), "monostatic 3 GHz") != names.end());
  EXPECT_TRUE(std::find(names.begin(), names.end(), "width2 8 GHz") != names.end());
  const double last = rows.numbers("re_value").back();
  const auto back = io::read_csv(path("out/monostatic.csv")).numbers("width_m");
  EXPECT_NEAR(last, std::max(back[2], back[3]), 1e-9 * last);

  expect_converged("rod.toml --set 'frequency={start=3e9,stop=8e9,points=25}'");
  EXPECT_EQ(io::read_csv(path("out/errors.csv")).num_rows, 25U * 2 * 3);
}

/// A stated number of cells is one discretisation, as are the points of a sweep; [refinement] doubles it.
TEST_F(Mom2dPasses, StatedCellsAreOneDiscretisation) {
  const std::string circle =
      "mom2d " + test::source_dir() + "/configs/circle.toml --device cpu --no-report -o out ";
  ASSERT_EQ(run(circle).status, 0);
  EXPECT_FALSE(results().contains("refinement"));
  EXPECT_FALSE(exists("out/passes.csv"));
  ASSERT_EQ(
      run(circle + "--set contour.0.cells=4 --set refinement.max_passes=3 --set refinement.tolerance=1e-9")
          .status,
      0);
  EXPECT_EQ(io::read_csv(path("out/passes.csv")).numbers("cells"), (std::vector<double>{4, 8, 16}));
  write("free.toml", problem("type = 'circle'\nradius = 0.3", ""));
  const Ended swept = run("mom2d free.toml --device cpu --sweep contour.0.radius=0.2,0.3 -o swept");
  ASSERT_EQ(swept.status, 0) << swept.err;
  EXPECT_TRUE(exists("swept/point_0001/passes.csv"));
  EXPECT_TRUE(exists("swept/point_0001/echo_width.csv"));
  const Ended dry = run("mom2d free.toml --dry-run");
  const Ended dry_stated = run(circle + "--dry-run --set refinement.max_passes=3");
  EXPECT_NE(dry.out.find("dry run is of the second pass"), std::string::npos) << dry.out;
  EXPECT_NE(dry_stated.out.find("dry run is of the first pass"), std::string::npos) << dry_stated.out;
}

/// The MFIE at an interior resonance converges to a wrong value, as the CFIE on the same cells shows.
/// 2.490 dBm is what three equations beside the resonance have.
TEST_F(Mom2dPasses, BarsCoverInteriorResonances) {
  write("square.toml", problem("type = 'rectangle'\nsize = [0.5, 0.5]", "equation = 'mfie'"));
  ASSERT_EQ(run("mom2d square.toml --device cpu --no-report -o out").status, 0);
  const auto back = results()["scattering"][0]["backscatter_dbm"].get<double>();
  double bar = 0;
  const auto told = results();
  for (const auto& error : told["errors"])
    if (error.contains("backscatter_width_db_error")) bar = error["backscatter_width_db_error"];
  EXPECT_GT(std::abs(back - 2.490), 1) << "no resonance was met";
  EXPECT_GT(bar, std::abs(back - 2.490));
}

/// Where more cells only move the wrong currents, passes end: the next ones would take minutes and gigabytes.
TEST_F(Mom2dPasses, EndAtAResonanceOfTheInside) {
  write("square.toml", problem("type = 'rectangle'\nsize = [1, 1]", "nodes = 6\nequation = 'mfie'"));
  const Ended ended = run("mom2d square.toml --device cpu --no-report -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_FALSE(results()["refinement"]["converged"]);
  EXPECT_LE(results()["refinement"]["passes"].get<int>(), 4);
  EXPECT_NE(ended.err.find("use formulation.equation = \"cfie\""), std::string::npos) << ended.err;
}

/// A limit that is reached: files, bars and one line.
TEST_F(Mom2dPasses, CeilingLeavesTheBestSoFarWithItsBars) {
  write("strip.toml", problem("type = 'strip'\npoints = [[-2, 0], [2, 0]]", "method = 'mom'", "te"));
  const std::pair<const char*, const char*> ceilings[] = {
      {"max_passes=2", "raise refinement.max_passes = 2"},
      {"time_limit=1e-9", "raise refinement.time_limit = 1e-09 s"}};
  for (const auto& [ceiling, words] : ceilings) {
    const Ended ended =
        run("mom2d strip.toml --device cpu --no-report -o out --set excitation.phi=[60] --set "
            "refinement.tolerance=1e-6 --set refinement." +
            std::string(ceiling));
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    EXPECT_FALSE(results()["refinement"]["converged"]);
    EXPECT_TRUE(exists("out/errors.csv"));
    EXPECT_EQ(widths().size(), 360U);
  }
}

TEST_F(Mom2dPasses, InterruptedPassesGoOn) {
  write("square.toml", problem("type = 'rectangle'\nsize = [1.2, 1.2]", "method = 'mom'"));
  const std::string command =
      "mom2d square.toml --device cpu --no-report --set refinement.tolerance=3e-2 -o ";
  ASSERT_EQ(run(command + "whole").status, 0);
  run("sh -c '" + command +
      "out & until [ -e out/refinement.h5 ] || ! kill -0 $!; do sleep 0.01; done; kill -9 $!; wait $!'");
  ASSERT_TRUE(exists("out/refinement.h5"));
  const Ended ended = run(command + "out --resume");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("were done before"), std::string::npos) << ended.err;
  EXPECT_EQ(results()["refinement"], results("whole")["refinement"]);
  EXPECT_EQ(widths(), widths("whole"));
}

}  // namespace
}  // namespace curlew::test
