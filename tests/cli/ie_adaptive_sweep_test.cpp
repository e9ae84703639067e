// SPDX-License-Identifier: BSD-3-Clause
// ie-solve with frequency.adaptive_tolerance against runs that solve every frequency.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string configs = std::string(CURLEW_SOURCE_DIR) + "/configs/";

class IeAdaptiveSweep : public SummaryTest {
 protected:
  /// Runs into the folders "all" and "few".
  void run_both(const std::string& command, double tolerance) const {
    const std::string quiet =
        " --device cpu --set accuracy.estimate=off --set output.fields=false --set output.solution=false";
    const Ended all = run("ie-solve " + command + quiet + " --output all");
    ASSERT_EQ(all.status, 0) << all.err;
    const Ended few = run("ie-solve " + command + quiet +
                          " --output few --set frequency.adaptive_tolerance=" + std::to_string(tolerance));
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
  run_both(configs +
               "dipole_strip.toml --set 'frequency={start=150e6,stop=900e6,points=61}' --set "
               "mesh.parameters.cells=15 --set 'output.far_field={theta=[0,180,19],phi=[0,0,1]}'",
           1e-3);

  EXPECT_LE(results("few")["full_solutions"].get<int>(), 25);
  EXPECT_LT(results("few")["adaptive_error_estimate"].get<double>(), 1e-3);
  expect_rows_of_all("impedance.csv");
  expect_rows_of_all("farfield.csv");
  for (const char* part : {"re_reflection", "im_reflection"})
    EXPECT_LT(difference("impedance.csv", part), 1e-3) << part;
  for (const char* part : {"re_e_theta", "im_e_theta"})
    EXPECT_LT(difference("farfield.csv", part), 1e-3) << part;
}

TEST_F(IeAdaptiveSweep, OfASphereFindsItsCrossSections) {
  run_both(configs +
               "pec_sphere.toml --set mesh.size=0.2 --set solver.method=direct --set "
               "frequency={start=100e6,stop=300e6,points=31}",
           1e-3);

  EXPECT_LE(results("few")["full_solutions"].get<int>(), 14);
  expect_rows_of_all("rcs.csv");
  EXPECT_LT(difference("rcs.csv", "rcs_m2"), 2e-3);  // a square of fields
}

TEST_F(IeAdaptiveSweep, WithSensitivitiesIsRefused) {
  const Ended ended =
      run("ie-solve " + configs +
          "dipole_strip.toml --set 'frequency={start=150e6,stop=900e6,points=61}' --set "
          "frequency.adaptive_tolerance=1e-3 --set sensitivity.0.parameter=mesh.parameters.width "
          "--dry-run");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("adaptive sweep has no [[sensitivity]]"), std::string::npos) << ended.err;
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
