// SPDX-License-Identifier: BSD-3-Clause
// fields.vtkhdf of fem-solve as VTK reads it: steps in ascending order, each with the field of its own
// frequency.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

/// A matched guide: its phase distinguishes the frequencies.
const std::string rest = R"(
[space]
order = 2
[frequency]
values = [10e9]
[[material]]
region = "air"
[[boundary]]
region = "walls"
type = "pec"
[[port]]
region = "port1"
excite = true
[[port]]
region = "port2"
)";

class FieldFiles : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("guide.toml",
          "[mesh]\nfile = \"" + source + "/meshes/wr90.geo\"\nunit = \"mm\"\nsize = 9\n" + rest);
  }
  void solve(const std::string& folder, const std::string& options) const {
    const Ended ended = run("fem-solve guide.toml " + options + " --output " + folder);
    ASSERT_EQ(ended.status, 0) << ended.err;
  }
  /// A script of this folder with the helpers' Python. @return false if it lacks VTK
  bool check(const std::string& script) const {
    const Ended read = run(test::python() + " " + source + "/tests/cli/" + script);
    if (read.status == 77) return false;
    EXPECT_EQ(read.status, 0) << read.out << read.err;
    return true;
  }
};

TEST_F(FieldFiles, UnsortedFrequenciesComeOutAscending) {
  solve("list", "--set frequency.values=[11e9,9e9,10e9]");
  solve("range", "--set frequency.start=11e9 --set frequency.stop=9e9 --set frequency.points=3");
  solve("one", "--set frequency.values=[10e9]");
  for (const std::string folder : {"list", "range"})
    EXPECT_EQ(test::read_touchstone(path(folder + "/guide.s2p")).frequencies,
              (std::vector<double>{9e9, 10e9, 11e9}));
  if (!check("check_steps.py list/fields.vtkhdf 9e9,10e9,11e9 10e9 one/fields.vtkhdf")) GTEST_SKIP();
  check("check_steps.py range/fields.vtkhdf 9e9,10e9,11e9 10e9 one/fields.vtkhdf");
}

TEST_F(FieldFiles, AdaptiveSweepWritesFieldsWhereTheyAreAsked) {
  const std::string sweep =
      "--set frequency.start=8.2e9 --set frequency.stop=12.4e9 --set frequency.points=43 --set "
      "frequency.adaptive_tolerance=1e-3 ";
  solve("asked", sweep + "--set output.frequencies=[11.05e9,9.3e9]");
  solve("range", sweep + "--set output.frequencies=[9.3e9,11.05e9,2]");
  solve("default", sweep);
  solve("one", "--set frequency.values=[9.3e9]");
  const auto s = test::read_touchstone(path("asked/guide.s2p"));
  EXPECT_EQ(s.frequencies.size(), 43U);
  EXPECT_TRUE(std::is_sorted(s.frequencies.begin(), s.frequencies.end()));
  if (!check("check_steps.py asked/fields.vtkhdf 9.3e9,11.05e9 9.3e9 one/fields.vtkhdf")) GTEST_SKIP();
  check("check_steps.py range/fields.vtkhdf 9.3e9,11.05e9 9.3e9 one/fields.vtkhdf");
  check("check_steps.py default/fields.vtkhdf 8.2e9,10.3e9,12.4e9");
}

TEST_F(FieldFiles, FullSweepSolvesForWhatIsWrittenToo) {
  solve("out", "--set frequency.values=[9e9,10e9,11e9] --set output.frequencies=[9.5e9,10e9]");
  EXPECT_EQ(test::read_touchstone(path("out/guide.s2p")).frequencies, (std::vector<double>{9e9, 10e9, 11e9}));
  if (!check("check_steps.py out/fields.vtkhdf 9.5e9,10e9")) GTEST_SKIP();
}

TEST_F(FieldFiles, FrequenciesOutsideOfTheBandAreRefused) {
  const Ended ended = run("fem-solve guide.toml --set output.frequencies=[13e9]");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("must lie within the band of [frequency]"), std::string::npos) << ended.err;
}

/// Order 3 with half a wavelength a cell: the elements are right to 1.3 %, and so must be the drawn field.
TEST_F(FieldFiles, VtkFindsTheFieldOfTheElementsBetweenNodes) {
  const std::string coarse = "--set mesh.size=15 --set space.order=3 ";
  solve("default", coarse);
  solve("linear", coarse + "--set output.field_subdivision=3");
  solve("fine", coarse + "--set output.field_subdivision=8");
  if (!check("check_field_probe.py default/fields.vtkhdf 0.015")) GTEST_SKIP();
  check("check_field_probe.py linear/fields.vtkhdf 0.06");
  check("check_field_probe.py fine/fields.vtkhdf 0.02");
}

TEST_F(FieldFiles, LongTablesShowTheEndsAndTheExtremes) {
  const Ended ended =
      run("fem-solve guide.toml --output out --set frequency.start=8.2e9 --set frequency.stop=12.4e9 --set "
          "frequency.points=201 --set frequency.adaptive_tolerance=1e-2 --set output.fields=false");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(std::count(ended.out.begin(), ended.out.end(), '\n'), 25) << ended.out;  // 12 are bars
  EXPECT_NE(ended.out.find("all 201 frequencies: guide.s2p"), std::string::npos) << ended.out;
  for (const std::string end : {" 8.200000", "12.400000"})
    EXPECT_NE(ended.out.find(end), std::string::npos) << ended.out;
}

TEST_F(FieldFiles, DryRunsRefuseWhatRunsRefuse) {
  const Ended eigen = run("fem-solve guide.toml --dry-run --set analysis.type=eigen");
  EXPECT_EQ(eigen.status, 2);
  EXPECT_NE(eigen.err.find("an eigenproblem has no [[port]]"), std::string::npos) << eigen.err;
}

TEST_F(FieldFiles, SubdivisionsOutOfRangeAreRefused) {
  const Ended ended = run("fem-solve guide.toml --set output.field_subdivision=0");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("must be a whole number from 1 to 10"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
