// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee under mpirun: the same results as one process, where matrix, factors and radiation integrals are
// shared; one message and one exit status; an end of all when one process dies.

#include "several_processes.hpp"
#include "strip_antenna.hpp"

namespace curlew::test {
namespace {

/// Direct solves are refined to a residual of 1e-10, sums over all pairs are right to rounding.
constexpr double same = 1e-8;

const std::string configs = test::source_dir() + "/configs/";
const std::string sphere = configs +
                           "sphere_in_air.toml --set mesh.size=0.3 --set "
                           "'excitation.polarization=[\"theta\",\"phi\"]' --set accuracy.estimate=off ";
const std::string horn =
    configs +
    "horn.toml --set mesh.size=14 --set space.order=1 --set mesh.parameters.width=34 --set "
    "mesh.parameters.height=24 --set mesh.parameters.length=20 --set mesh.parameters.feed=15 --set "
    "mesh.parameters.guide_size=7 ";

class FeIieeProcesses : public SeveralProcesses {
 protected:
  FeIieeProcesses() : SeveralProcesses("fe-iiee") {}
  /// @returns the output of process 0
  std::string expect_same_on(int processes, const std::string& arguments, double tolerance = same) {
    const std::string folder = "on" + std::to_string(processes);
    if (!exists("one")) {
      const Ended serial = run_on_one(arguments + " -o one");
      EXPECT_EQ(serial.status, 0) << serial.err;
    }
    const Ended parallel = run_on(processes, arguments + " -o " + folder);
    EXPECT_EQ(parallel.status, 0) << parallel.err;
    if (testing::Test::HasFailure()) return parallel.err;
    expect_same(folder, "one", tolerance);
    return parallel.err;
  }
  std::vector<Complex> input_impedances(const std::string& folder, const std::string& port) const {
    std::vector<Complex> values;
    const auto said = results(folder);
    for (const auto& point : said["s_parameters"]) {
      const auto& z = point.at("input_impedance_" + port + "_ohm");
      values.emplace_back(z.at(0).get<double>(), z.at(1).get<double>());
    }
    return values;
  }
  static bool shares_its_matrix(const std::string& said, int processes) {
    return said.find("on " + std::to_string(processes) + " processes with distributed assembly") !=
           std::string::npos;
  }
};

TEST_F(FeIieeProcesses, FindTheCrossSectionsOfOne) {
  for (const int n : {1, 4}) {
    const std::string said = expect_same_on(n, sphere);
    EXPECT_EQ(shares_its_matrix(said, n), n > 1) << said;
  }
}

/// A port and two planes of symmetry.
TEST_F(FeIieeProcesses, FindTheHornOfOne) {
  const std::string said = expect_same_on(4, horn);
  EXPECT_TRUE(shares_its_matrix(said, 4)) << said;
  expect_same_columns("farfield.csv", {"re_e_theta", "directivity_dbi"}, "on4", "one", same);
  expect_same_columns("ports.csv", {"re_z0_ohm"}, "on4", "one", same);
}

/// By gmres, which frees the matrix; radiation needs its products with conjugate fields.
TEST_F(FeIieeProcesses, IterateAsOne) {
  const std::string said = expect_same_on(3, sphere +
                                                 "--set space.order=2 --set mesh.size=0.5 --set "
                                                 "solver.method=gmres --set solver.tolerance=1e-11 -v ");
  EXPECT_NE(said.find("of factors on the coarse level"), std::string::npos) << said;  // of several processes
}

/// Two ports at two frequencies; one matrix after the other.
TEST_F(FeIieeProcesses, FindSAndImpedancesOfOne) {
  write("strip.geo", strip_geometry);
  write("strip.toml", coarse_strip +
                          "[frequency]\nvalues = [2.2e8, 3.1e8]\n[output]\nfields = false\n[truncation]\n"
                          "tolerance = 1e-5\n[accuracy]\nestimate = \"off\"\n");
  EXPECT_TRUE(shares_its_matrix(expect_same_on(4, "strip.toml"), 4));
  for (const char* port : {"1", "2"})
    EXPECT_LT(difference(input_impedances("on4", port), input_impedances("one", port)), same) << port;
}

/// The saved interface is the start of the confirming step, so the tolerance is below the requested one.
TEST_F(FeIieeProcesses, GoOnBehindWhatAKilledRunHasKept) {
  write("strip.geo", strip_geometry);
  write("strip.toml", coarse_strip +
                          "[frequency]\nvalues = [2.2e8, 3.1e8]\n[output]\nfields = false\n[truncation]\n"
                          "tolerance = 1e-9\n[accuracy]\nestimate = \"off\"\n");
  ASSERT_EQ(run_on_one("strip.toml -q -o one").status, 0);
  expect_same_behind_a_killed_run("strip.toml", same, {{1, 2}, {3, 1}});
}

/// A quarter of a body in a wave without its symmetry: four systems, whose matrices are on process 0.
TEST_F(FeIieeProcesses, FindTheSumOfSymmetricPartsOfOne) {
  const std::string said = expect_same_on(
      3, sphere +
             "--set mesh.parameters.quarter=1 --set 'truncation.symmetry=[\"x_plane\",\"y_plane\"]' --set "
             "excitation.theta=[40]");
  EXPECT_NE(said.find("on 3 processes, matrix on one"), std::string::npos) << said;
}

/// Grids differ from piece to piece: the integrals agree to their own tolerance, 0.3 of the iteration's.
TEST_F(FeIieeProcesses, RadiateByNgimToItsTolerance) {
  expect_same_on(3, sphere + "--set acceleration.type=ngim", 3e-5);
}

TEST_F(FeIieeProcesses, SayOnceWhatIsWrong) {
  const auto expect_one_line = [&](const std::string& arguments, int status, const std::string& word) {
    const Ended wrong = run_on(3, arguments + "-o out");
    EXPECT_EQ(wrong.status, status) << wrong.err;
    const auto first = wrong.err.find(word);
    ASSERT_NE(first, std::string::npos) << wrong.err;
    EXPECT_EQ(wrong.err.find("fe-iiee:", first), std::string::npos) << wrong.err;
    EXPECT_FALSE(exists("out/summary.json") && exists("out/rcs.csv"));
  };
  expect_one_line(sphere + "--set truncation.surfaces.1=nobody ", 2, "nobody");
  // Every process fails in its share of the integral.
  expect_one_line(sphere + "--set acceleration.type=ngim --set truncation.tolerance=1e-13 ", 2, "tolerance");
}

TEST_F(FeIieeProcesses, WithoutTheParallelProgramSayWhatIsMissing) {
  const Ended ended = run_without_parallel_program(sphere + "-o out");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_NE(ended.err.find("scripts/setup --mpi"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out"));
}

TEST_F(FeIieeProcesses, AllEndWhenOneIsKilled) {
  write("strip.geo", strip_geometry);
  write("strip.toml", coarse_strip +
                          "[frequency]\nstart = 2e8\nstop = 3e8\npoints = 200\nadaptive_tolerance = "
                          "0\n[truncation]\n[accuracy]\n"
                          "estimate = \"off\"\n");
  EXPECT_EQ(status_after_kill("strip.toml"), "137\n");
  EXPECT_FALSE(exists("out/strip.s2p"));
}

}  // namespace
}  // namespace curlew::test
