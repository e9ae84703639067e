// SPDX-License-Identifier: BSD-3-Clause
// ie-solve under mpirun: processes that share the rows of the corrected operator find the currents and
// cross-sections of one.
#include <filesystem>

#include "several_processes.hpp"

namespace curlew::test {
namespace {

class SharedRows : public SeveralProcesses {
 protected:
  SharedRows() : SeveralProcesses("ie-solve") {}
  static constexpr double tolerance = 1e-6;  ///< of sums and iteration, in by_sums
  /// Arguments of a run by GMRES and fast sums.
  static std::string by_sums(const std::string& config, const std::string& settings) {
    return test::source_dir() + "/configs/" + config +
           " --device cpu --set solver.method=gmres --set acceleration.type=ngim --set "
           "acceleration.tolerance=1e-6 --set solver.tolerance=1e-6 --set accuracy.estimate=off " +
           settings + " ";
  }
};

/// Root of the mean square difference over that of the values.
double mean_difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  EXPECT_EQ(a.size(), b.size());
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    wrong += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(wrong / size);
}

/// Several waves, so that starts are recycled; two regions, one of them without loss.
TEST_F(SharedRows, FindTheCurrentsOfOneProcess) {
  const std::string run_of =
      by_sums("dielectric_sphere.toml", "--set mesh.size=0.3 --set 'excitation.theta=[0,40]'");
  const Ended one = run_on_one(run_of + "-q -o one");
  ASSERT_EQ(one.status, 0) << one.err;
  const auto sections = [&](const std::string& folder) {
    return io::read_csv(path(folder + "/rcs.csv")).numbers("rcs_m2");
  };

  const Ended several = run_on(3, run_of + "-o several");
  ASSERT_EQ(several.status, 0) << several.err;

  // The condition of the system, some tens, between residual and solution.
  EXPECT_LT(mean_difference(unknowns("several"), unknowns("one")), 100 * tolerance);
  const auto found = sections("several"), expected = sections("one");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(std::sqrt(found[i]), std::sqrt(expected[i]), 1e-4 * std::sqrt(expected[0])) << i;
}

/// On a symmetric body all processes find the same waves to solve, and the currents of their images.
TEST_F(SharedRows, SolveOneOfTwoImages) {
  const std::string run_of = test::source_dir() +
                             "/configs/ducted_aircraft.toml --device cpu --set frequency.values=[3e8] --set "
                             "mesh.wavelength_fraction=0.2 --set acceleration.type=ngim --set "
                             "acceleration.tolerance=1e-4 --set solver.tolerance=1e-4 --set "
                             "'excitation.phi=[30,330]' --set accuracy.estimate=off ";
  const Ended two = run_on(2, run_of + "-o two");
  ASSERT_EQ(two.status, 0) << two.err;
  const std::string one_angle = "--set excitation.phi=";
  for (const char* phi : {"30", "330"}) {
    const Ended one = run_on_one(run_of + one_angle + phi + " -q -o alone" + phi);
    ASSERT_EQ(one.status, 0) << one.err;
  }

  EXPECT_NE(two.err.find("plane of symmetry y = 0: 2 of 4 waves are solved"), std::string::npos) << two.err;
  // The condition of the system between residual and solution; a wrong sign would be 1.
  auto alone = unknowns("alone30");
  const auto image = unknowns("alone330");
  alone.insert(alone.end(), image.begin(), image.end());
  EXPECT_LT(mean_difference(unknowns("two"), alone), 1e-2);
}

/// Only process 0 has a permanent folder: its saved solutions are sent to all. A run of one process that
/// is killed behind its first group, and behind its first frequency.
TEST_F(SharedRows, GoOnBehindWhatProcess0HasKept) {
  const std::string run_of =
      by_sums("pec_sphere.toml",
              "--set mesh.size=0.15 --set 'frequency.values=[2e8,2.5e8]' --set solver.expert.group=1 --set "
              "solver.expert.compression_tolerance=0 --set 'excitation.phi=[0,40,80]'");
  const Ended one = run_on_one(run_of + "-q -o one");
  ASSERT_EQ(one.status, 0) << one.err;
  for (const std::string file : {"solved_1_1.h5", "solved_1.h5"}) {
    const std::string folder = file == "solved_1.h5" ? "frequency" : "group";
    ASSERT_NO_FATAL_FAILURE(kill_once_kept(folder + "/" + file, 1, run_of + "-q -o " + folder));
    const Ended resumed = run_on(2, run_of + "--resume -o " + folder);
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << resumed.err;
    EXPECT_FALSE(exists(folder + "/" + file));
    for (const std::string number : {"_1", "_2"}) {
      const auto x = io::H5File::open(path(folder + "/solution" + number + ".h5")).read<Complex>("x");
      const auto expected = io::H5File::open(path("one/solution" + number + ".h5")).read<Complex>("x");
      EXPECT_LT(mean_difference(x, expected), 1e-4) << file << number;  // condition times tolerance
    }
  }
}

/// The other processes must not wait for a message that process 0 does not send.
TEST_F(SharedRows, WhatIsDoneIsSkippedByAll) {
  const std::string run_of = test::source_dir() +
                             "/configs/pec_sphere.toml --device cpu --set mesh.size=0.5 --set "
                             "accuracy.estimate=off ";
  ASSERT_EQ(run_on(2, run_of + "-o out").status, 0);

  const Ended again = run_on(2, run_of + "--resume -o out");

  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.err.find("done before, skipped"), std::string::npos) << again.err;
  // A point that is done before one that is not.
  const std::string sweep = run_of + "--sweep frequency.values=2e8,2.5e8 ";
  ASSERT_EQ(run_on(2, sweep + "-o points").status, 0);
  std::filesystem::remove_all(path("points/point_0002"));
  const Ended rest = run_on(2, sweep + "--resume -o points");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_NE(rest.err.find("point_0001: done before"), std::string::npos) << rest.err;
  EXPECT_TRUE(exists("points/point_0002/rcs.csv"));
}

/// A point that fails on process 0 alone ends the sweep on all processes, with the right message.
TEST_F(SharedRows, DISABLED_APointThatFailsOnProcess0AloneEndsAll) {  // waits 20 s for the others
  std::filesystem::create_directories(path("out"));
  write("out/point_0001", "no folder");
  const Ended ended = run_on(2, by_sums("pec_sphere.toml", "--sweep mesh.size=0.45,0.5 -o out"));
  EXPECT_NE(ended.status, 0);
  EXPECT_NE(ended.err.find("point_0001: is a file, must be a folder"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("an error on one process ends all of them"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/point_0002/summary.json"));
}

/// One that fails on all is followed by the next, on all.
TEST_F(SharedRows, APointThatFailsOnAllIsFollowedByTheNext) {
  const Ended ended = run_on(2, by_sums("pec_sphere.toml", "--sweep mesh.size=-1,0.5 -o out"));
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_TRUE(exists("out/point_0002/rcs.csv"));
}

TEST_F(SharedRows, WrongInputIsOneLineAndOneStatus) {
  const Ended ended = run_on(2, "missing.toml -o out");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("missing.toml"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
