// SPDX-License-Identifier: BSD-3-Clause
// Frequencies and points that are computed several at once: files, log and failures are those of one after
// another.
#include <algorithm>
#include <complex>
#include <map>
#include <string>
#include <vector>

#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

/// Some hundred unknowns, some tens of milliseconds a frequency.
constexpr const char* circle = R"toml(
[frequency]
start = 1e8
stop = 3e8
points = 9
[[contour]]
type = "circle"
radius = 0.2
cells = 30
material = "resin"
[[material]]
region = "resin"
table = "eps.csv"
[accuracy]
estimate = "all"
[output]
far_field = { phi = [0, 180, 3] }
)toml";

class AtOnce : public SummaryTest {
 protected:
  void SetUp() override {
    SummaryTest::SetUp();
    setenv("OMP_NUM_THREADS", "1", 1);
    write("eps.csv", "frequency_hz,epsilon_re,epsilon_im\n5e7,4,-0.1\n1e9,3,-0.2\n");
    write("a.toml", circle);
  }
  std::string text(const std::string& name) const { return io::read_text_file(path(name)); }
  /// A piece of guide with two ports, g.toml.
  void write_guide() {
    write("guide.geo",
          "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 22.86, 10.16, 10};\ne = 1e-3;\n"
          "p() = Surface In BoundingBox{-e, -e, -e, 23, 11, e};\n"
          "q() = Surface In BoundingBox{-e, -e, 10 - e, 23, 11, 10 + e};\n"
          "w() = Boundary{ Volume{1}; };\nw() -= {p(), q()};\nPhysical Volume(\"air\") = {1};\n"
          "Physical Surface(\"port1\") = p();\nPhysical Surface(\"port2\") = q();\n"
          "Physical Surface(\"walls\") = w();\n");
    write("g.toml",
          "[mesh]\nfile = \"guide.geo\"\nunit = \"mm\"\nsize = 6\n[space]\norder = 2\n[frequency]\n"
          "start = \"9 GHz\"\nstop = \"11 GHz\"\npoints = 8\n[[material]]\nregion = \"air\"\n"
          "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n[[port]]\nregion = \"port1\"\n"
          "[[port]]\nregion = \"port2\"\n[accuracy]\nestimate = \"off\"\n");
  }
  /// Without their provenance, which holds the time.
  void expect_same_results(const std::string& a, const std::string& b) {
    for (const char* file : {"echo_width.csv", "current_9.csv", "errors.csv"})
      EXPECT_EQ(io::read_csv(path(a + "/" + file)).text, io::read_csv(path(b + "/" + file)).text) << file;
    auto one = summary(a), other = summary(b);
    for (auto* s : {&one, &other})
      for (const char* time : {"fill_seconds", "factor_seconds"}) (*s)["results"].erase(time);
    EXPECT_EQ(one["results"], other["results"]);
    EXPECT_EQ(one["solver"]["solves"], other["solver"]["solves"]);
    EXPECT_EQ(one["warnings"], other["warnings"]);
    EXPECT_EQ(one["files"], other["files"]);
  }
};

/// Error bars too, which the process that solves a frequency computes.
TEST_F(AtOnce, FrequenciesGiveTheFilesOfOneAfterAnother) {
  ASSERT_EQ(run("mom2d a.toml --jobs 1 -q -o one").status, 0);
  const Ended ended = run("mom2d a.toml --jobs 3 -o three");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("frequencies: 3 at once, 1 thread each (--jobs 3)"), std::string::npos)
      << ended.err;
  expect_same_results("three", "one");
  EXPECT_FALSE(exists("three/solved_1.h5"));
  EXPECT_EQ(run("ls three | grep part").out, "");
}

/// Fields are written by another thread while the next frequency is found and the one after is solved. Equal
/// numbers of threads: equal to the last digit.
TEST_F(AtOnce, DrivenSweepsGiveTheBitsOfOneThread) {
  unsetenv("OMP_NUM_THREADS");
  write_guide();
  ASSERT_EQ(run("fem-solve g.toml --threads 1 -q -o one").status, 0);
  const Ended two = run("timeout 60 fem-solve g.toml --threads 2 --jobs 2 -o two");
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_NE(two.err.find("frequencies: 2 at once, 1 thread each (--jobs 2)"), std::string::npos) << two.err;
  EXPECT_EQ(two.err.find("one after another"), std::string::npos) << two.err;
  EXPECT_EQ(text("two/g.s2p"), text("one/g.s2p"));
  EXPECT_EQ(text("two/ports.csv"), text("one/ports.csv"));
  EXPECT_TRUE(exists("two/fields.vtkhdf"));
  const auto a = summary("one"), b = summary("two");
  EXPECT_EQ(a.at("solver").at("solves"), b.at("solver").at("solves"));
  EXPECT_GT(b.at("solver").at("factorisation_seconds"), 0);
}

