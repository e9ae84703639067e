// SPDX-License-Identifier: BSD-3-Clause
// Adaptive sweeps of ie-solve and mom2d, by default and stated, against runs that solve every frequency.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string configs = test::source_dir() + "/configs/";

class IeAdaptiveSweep : public SummaryTest {
 protected:
  /// Runs into the folders "all" and "few". @param tolerance stated; 0: the default
  void run_both(const std::string& command, double tolerance) const {
    const std::string both = command + " --device cpu --set accuracy.estimate=off --output ";
    const Ended all = run(both + "all --set frequency.adaptive_tolerance=0");
    ASSERT_EQ(all.status, 0) << all.err;
    const Ended few =
        run(both + "few" +
            (tolerance > 0 ? " --set frequency.adaptive_tolerance=" + std::to_string(tolerance) : ""));
    ASSERT_EQ(few.status, 0) << few.err;
  }
  std::vector<double> column(const std::string& folder, const std::string& file,
                             const std::string& name) const {
    return io::read_csv(path(folder + "/" + file)).numbers(name);
  }
  /// Greatest difference of a column, relative to its greatest value.
  double difference(const std::string& file, const std::string& name) const {
    const auto all = column("all", file, name), few = column("few", file, name);
    EXPECT_EQ(all.size(), few.size());
    double most = 0, greatest = 0;
    for (std::size_t i = 0; i < std::min(all.size(), few.size()); ++i) {
      most = std::max(most, std::abs(all[i] - few[i]));
      greatest = std::max(greatest, std::abs(all[i]));
    }
    return most / greatest;
  }
  void expect_rows_of_all(const std::string& file) const {
    EXPECT_EQ(column("few", file, "frequency_hz"), column("all", file, "frequency_hz"));
  }
};

TEST_F(IeAdaptiveSweep, OfADipoleOverItsFirstThreeResonancesFindsPortAndFarField) {
  run_both("ie-solve " + configs +
               "dipole_strip.toml --set 'frequency={start=150e6,stop=900e6,points=61}' --set "
               "mesh.parameters.cells=15 --set 'output.far_field={theta=[0,180,19],phi=[0,0,1]}'",
           1e-3);

  // Rounding decides between frequencies of nearly equal error: 21 to 31 by lengths that differ by 1e-10.
  EXPECT_LE(results("few")["full_solutions"].get<int>(), 35);
  EXPECT_LT(results("few")["adaptive_error_estimate"].get<double>(), 1e-3);
  expect_rows_of_all("impedance.csv");
  expect_rows_of_all("farfield.csv");
  for (const char* part : {"re_reflection", "im_reflection"})
    EXPECT_LT(difference("impedance.csv", part), 1e-3) << part;
  for (const char* part : {"re_e_theta", "im_e_theta"})
    EXPECT_LT(difference("farfield.csv", part), 1e-3) << part;
}

TEST_F(IeAdaptiveSweep, OfASphereFindsItsCrossSections) {
  run_both("ie-solve " + configs +
               "pec_sphere.toml --set mesh.size=0.2 --set solver.method=direct --set "
               "frequency={start=100e6,stop=300e6,points=31}",
           1e-3);

  EXPECT_LE(results("few")["full_solutions"].get<int>(), 14);
  expect_rows_of_all("rcs.csv");
  EXPECT_LT(difference("rcs.csv", "rcs_m2"), 2e-3);  // a square of fields
}

/// Where nothing is stated: fields of three frequencies, all else of every one.
TEST_F(IeAdaptiveSweep, OfABandIsTheDefault) {
  run_both("ie-solve " + configs +
               "dipole_strip.toml --set 'frequency={start=250e6,stop=350e6,points=21}' --set "
               "mesh.parameters.cells=15 --set 'output.far_field={theta=[0,180,19],phi=[0,0,1]}'",
           0);

  EXPECT_LE(results("few")["full_solutions"].get<int>(), 8);
  EXPECT_FALSE(results("all").contains("full_solutions"));
  expect_rows_of_all("impedance.csv");
  expect_rows_of_all("farfield.csv");
  for (const char* part : {"re_reflection", "im_reflection"})
    EXPECT_LT(difference("impedance.csv", part), 1e-3) << part;
  for (const char* part : {"re_e_theta", "im_e_theta"})
    EXPECT_LT(difference("farfield.csv", part), 1e-3) << part;
  for (int i = 1; i <= 21; ++i) {
    const std::string name = "/solution_" + std::to_string(i) + ".h5";
    EXPECT_TRUE(std::filesystem::exists(path("all" + name))) << i;
    EXPECT_EQ(std::filesystem::exists(path("few" + name)), i == 1 || i == 11 || i == 21) << i;
  }
}

