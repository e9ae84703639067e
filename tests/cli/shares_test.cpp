// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over processes, as a scheduler starts them: --array, --join and --jobs give the files of one run.
#include <map>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

/// Six frequencies of a circle in 2D.
constexpr const char* circle = R"toml(
[frequency]
start = 1e8
stop = 3e8
points = 6
[[contour]]
type = "circle"
radius = 0.2
cells = 12
[[boundary]]
region = "contour1"
type = "pec"
[output]
far_field = { phi = [0, 180, 3] }
)toml";

class Shares : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    setenv("OMP_NUM_THREADS", "1", 1);
    write("a.toml", circle);
  }
  /// sweep.csv without the columns that hold times.
  std::map<std::string, std::vector<std::string>> results(const std::string& folder) const {
    auto columns = io::read_csv(path(folder + "/sweep.csv")).text;
    std::erase_if(columns, [](const auto& column) { return column.first.ends_with("_seconds"); });
    EXPECT_GT(columns.size(), 10U);
    return columns;
  }
  std::string text(const std::string& name) const { return io::read_text_file(path(name)); }
};

TEST_F(Shares, OfASweepMakeTheTableOfOneRun) {
  const std::string sweep = "mom2d a.toml -q --sweep contour.0.radius=0.1:0.3:5 ";
  ASSERT_EQ(run(sweep + "-o whole").status, 0);
  ASSERT_EQ(run(sweep + "-o array --array 1/2 && " + sweep + "-o array --array 2/2").status, 0);

  const Ended joined = run(sweep + "-o array --join"), jobs = run(sweep + "-o jobs --jobs 2");

  EXPECT_EQ(joined.status, 0) << joined.err;
  EXPECT_EQ(jobs.status, 0) << jobs.err;
  EXPECT_EQ(results("array"), results("whole"));
  EXPECT_EQ(results("jobs"), results("whole"));
}

/// In the order of the README: the picture of the previous run is still there.
TEST_F(Shares, ASweepLeavesTheRunBeforeIt) {
  ASSERT_EQ(run("mom2d a.toml -q").status, 0);
  const std::string summary = text("results/a/summary.json"), report = text("results/a/report.html");
  ASSERT_EQ(run("mom2d a.toml -q --sweep contour.0.radius=0.1,0.2").status, 0);
  EXPECT_EQ(text("results/a/summary.json"), summary);
  EXPECT_EQ(text("results/a/report.html"), report);
  EXPECT_TRUE(exists("results/a_sweep/sweep.csv"));
}

/// A signal before any share has begun.
TEST_F(Shares, AnEarlySignalEndsInOrder) {
  const Ended stopped =
      run("{ mom2d a.toml -o early --sweep "
          "contour.0.radius=0.1:0.3:200 --jobs 2 & pid=$!; for i in $(seq 2000); do pgrep -P $pid "
          ">/dev/null && break; sleep 0.002; done; kill -TERM $pid; wait $pid; }");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_EQ(stopped.err.find("manifest"), std::string::npos) << stopped.err;
}

/// SIGTERM to the run alone, as kill(1) sends it: the shares end too and keep finished frequencies.
TEST_F(Shares, OfJobsEndWithTheRunThatStartedThem) {
  const std::string sweep = "mom2d a.toml -q --sweep contour.0.radius=0.1:0.3:200 --jobs 2 -o ";
  const Ended stopped =
      run("{ " + sweep +
          "part & pid=$!; for i in $(seq 2000); do test -e part/point_0003/summary.json && break; "
          "sleep 0.005; done; kill -TERM $pid; wait $pid; }");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_FALSE(exists("part/point_0199/summary.json")) << "stopped too late: the test tests nothing";
  const std::string points = "find part -name summary.json | sort";
  EXPECT_EQ(run(points).out, run("sleep 0.3; " + points).out) << "a share goes on";
}