/// An adaptive sweep chooses two frequencies at a time, whether they are solved at once or not.
TEST_F(AtOnce, AdaptiveSweepsGiveTheBitsOfOneThread) {
  unsetenv("OMP_NUM_THREADS");
  write_guide();
  const std::string adaptive =
      "fem-solve g.toml --set frequency.points=41 --set frequency.adaptive_tolerance=1e-6 ";
  ASSERT_EQ(run(adaptive + "--threads 1 -q -o one").status, 0);
  const Ended two = run(adaptive + "--threads 2 --jobs 2 -o two");
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_NE(two.err.find("frequencies: 2 at once, 1 thread each (--jobs 2)"), std::string::npos) << two.err;
  EXPECT_EQ(text("two/g.s2p"), text("one/g.s2p"));
  EXPECT_EQ(results("two")["full_solutions"], results("one")["full_solutions"]);
  EXPECT_EQ(summary("one").at("solver").at("solves"), summary("two").at("solver").at("solves"));
  EXPECT_GT(summary("two").at("solver").at("factorisation_seconds"), 0);
  EXPECT_FALSE(exists("two/solved_1.h5"));
  for (const std::string signal : {"KILL", "INT"}) {
    const std::string folder = "by_" + signal;
    run("{ " + adaptive + "--threads 2 --jobs 2 -o " + folder + " & pid=$!; for i in $(seq 2000); do ls " +
        folder + "/solved_*.h5 2> /dev/null | grep -q . && break; sleep 0.002; done; kill -" + signal +
        " $pid; wait $pid; }");
    ASSERT_FALSE(exists(folder + "/g.s2p")) << "stopped too late: the test tests nothing";
    const Ended resumed = run(adaptive + "--threads 2 --jobs 2 --resume -o " + folder);
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    // A frequency that is left over is solved alone, by two threads, which round in another way.
    const auto found = read_touchstone(path(folder + "/g.s2p")).s, one = read_touchstone(path("one/g.s2p")).s;
    ASSERT_EQ(found.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_LT(std::abs(found[i] - one[i]), 1e-9) << i;
  }
}

/// A solution of fe-iiee that a copy has kept has the S of its ports too.
TEST_F(AtOnce, PortsOfTruncatedProblemsGiveTheBitsOfOneThread) {
  const std::string horn =
      "fe-iiee " + test::source_dir() +
      "/configs/horn.toml --set space.order=1 --set mesh.size=24 --set mesh.parameters.width=40 --set "
      "mesh.parameters.height=30 --set mesh.parameters.length=20 --set output.fields=false --set "
      "frequency.values=[8.5e9,8.75e9] --set accuracy.estimate=off -q --no-report ";
  ASSERT_EQ(run(horn + "--jobs 1 -o one").status, 0);
  const Ended two = run(horn + "--jobs 2 --threads 2 -o two");
  ASSERT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(summary("one")["results"]["s_parameters"], summary("two")["results"]["s_parameters"]);
}

TEST_F(AtOnce, ThreadsDecideUnlessTheUserDoes) {
  unsetenv("OMP_NUM_THREADS");
  const auto lines = [&](const std::string& options) {
    return run("mom2d a.toml --set contour.0.cells=100 --set accuracy.estimate=off --set "
               "frequency.points=3 " +
               options + " -o any 2>&1 | grep at.once")
        .out;
  };
  EXPECT_EQ(lines("--threads 6"), "mom2d: frequencies: 3 at once, 2 threads each (6 threads)\n");
  EXPECT_EQ(lines("--threads 1"), "");
  EXPECT_EQ(lines("--threads 6 --jobs 1"), "");
}

/// A frequency beyond the table: message, status and saved solutions are those of a run without copies.
TEST_F(AtOnce, TheFirstErrorIsTold) {
  write("eps.csv", "frequency_hz,epsilon_re,epsilon_im\n5e7,4,-0.1\n2.1e8,3,-0.2\n");
  const Ended one = run("mom2d a.toml --jobs 1 -q -o one"), three = run("mom2d a.toml --jobs 3 -q -o three");
  EXPECT_EQ(one.status, three.status);
  EXPECT_NE(one.status, 0);
  EXPECT_EQ(one.err, three.err);
}

/// Waits for a copy and finds its process number by that of its parent.
const std::string find_copy =
    "for i in $(seq 2000); do copy=$(pgrep -P $pid | tail -1); test -n \"$copy\" && break; sleep 0.002; "
    "done; ";

TEST_F(AtOnce, AKilledCopyCostsNothing) {
  const std::string command = "mom2d a.toml --set contour.0.cells=50 --set accuracy.estimate=off ";
  ASSERT_EQ(run(command + "--jobs 1 -q -o one").status, 0);
  const Ended ended = run("{ " + command + "--jobs 3 -o three & pid=$!; " + find_copy +
                          "sleep 0.1; kill -9 $copy; wait $pid; }");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(
      ended.err.find("its process ended early (signal 9), perhaps for lack of memory: computed again, alone"),
      std::string::npos)
      << ended.err;
  EXPECT_EQ(io::read_csv(path("three/echo_width.csv")).text, io::read_csv(path("one/echo_width.csv")).text);
}

TEST_F(AtOnce, ResumesBehindAKillAndBehindCtrlC) {
  const std::string command = "mom2d a.toml --set contour.0.cells=50 --set accuracy.estimate=off ";
  ASSERT_EQ(run(command + "--jobs 1 -q -o one").status, 0);
  for (const std::string signal : {"KILL", "INT"}) {
    const std::string folder = "by_" + signal;
    run("{ " + command + "--jobs 3 -o " + folder + " & pid=$!; for i in $(seq 2000); do test -e " + folder +
        "/solved_2.h5 && break; sleep 0.002; done; pgrep -P $pid > copies; kill -" + signal +
        " $pid; wait $pid; }");
    ASSERT_FALSE(exists(folder + "/solved_9.h5")) << "stopped too late: the test tests nothing";
    EXPECT_EQ(run("sleep 0.3; for c in $(cat copies); do grep -v ') Z' /proc/$c/stat 2>/dev/null; done").out,
              "")
        << "a copy is still there";
    const Ended resumed = run(command + "--jobs 3 --resume -o " + folder);
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << resumed.err;
    EXPECT_EQ(io::read_csv(path(folder + "/echo_width.csv")).text,
              io::read_csv(path("one/echo_width.csv")).text);
    EXPECT_EQ(run("ls " + folder + " | grep part").out, "");
  }
}

TEST_F(AtOnce, SharesOfFrequenciesAreSolvedAtOnceToo) {
  const std::string command = "mom2d a.toml --set contour.0.cells=50 --set accuracy.estimate=off ";
  ASSERT_EQ(run(command + "--jobs 1 -q -o one").status, 0);
  unsetenv("OMP_NUM_THREADS");
  const Ended share = run(command + "--threads 2 -o two --array 1/1");
  EXPECT_EQ(share.status, 0) << share.err;
  EXPECT_NE(share.err.find("frequencies: 2 at once"), std::string::npos) << share.err;
  ASSERT_EQ(run(command + "--threads 2 -q -o two --join").status, 0);
  EXPECT_EQ(io::read_csv(path("two/echo_width.csv")).text, io::read_csv(path("one/echo_width.csv")).text);
}

/// Table, folders and lines of the log in order; a point that fails is one row less and the exit status.
TEST_F(AtOnce, PointsGiveTheTableOfOneAfterAnother) {
  const std::string sweep =
      "mom2d a.toml --set accuracy.estimate=off --sweep contour.0.radius=0.1,0.2,-1,0.3 ";
  const Ended one = run(sweep + "--jobs 1 -o one"), two = run(sweep + "--jobs 2 -o two");
  EXPECT_EQ(one.status, 2);
  EXPECT_EQ(two.status, 2) << two.err;
  auto a = io::read_csv(path("one/sweep.csv")).text, b = io::read_csv(path("two/sweep.csv")).text;
  for (auto* columns : {&a, &b})
    std::erase_if(*columns, [](const auto& column) { return column.first.ends_with("_seconds"); });
  EXPECT_EQ(a, b);
  EXPECT_NE(two.err.find("points: 2 at once, 1 thread each (--jobs 2)"), std::string::npos) << two.err;
  std::size_t before = 0;
  for (const char* point : {"point_0001 of 4", "point_0002 of 4", "point_0003 of 4", "point_0004 of 4"}) {
    const auto at = two.err.find(point);
    ASSERT_NE(at, std::string::npos) << two.err;
    EXPECT_GE(at, before);
    before = at;
  }
  const Ended again = run(sweep + "--jobs 2 -o two --resume");
  EXPECT_NE(again.err.find("point_0004: done before, skipped"), std::string::npos) << again.err;
}

TEST_F(AtOnce, AKilledPointIsComputedAgain) {
  const std::string sweep =
      "mom2d a.toml --set accuracy.estimate=off --set contour.0.cells=40 --sweep "
      "contour.0.radius=0.1:0.2:4 ";
  const Ended ended =
      run("{ " + sweep +
          "--jobs 2 -o two & pid=$!; for i in $(seq 2000); do test -e "
          "two/point_0002/summary.json && break; sleep 0.005; done; kill -9 $(pgrep -P $pid | tail "
          "-1); wait $pid; }");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("computed again, alone"), std::string::npos) << ended.err;
  EXPECT_EQ(io::read_csv(path("two/sweep.csv")).num_rows, 4U);
}

}  // namespace
}  // namespace curlew::test
