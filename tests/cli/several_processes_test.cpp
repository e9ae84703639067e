// SPDX-License-Identifier: BSD-3-Clause
// fem-solve under mpirun: the same results as one process, one message and one exit status, and an end of all
// when one process dies.
#include "several_processes.hpp"

namespace curlew::test {
namespace {

/// Direct solves are refined to a residual of 1e-10, of all processes alike.
constexpr double same = 1e-8;

const std::string configs = test::source_dir() + "/configs/";
const std::string guide = configs + "wr90.toml --set mesh.wavelength_fraction=0.25 ";

const std::string plate = configs +
                          "perforated_plate.toml --set mesh.wavelength_fraction=0.4 "
                          "--set mesh.parameters.edge_size=2 --set frequency.points=1";

class FemProcesses : public SeveralProcesses {
 protected:
  FemProcesses() : SeveralProcesses("fem-solve") {}
};

struct Case {
  const char* name;
  std::string arguments;
  std::vector<int> processes;
};
class SameAsOne : public FemProcesses, public testing::WithParamInterface<Case> {};

TEST_P(SameAsOne, SolutionScatteringAndSections) {
  const auto& [name, arguments, processes] = GetParam();
  const Ended serial = run_on_one(arguments + " -q -o one");
  ASSERT_EQ(serial.status, 0) << serial.err;

  for (const int n : processes) {
    const std::string folder = "on" + std::to_string(n);
    const Ended parallel = run_on(n, arguments + " -o " + folder);

    ASSERT_EQ(parallel.status, 0) << parallel.err;
    EXPECT_NE(parallel.err.find("on " + std::to_string(n) + " processes with distributed assembly"),
              std::string::npos)
        << parallel.err;
    expect_same(folder, "one", same);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Configs, SameAsOne,
    testing::Values(
        Case{"guide", guide + "--set frequency.points=2", {4}},
        Case{"iris", configs + "iris.toml --set mesh.size=5 --set frequency.values=9e9", {2}},
        Case{"periodic", plate + " --set accuracy.estimate=off", {4}},
        Case{"periodic_without_phase", plate + " --set bloch.theta=0", {3}},
        Case{"lumped", configs + "lumped_dipole.toml --set space.order=1 --set frequency.points=1", {3}},
        Case{"scattering", configs + "sphere_in_layer.toml --set space.order=1", {3}},
        Case{"metal_in_a_scattered_field",
             configs + "cobra_cavity.toml --set frequency.values=1e9 --set mesh.size=40 --set space.order=1 "
                       "--set accuracy.estimate=off",
             {3}},
        Case{"absorbing_of_second_order",
             configs +
                 "horn_in_air.toml --set boundary.3.order=2 --set space.order=1 --set accuracy.estimate=off",
             {2}}),
    [](const auto& each) { return each.param.name; });

/// By gmres, whose product and preconditioner are distributed: also iterations, within a tenth.
class IteratesAsOne : public FemProcesses, public testing::WithParamInterface<Case> {
 protected:
  double iterations(const std::string& folder) const {
    return summary(folder).at("solver").at("iterations").get<double>();
  }
  std::string library(const std::string& folder) const {
    return summary(folder).at("solver").at("library").get<std::string>();
  }
};

TEST_P(IteratesAsOne, SolutionScatteringAndSections) {
  const auto& [name, config, processes] = GetParam();
  const std::string arguments =
      config + " --set solver.method=gmres --set solver.tolerance=1e-11 --set accuracy.estimate=off ";
  const Ended serial = run_on_one(arguments + "-q -o one");
  ASSERT_EQ(serial.status, 0) << serial.err;
  ASSERT_GT(iterations("one"), 5);

  for (const int n : processes) {
    const std::string folder = "on" + std::to_string(n);
    const Ended parallel = run_on(n, arguments + "-o " + folder);

    ASSERT_EQ(parallel.status, 0) << parallel.err;
    EXPECT_TRUE(library(folder).ends_with("on " + std::to_string(n) + " processes with distributed assembly"))
        << library(folder);
    expect_same(folder, "one", same);
    EXPECT_LT(iterations(folder), 1.1 * iterations("one"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Configs, IteratesAsOne,
    testing::Values(Case{"one_matrix_after_the_other", guide + "--set 'frequency.values=[9e9,9.4e9]'", {3}},
                    Case{"periodic", plate, {2}},
                    Case{"order_3",
                         configs + "puck.toml --set space.order=3 --set frequency.values=8.5e9 "
                                   "--set mesh.wavelength_fraction=0.2",
                         {2}}),
    [](const auto& each) { return each.param.name; });

INSTANTIATE_TEST_SUITE_P(
    DISABLED_Configs, IteratesAsOne,
    testing::Values(Case{"guide", guide + "--set frequency.values=9e9", {8}},
                    Case{"layer",
                         configs + "sphere_in_layer.toml --set mesh.wavelength_fraction=0.5 --set "
                                   "mesh.parameters.size_air=1",
                         {3}}),
    [](const auto& each) { return each.param.name; });

/// Cells of a thousandth of a wavelength: the coarse level needs double precision, as all processes find out.
TEST_F(FemProcesses, FactorAgainWhereSinglePrecisionDoesNotServe) {
  const std::string line =
      configs +
      "microstrip.toml --set mesh.parameters.growth=0.9 --set frequency.values=2e8 --set "
      "accuracy.estimate=off --set solver.method=gmres --set solver.tolerance=1e-9 -v ";
  ASSERT_EQ(run_on_one(line + "-o one").status, 0);
  const Ended ended = run_on(2, line + "-o on2");
  ASSERT_EQ(ended.status, 0) << ended.err;

  EXPECT_NE(ended.err.find("they do not serve"), std::string::npos) << ended.err;
  EXPECT_LT(difference(s_parameters("on2"), s_parameters("one")), 1e-6);
  const auto iterations = [&](const std::string& folder) {
    return summary(folder).at("solver").at("iterations").get<double>();
  };
  EXPECT_LT(iterations("on2"), 1.1 * iterations("one"));
}

/// METIS orders wherever MUMPS runs on several processes, whose library may lack SCOTCH.
TEST_F(FemProcesses, SayHowTheyOrdered) {
  const std::string line = guide + "--set frequency.points=1 --set accuracy.estimate=off ";
  ASSERT_EQ(run_on_one(line + "-q -o one").status, 0);
  const Ended ended = run_on(2, line + "-o two");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("on 2 processes with distributed assembly"), std::string::npos) << ended.err;
  expect_same("two", "one", same);
  EXPECT_EQ(summary("two").at("solver").at("ordering"), "metis by processes");
}

/// Matrices on process 0: of modes, of the points of a sweep.
TEST_F(FemProcesses, WithTheMatrixOnOneFindTheSame) {
  const std::string cavity = configs + "rectangular_cavity.toml ";
  const auto modes = [&](const std::string& folder) {
    return io::read_csv(path(folder + "/errors.csv")).numbers("frequency_hz");
  };
  ASSERT_EQ(run_on_one(cavity + "-q -o one").status, 0);
  const Ended several = run_on(3, cavity + "-o on3");
  ASSERT_EQ(several.status, 0) << several.err;
  EXPECT_LT(difference(modes("on3"), modes("one")), same);

  const std::string sweep =
      guide + "--set frequency.points=1 --set accuracy.estimate=off --sweep space.order=1,2 ";
  ASSERT_EQ(run_on_one(sweep + "-q -o one_sweep").status, 0);
  const Ended swept = run_on(2, sweep + "-o on2_sweep");
  ASSERT_EQ(swept.status, 0) << swept.err;
  EXPECT_NE(swept.err.find("on 2 processes, matrix on one"), std::string::npos) << swept.err;
  for (const auto& point : std::filesystem::directory_iterator(path("one_sweep"))) {
    const std::string name = "/" + point.path().filename().string();
    if (!exists("one_sweep" + name + "/summary.json")) continue;
    EXPECT_LT(difference(s_parameters("on2_sweep" + name), s_parameters("one_sweep" + name)), same) << name;
  }
}

/// Process 0 alone reads the saved state; the others get their first system at a later frequency.
TEST_F(FemProcesses, GoOnBehindWhatAKilledRunHasKept) {
  const std::string line = guide + "--set 'frequency.values=[9e9,9.4e9,9.8e9]' --set accuracy.estimate=off ";
  ASSERT_EQ(run_on_one(line + "-q -o one").status, 0);
  expect_same_behind_a_killed_run(line, same, {{1, 2}, {3, 1}});

  const std::string iterated = line + "--set solver.method=gmres --set solver.tolerance=1e-11 ";
  ASSERT_NO_FATAL_FAILURE(kill_once_kept("iterated/solved_1.h5", 1, iterated + "-q -o iterated"));
  const Ended resumed = run_on(3, iterated + "--resume -o iterated");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << resumed.err;
  expect_same("iterated", "one", same);
}

/// A join finds all frequencies kept: the other processes have nothing to solve.
TEST_F(FemProcesses, JoinSharesThatAreSolved) {
  const std::string line = guide + "--set frequency.points=2 --set accuracy.estimate=off ";
  ASSERT_EQ(run_on_one(line + "-q -o one").status, 0);
  ASSERT_EQ(run_on_one(line + "-q --array 1/2 -o joined").status, 0);
  const Ended share = run_on(2, line + "-q --array 2/2 -o joined");
  ASSERT_EQ(share.status, 0) << share.err;
  const Ended joined = run_on(2, line + "--join -o joined");
  ASSERT_EQ(joined.status, 0) << joined.err;
  EXPECT_LT(difference(unknowns("joined"), unknowns("one")), same);
  EXPECT_LT(difference(s_parameters("joined"), s_parameters("one")), same);
}

TEST_F(FemProcesses, OfOneAreThePlainProgram) {
  const Ended ended = run_on(1, guide + "--set frequency.points=1 -o one");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err.find("processes"), std::string::npos) << ended.err;
}

TEST_F(FemProcesses, SayOnceWhatIsWrong) {
  const Ended wrong = run_on(3, guide + "--set space.order=9 -o out");
  EXPECT_EQ(wrong.status, 2) << wrong.err;
  const auto first = wrong.err.find("space.order");
  ASSERT_NE(first, std::string::npos) << wrong.err;
  EXPECT_EQ(wrong.err.find("fem-solve:", first), std::string::npos) << wrong.err;
  EXPECT_FALSE(exists("out"));

  const Ended jobs = run_on(2, guide + "--jobs 2 -o out");
  EXPECT_EQ(jobs.status, 2) << jobs.err;
  EXPECT_NE(jobs.err.find("--jobs"), std::string::npos) << jobs.err;
}

TEST_F(FemProcesses, WithoutTheParallelProgramSayWhatIsMissing) {
  const Ended ended = run_without_parallel_program(guide + "-o out");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_NE(ended.err.find("scripts/setup --mpi"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out"));
}

TEST_F(FemProcesses, AllEndWhenOneIsKilled) {
  EXPECT_EQ(status_after_kill(guide + "--set frequency.adaptive_tolerance=0 --set frequency.points=200"),
            "137\n");
  EXPECT_FALSE(exists("out/wr90.s2p") && !exists("out/summary.json"));

  const auto temporary = [&] {
    const auto found = files(path("temporary"));
    return std::count_if(found.begin(), found.end(),
                         [](const auto& f) { return f.starts_with("curlew-run-"); });
  };
  EXPECT_GE(temporary(), 1) << "of the process that was killed";
  const Ended next = run("export TMPDIR=$PWD/temporary; timeout 400 mpirun -quiet -n 2 fem-solve " + guide +
                         "--set frequency.points=1 -o next");
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_EQ(temporary(), 0);
}

TEST_F(FemProcesses, AllEndWhenOneIsKilledInItsIterations) {
  EXPECT_EQ(
      status_after_kill(
          guide + "--set frequency.adaptive_tolerance=0 --set frequency.points=200 --set solver.method=gmres",
          "multilevel:"),
      "137\n");
  EXPECT_FALSE(exists("out/wr90.s2p") && !exists("out/summary.json"));
}

/// A tolerance that gmres does not reach is reported once, by process 0, and ends all processes.
TEST_F(FemProcesses, SayOnceThatIterationsDoNotConverge) {
  const Ended ended = run_on(
      2, guide + "--set frequency.points=1 --set solver.method=gmres --set solver.max_iterations=3 -o out");
  EXPECT_EQ(ended.status, 1) << ended.err;
  const auto first = ended.err.find("right-hand side 1");
  ASSERT_NE(first, std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("right-hand side", first + 1), std::string::npos) << ended.err;
}

TEST_F(FemProcesses, PrintTheTablesOfADryRunOnce) {
  const Ended ended = run_on(2, guide + "--dry-run");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto first = ended.out.find("available:");
  ASSERT_NE(first, std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("available:", first + 1), std::string::npos) << ended.out;
}

}  // namespace
}  // namespace curlew::test