TEST_F(Shares, OfFrequenciesMakeTheFilesOfOneRun) {
  ASSERT_EQ(run("mom2d a.toml -q -o whole").status, 0);
  ASSERT_EQ(run("mom2d a.toml -q -o array --array 1/2").status, 0);
  const Ended early = run("mom2d a.toml -q -o array --join");
  // A kill during the second share, as soon as it keeps a frequency.
  run("sh -c 'mom2d a.toml -q -o array --array 2/2 & p=$!; i=0; while [ ! -e array/share_2_of_2/solved_2.h5 "
      "] && "
      "[ $i -lt 500 ]; do sleep 0.01; i=$((i+1)); done; kill -9 $p; wait $p; true'");
  const Ended again = run("mom2d a.toml -q -o array --array 2/2"),
              joined = run("mom2d a.toml -q -o array --join");

  EXPECT_EQ(early.status, 2);
  EXPECT_EQ(early.err,
            "mom2d: --join: 1 of 2 shares are not done, the first is 2: start it again with --array 2/2, it "
            "continues\n");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(joined.status, 0) << joined.err;
  EXPECT_EQ(text("array/echo_width.csv"), text("whole/echo_width.csv"));
  EXPECT_FALSE(exists("array/share_1_of_2"));
  EXPECT_FALSE(exists("array/solved_1.h5"));
}

/// A matched guide: S of the joined run is that of one run, to the last digit.
TEST_F(Shares, OfFrequenciesMakeOneTouchstoneFile) {
  write(
      "guide.geo",
      "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 22.86, 10.16, 10};\ne = 1e-3;\n"
      "p() = Surface In BoundingBox{-e, -e, -e, 23, 11, e};\nq() = Surface In BoundingBox{-e, -e, 10 - e, "
      "23, 11, "
      "10 + e};\nw() = Boundary{ Volume{1}; };\nw() -= {p(), q()};\nPhysical Volume(\"air\") = "
      "{1};\nPhysical "
      "Surface(\"port1\") = p();\nPhysical Surface(\"port2\") = q();\nPhysical Surface(\"walls\") = w();\n");
  write("g.toml",
        "[mesh]\nfile = \"guide.geo\"\nunit = \"mm\"\nsize = 9\n[space]\norder = 1\n[frequency]\nstart = \"9 "
        "GHz\"\n"
        "stop = \"11 GHz\"\npoints = 3\n[[material]]\nregion = \"air\"\n[[boundary]]\nregion = "
        "\"walls\"\ntype = "
        "\"impedance\"\nmaterial = \"copper\"\n[[port]]\nregion = \"port1\"\n[[port]]\nregion = "
        "\"port2\"\n[output]\n"
        "fields = false\n");
  ASSERT_EQ(run("fem-solve g.toml -q -o whole").status, 0);

  const Ended jobs = run("fem-solve g.toml -q -o jobs --jobs 2");
  const Ended again = run("fem-solve g.toml -o jobs --jobs 2 --resume");
  EXPECT_NE(again.err.find("done before, skipped"), std::string::npos) << again.err;
  EXPECT_FALSE(exists("jobs/share_1_of_2"));
  const Ended adaptive = run("fem-solve g.toml -q -o a --array 1/2 --set frequency.adaptive_tolerance=1e-3");

  EXPECT_EQ(jobs.status, 0) << jobs.err;
  EXPECT_EQ(text("jobs/g.s2p"), text("whole/g.s2p"));
  EXPECT_EQ(text("jobs/ports.csv"), text("whole/ports.csv"));
  EXPECT_EQ(adaptive.status, 2);
  EXPECT_EQ(
      adaptive.err,
      "fem-solve: --set frequency.adaptive_tolerance=1e-3: frequency: --array: an adaptive sweep chooses its "
      "frequencies one after another, they cannot be shared: leave out adaptive_tolerance, or share the "
      "points "
      "of a --sweep\n");
}

}  // namespace
}  // namespace curlew::test