/// The meshes that bars come from have an adaptive sweep, too.
TEST_F(IeAdaptiveSweep, HasTheBarsOfEveryFrequency) {
  const std::string command =
      "ie-solve " + configs +
      "dipole_strip.toml --device cpu --set 'frequency={start=250e6,stop=350e6,points=13}' --set "
      "mesh.parameters.cells=8 --set accuracy.estimate=all --set "
      "'output.far_field={theta=[0,180,3],phi=[0,0,1]}' --output ";
  ASSERT_EQ(run(command + "all --set frequency.adaptive_tolerance=0").status, 0);
  ASSERT_EQ(run(command + "few --set frequency.adaptive_tolerance=1e-4").status, 0);

  EXPECT_EQ(column("few", "errors.csv", "frequency_hz"), column("all", "errors.csv", "frequency_hz"));
  const auto all = column("all", "errors.csv", "error"), few = column("few", "errors.csv", "error");
  ASSERT_EQ(all.size(), few.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(few[i], all[i], 0.05 * all[i]) << i;
}

/// A band for which few solutions do not suffice is solved at all frequencies if no adaptive sweep is
/// requested.
TEST_F(IeAdaptiveSweep, ThatIsNotMetByDefaultSolvesTheRest) {
  run_both("ie-solve " + configs +
               "dipole_strip.toml --set 'frequency={start=150e6,stop=900e6,points=15}' --set "
               "frequency.max_solutions=5 --set mesh.parameters.cells=15 --set "
               "'output.far_field={theta=[0,180,3],phi=[0,0,1]}'",
           0);

  EXPECT_EQ(results("few")["full_solutions"].get<int>(), 15);
  EXPECT_LT(difference("impedance.csv", "re_reflection"), 1e-9);
  EXPECT_LT(difference("farfield.csv", "re_e_theta"), 1e-9);
}

TEST_F(IeAdaptiveSweep, OfACylinderFindsItsEchoWidths) {
  for (const std::string wave : {"te", "tm"}) {
    run_both(
        "mom2d " + configs +
            "circle.toml --set 'mesh.unit=\"m\"' --set 'frequency={start=200e6,stop=400e6,points=41}' --set "
            "'excitation.phi=[0,70]' --set output.monostatic=true --set excitation.polarization=" +
            wave,
        0);

    EXPECT_LE(results("few")["full_solutions"].get<int>(), 12);
    expect_rows_of_all("echo_width.csv");
    EXPECT_LT(difference("echo_width.csv", "width_m"), 2e-3);  // a square of fields
    EXPECT_LT(difference("monostatic.csv", "width_m"), 2e-3);
    EXPECT_LT(difference("current_20.csv", "re_j_a_per_m"), 1e-3);
    EXPECT_LT(difference("current_20.csv", "im_j_a_per_m"), 1e-3);
  }
}

/// Cells that follow the wavelength are those of the shortest one then.
TEST_F(IeAdaptiveSweep, OfContoursWithoutCellsHasThoseOfTheHighestFrequency) {
  write("rod.toml",
        "[mesh]\nunit = \"mm\"\n[[contour]]\nname = \"rod\"\ntype = \"circle\"\nradius = 20.0\n"
        "material = \"rod\"\n[[material]]\nregion = \"rod\"\nepsilon_r = 4.0\nloss_tangent = 0.02\n"
        "[formulation]\npolarization = \"te\"\n[output]\nfar_field = { phi = [0, 350, 36] }\n");
  run_both("mom2d " + path("rod.toml") + " --set 'frequency={start=2e9,stop=5e9,points=31}'", 0);

  EXPECT_LE(results("few")["full_solutions"].get<int>(), 20);
  // if all are solved, the cells follow each wavelength: the runs differ by the error of the cells
  EXPECT_LT(difference("echo_width.csv", "width_m"), 5e-3);
}

TEST_F(IeAdaptiveSweep, WithSensitivitiesIsRefused) {
  const Ended ended =
      run("ie-solve " + configs +
          "dipole_strip.toml --set 'frequency={start=150e6,stop=900e6,points=61}' --set "
          "frequency.adaptive_tolerance=1e-3 --set sensitivity.0.parameter=mesh.parameters.width "
          "--dry-run");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("[[sensitivity]] needs every frequency solved"), std::string::npos) << ended.err;
}

TEST_F(IeAdaptiveSweep, TighterThanTheIterationsIsRefused) {
  const Ended ended = run("ie-solve " + configs +
                          "pec_sphere.toml --set mesh.size=0.2 --set solver.method=gmres --set "
                          "frequency={start=100e6,stop=300e6,points=31} --set "
                          "frequency.adaptive_tolerance=1e-4");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("at least 10 times solver.tolerance"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
