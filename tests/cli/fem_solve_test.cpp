// SPDX-License-Identifier: BSD-3-Clause
// fem-solve from a .geo file to S-parameters, against independent results, and with faults.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "mode_matching.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

double decibel(Complex s) {
  return 20 * std::log10(std::abs(s));
}

class FemSolve : public SummaryTest {
 protected:
  /// Runs a config of the tree without fields and reads NAME.s2p.
  io::Touchstone solve(const std::string& name, const std::string& options = "") const {
    const Ended ended = run("fem-solve " + source + "/configs/" + name +
                            ".toml --output out --set output.fields=false " + options);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::read_touchstone(path("out/" + name + ".s2p"));
  }
};

TEST_F(FemSolve, IrisAgreesWithModeMatching) {
  const double gap = 12e-3, thickness = 2e-3;
  const auto s =
      solve("iris", "--set mesh.parameters.edge_size=0.5 --set frequency.values=[8.2e9,10e9,12.4e9]");
  ASSERT_EQ(s.frequencies.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto exact = reference::Guide(22.86e-3, s.frequencies[i], 200).iris(gap, thickness);
    EXPECT_NEAR(std::abs(s.at(i, 0, 0)) / std::abs(exact.reflection()), 1, 5e-3) << s.frequencies[i];
  }
  // The summary's scalars are the decibels of the file.
  const auto results = this->results();
  const double s11[] = {decibel(s.at(0, 0, 0)), decibel(s.at(1, 0, 0)), decibel(s.at(2, 0, 0))};
  EXPECT_NEAR(results["s1_1_db_min"].get<double>(), *std::min_element(s11, s11 + 3), 1e-6);
  EXPECT_NEAR(results["s1_1_db_max"].get<double>(), *std::max_element(s11, s11 + 3), 1e-6);
}

/// WR-75 puck. Source: OpenParEM documentation, after Ise, Inoue and Koshiba (1990), IEEE Trans. MTT 38(9).
/// At 13 GHz the published pair |S11|² + |S21|² is 0.9998 of a lossless device: S21 there counts to 0.1 dB
/// only.
TEST_F(FemSolve, PuckAgreesWithPublishedResults) {
  const auto s = solve("puck", "--set accuracy.estimate=off");
  EXPECT_NEAR(decibel(s.at(0, 0, 0)), -3.4575, 0.05);
  EXPECT_NEAR(decibel(s.at(0, 1, 0)), -2.6049, 0.05);
  EXPECT_NEAR(std::abs(s.at(1, 0, 0)), std::pow(10, -32.558 / 20), 1e-3);
  EXPECT_NEAR(decibel(s.at(1, 1, 0)), -0.00239, 0.05);
  EXPECT_NEAR(decibel(s.at(2, 0, 0)), -0.19257, 0.05);
  EXPECT_NEAR(decibel(s.at(2, 1, 0)), -13.6447, 0.1);
}

TEST_F(FemSolve, FieldOfTheStraightGuideIsTe10InTheVtkFile) {
  std::string filled;
  for (const auto& [frequency, mu_r] : {std::pair<std::string, std::string>{"10e9", "1.0"}, {"7e9", "2.0"}}) {
    const Ended solved =
        run("fem-solve " + source + "/configs/wr90.toml --set accuracy.estimate=off --set frequency.values=" +
            frequency + " --set material.0.mu_r=" + mu_r + " --output at" + frequency);
    ASSERT_EQ(solved.status, 0) << solved.err;
    filled += " at" + frequency + " " + frequency + " " + mu_r;
  }
  const Ended read = run(test::python() + " " + source + "/tests/cli/check_wr90_field.py" + filled);
  if (read.status == 77) GTEST_SKIP() << read.out;
  EXPECT_EQ(read.status, 0) << read.out << read.err;
}

TEST_F(FemSolve, SummarySaysWhatWasDone) {
  solve("wr90", "--set frequency.values=[9e9,10e9]");
  const auto summary = this->summary();
  EXPECT_EQ(summary["program"], "fem-solve");
  EXPECT_LT(summary["results"]["power_balance_error"].get<double>(), 1e-5);
  EXPECT_LT(summary["results"]["reciprocity_error"].get<double>(), 1e-9);
  EXPECT_GT(summary["sizes"]["unknowns"].get<long>(), 1000);
  EXPECT_TRUE(exists("out/solution.h5") && exists("out/ports.csv") && exists("out/resolved.toml") &&
              exists("out/run.log"));
  const auto ports = io::read_csv(path("out/ports.csv"));
  EXPECT_NEAR(ports.numbers("cutoff_hz")[0], 6.557140e9, 1e3);
  for (const auto& definition : ports.text.at("z0_definition")) EXPECT_EQ(definition, "wave");
  expect_results_stage();
}

TEST_F(FemSolve, ThreadsDoNotChangeTheResult) {
  const auto one = solve("wr90", "--threads 1 --set accuracy.estimate=off --set frequency.values=[10e9]");
  const auto two = solve("wr90", "--threads 2 --set accuracy.estimate=off --set frequency.values=[10e9]");
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) EXPECT_LT(std::abs(one.at(0, i, j) - two.at(0, i, j)), 1e-11);
  }
}

/// A sweep of gap and permittivity: one of 15 points cannot make its folder; killed in the middle and
/// resumed.
TEST_F(FemSolve, SweepSurvivesABadPointAndAKill) {
  const std::string points =
      "fem-solve " + source +
      "/configs/iris.toml --set space.order=1 --set mesh.size=5 --set frequency.values=[10e9] "
      "--set output.fields=false -q --sweep mesh.parameters.gap=8:16:3 "
      "--sweep material.1.epsilon_r=1,2.54,4 ";
  for (const char* folder : {"whole", "part"}) {
    std::filesystem::create_directory(folder_ / folder);
    write(std::string(folder) + "/point_0006", "in the way");
  }

  const Ended whole = run(points + "--output whole");
  // As soon as the fourth point has begun, however fast the machine is.
  const Ended killed = run("(" + points +
                           "--output part & until [ -e part/point_0004 ] || ! kill -0 $!; do sleep 0.01; "
                           "done; kill -KILL $!; wait $!)");
  const bool was_in_the_middle = !exists("part/point_0009");
  const Ended resumed = run(points + "--output part --resume");

  EXPECT_NE(whole.status, 0);
  EXPECT_NE(whole.err.find("point_0006"), std::string::npos) << whole.err;
  EXPECT_EQ(killed.status, 137);
  EXPECT_TRUE(was_in_the_middle) << "the resume tests nothing";
  EXPECT_EQ(resumed.status, whole.status);
  const std::string table = io::read_text_file(path("whole/sweep.csv"));
  EXPECT_EQ(io::read_text_file(path("part/sweep.csv")), table);
  const auto rows = io::read_csv(path("whole/sweep.csv"));
  EXPECT_EQ(rows.num_rows, 9U);
  const auto& status = rows.text.at("status");
  EXPECT_EQ(std::count(status.begin(), status.end(), "done"), 8) << table;
}

TEST_F(FemSolve, RefusesWhatDoesNotFitIntoMemory) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  const Ended ended =
      run("(ulimit -v 700000; fem-solve " + source + "/configs/filter.toml --threads 1 --output out)");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_NE(ended.err.find("GiB"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/filter.s2p"));
}

/// Zeros of Riccati-Bessel functions, with their multiplicities: the config's comment.
TEST_F(FemSolve, SphericalCavityHasTheModesOfItsConfig) {
  const Ended ended = run("fem-solve " + source + "/configs/spherical_cavity.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto modes = results()["modes"];
  ASSERT_EQ(modes.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const double u = i < 3 ? 2.743707270 : 3.870238580;
    EXPECT_NEAR(modes[i]["frequency_hz"].get<double>() / (299792458.0 * u / (2 * M_PI)), 1, 2e-3) << i;
  }
  expect_results_stage();
}

/// The unknowns of the first right-hand side of a solution.h5.
std::vector<Complex> first_column(const std::string& file) {
  io::Shape shape;
  const auto x = io::H5File::open(file).read<Complex>("x", &shape);
  std::vector<Complex> column;
  for (std::size_t i = 0; i < x.size(); i += shape.at(1)) column.push_back(x[i]);
  return column;
}

TEST_F(FemSolve, SystemFileSolvesToTheSameUnknowns) {
  const std::string all_modes =
      source + "/configs/wr90.toml --set frequency.values=[10e9] --set space.order=2 ";
  const std::string config = all_modes + "--set port.0.absorbed_modes=0 --set port.1.absorbed_modes=0 ";
  const Ended assembled = run("fem-assemble " + config + "--output system --matrix-market");
  ASSERT_EQ(assembled.status, 0) << assembled.err;
  EXPECT_EQ(assembled.err.find("warning"), std::string::npos) << assembled.err;
  EXPECT_NE(run("fem-assemble " + all_modes + "--output more").err.find("absorbed_modes = 0"),
            std::string::npos);
  EXPECT_TRUE(exists("system/system.mtx"));
  const Ended ended = run("fem-solve system/system.h5 --output solved");
  EXPECT_EQ(ended.status, 0) << ended.err;
  // Driven, the first port's field is scaled to 1 W incident: the same vector up to a factor. Field parts
  // that are no mode of the port see the mode's admittance in one case and none in the other: the error of
  // the discrete mode, 1e-3 at order 2.
  ASSERT_EQ(run("fem-solve " + config + "--output driven").status, 0);
  const auto driven = first_column(path("driven/solution.h5")),
             solved = first_column(path("solved/solution.h5"));
  ASSERT_EQ(driven.size(), solved.size());
  const auto square = [](Complex sum, Complex x) { return sum + std::norm(x); };
  const double a = std::accumulate(driven.begin(), driven.end(), Complex(), square).real(),
               b = std::accumulate(solved.begin(), solved.end(), Complex(), square).real();
  Complex product{};
  for (std::size_t i = 0; i < driven.size(); ++i) product += std::conj(driven[i]) * solved[i];
  double distance = 0;
  for (std::size_t i = 0; i < driven.size(); ++i) distance += std::norm(solved[i] - product / a * driven[i]);
  EXPECT_LT(std::sqrt(distance / b), 2e-3);
}

TEST_F(FemSolve, KrylovMethodsGiveTheDirectResult) {
  const std::string guide =
      "--set frequency.values=[10e9] --set mesh.parameters.length=12 --set accuracy.estimate=off ";
  const auto direct = solve("wr90", guide);
  for (const char* method : {"gmres", "cocr", "bicgstabl", "tfqmr"}) {
    const auto s = solve("wr90", guide + "--set solver.tolerance=1e-8 --set solver.method=" + method);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_LT(std::abs(s.at(0, i, j) - direct.at(0, i, j)), 1e-6) << method;
    const auto summary = this->summary();
    EXPECT_EQ(summary["solver"]["method"], method);
    EXPECT_GT(summary["solver"]["iterations"].get<int>(), 2);
    EXPECT_LE(summary["solver"]["residual"].get<double>(), 1e-8);
    EXPECT_LE(summary["solver"]["history"].back().get<double>(), 1e-8);
  }
}

TEST_F(FemSolve, SystemFilesTakeTheKeysOfTheSolver) {
  const std::string config =
      source + "/configs/wr90.toml --set frequency.values=[10e9] --set mesh.parameters.length=12 ";
  ASSERT_EQ(run("fem-assemble " + config + "--output system").status, 0);
  const std::string solve_it = "fem-solve system/system.h5 --output solved --set solver.method=";
  const Ended good =
      run(solve_it + "cocr --set solver.preconditioner=jacobi --set solver.max_iterations=5000");
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_NE(good.out.find("cocr"), std::string::npos) << good.out;
  std::filesystem::remove_all(path("solved"));
  const Ended bad = run(solve_it + "gmres --set solver.max_iterations=3");
  EXPECT_EQ(bad.status, 1);
  EXPECT_NE(bad.err.find("not converged after 3 iterations, true relative residual"), std::string::npos)
      << bad.err;
  EXPECT_FALSE(exists("solved/solution.h5"));
  EXPECT_EQ(run(solve_it + "gmres --set solver.restert=3").status, 2);
}

// ---- bad inputs ----

struct Bad {
  const char* what;     ///< name of the test
  const char* options;  ///< beside the config
  int status;
  const char* message;  ///< a part of the one line
};

class FemSolveRefuses : public FemSolve, public testing::WithParamInterface<Bad> {};

TEST_P(FemSolveRefuses, WithOneClearLine) {
  const Bad& bad = GetParam();
  const std::string options = bad.options;
  const std::string output = options.find("--output") == std::string::npos ? "--output out " : "";
  const Ended ended = run("fem-solve " + source + "/configs/wr90.toml " + output + options);
  EXPECT_EQ(ended.status, bad.status) << ended.err;
  std::string last = ended.err.substr(0, ended.err.find_last_not_of('\n') + 1);
  last = last.substr(last.rfind('\n') + 1);
  EXPECT_EQ(last.rfind("fem-solve: ", 0), 0U) << ended.err;
  EXPECT_NE(last.find(bad.message), std::string::npos) << ended.err;
  for (const char* file : {"out/wr90.s2p", "out/fields.vtkhdf", "out/solution.h5", "out/ports.csv"})
    EXPECT_FALSE(exists(file));
}

constexpr Bad bad_inputs[] = {
    {"FrequencyZero", "--set frequency.values=[0.0]", 2, "0 Hz has no wavelength"},
    {"FrequencyNegative", "--set frequency.values=[-1e9]", 2, "frequency"},
    {"FrequencyTwice", "--set frequency.values=[1e10,1e10]", 2, "twice"},
    {"MediumOfNoWaves", "--set material.0.epsilon_r=-1", 2, "no mode propagates in its medium at 8.2 GHz"},
    {"MediumThatAmplifies", "--set material.0.epsilon_r=[2,0.1]", 2,
     "a positive imaginary part amplifies, losses need a negative one"},
    {"LooseTolerance", "--set solver.tolerance=3", 2, "tolerance = 3 must be less than 1"},
    {"EmptyRegion", "--set material.0.region=\"\"", 2, "region must not be empty"},
    {"BelowCutOff", "--set frequency.values=[5e9]", 2,
     "below the cut-off of its first mode TE10, 6.55714 GHz: raise the frequency, or check frequency in Hz"},
    {"OrderZero", "--set space.order=0", 2, "order"},
    {"OrderFour", "--set space.order=4", 2, "order"},
    {"OrderWord", "--set space.order=two", 2, "order"},
    {"UnknownKey", "--set solver.tolerence=1e-9", 2, "tolerance"},
    {"UnknownTable", "--set solvr.tolerance=1e-9", 2, "solver"},
    {"UnknownRegion", "--set boundary.0.region=wals", 2, "wals"},
    {"SurfaceTwice", "--set port.0.region=walls", 2, "walls"},
    {"PortNowhere", "--set port.1.region=port7", 2, "port7"},
    {"ModesZero", "--set port.0.modes=0", 2, "modes"},
    {"NanInConfig", "--set material.0.epsilon_r=nan", 2, "epsilon_r"},
    {"ZeroPermittivity", "--set material.0.epsilon_r=0", 2, "epsilon_r"},
    {"NoSuchMesh", "--set mesh.file=nowhere.geo", 2, "nowhere.geo"},
    {"MeshIsNoMesh", "--set mesh.file=../README.md", 2, "README.md"},
    {"NoUnit", "--set mesh.unit=furlong", 2, "unit"},
    {"NegativeSize", "--set mesh.wavelength_fraction=-1", 2, "wavelength_fraction"},
    {"IterativeMethod", "--set solver.method=magic", 2, "method"},
    {"IterationsExhausted",
     "--set solver.method=gmres --set frequency.values=[1e10] --set solver.max_iterations=2", 1,
     "true relative residual"},
    {"ToleranceZero",
     "--set solver.method=gmres --set frequency.values=[1e10] --set solver.tolerance=0 --set space.order=1",
     1, "true relative residual"},
    {"ToleranceNegative", "--set solver.method=gmres --set solver.tolerance=-1", 2, "tolerance"},
    {"UnknownPreconditioner", "--set solver.method=gmres --set solver.preconditioner=ilu", 2,
     "preconditioner"},
    {"NoIterations", "--set solver.method=cocr --set solver.max_iterations=0", 2, "max_iterations"},
    {"OutputNotWritable", "--output /proc/nowhere", 3, "/proc/nowhere"},
    // What users of HFSS, CST and Palace write.
    {"FrequencyInGhz", "--set frequency.values=[10]", 2, "check frequency in Hz"},
    {"BoundaryOfHfss", "--set boundary.0.type=PerfectE", 2, "(nearest: pec)"},
    {"OpenBoundaryOfHfss", "--set boundary.0.type=Radiation", 2, "(nearest: absorbing)"},
    {"PortOfHfss", "--set port.0.type=WavePort", 2, "(nearest: waveguide)"},
    {"KeyOfPalace", "--set material.0.Permittivity=2.2", 2, "(nearest known: \"epsilon_r\")"},
    {"LossOfHfss", "--set material.0.tan_delta=0.02", 2, "(nearest known: \"loss_tangent\")"},
    {"StepOfFrequency", "--set frequency.step=1e9", 2, "(nearest known: \"points\")"},
    {"SolverOfCst", "--set solver.method=iterative", 2, "(nearest: gmres)"},
    {"AnalysisOfHfss", "--set analysis.type=Eigenmode", 2, "(nearest: eigen)"},
    {"NumberForAWord", "--set port.0.impedance=50", 2, "must be a text"},
    {"FarFieldOfAClosedBox", "--set output.far_field='{theta=[0,180,7],phi=[0,90,2]}'", 2,
     ": output: far_field needs"},
    {"NothingDrives", "--set port='[]' --set 'boundary.0.region=[\"walls\",\"port1\",\"port2\"]'", 2,
     ".toml: nothing drives the problem: add a [[port]] or an [excitation]"},
    {"WaveInAClosedBox",
     "--set port='[]' --set 'boundary.0.region=[\"walls\",\"port1\",\"port2\"]' --set "
     "'excitation={type=\"plane_wave\",theta=0,phi=0}'",
     2, "does not reach the inside of a closed box"},
    {"SurfaceAsVolume", "--set material.0.region=walls", 2, "(volumes: air)"},
    {"SizeInMetres", "--set mesh.wavelength_fraction=1e-5", 3, "check size, frequency and unit"},
    {"EigenWithPorts", "--set analysis.type=eigen", 2, "port"},
};

INSTANTIATE_TEST_SUITE_P(Bad, FemSolveRefuses, testing::ValuesIn(bad_inputs),
                         [](const auto& test) { return test.param.what; });

/// The size of the mesh is in the same wrong unit, so that only the wavelength shows it.
TEST_F(FemSolve, CellsOfManyWavelengthsAreRefusedAndCoarseOnesAWarning) {
  const std::string program =
      "fem-solve " + source +
      "/configs/iris.toml --output out --set space.order=1 --set output.fields=false "
      "--set mesh.parameters.edge_size=3 --set mesh.size=12 --set frequency.values=[10e9] ";
  Ended ended = run(program + "--set mesh.unit=m");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("check frequency and [mesh] unit"), std::string::npos) << ended.err;
  ended = run(program + "--set material.1.epsilon_r=9");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("wavelengths of its material, while 0.5 suffice"), std::string::npos) << ended.err;
}

TEST_F(FemSolve, NamesThatAreTooLongAreNoFiles) {
  const std::string name(300, 'x');
  const Ended ended = run("fem-solve " + source + "/configs/wr90.toml --output out --set mesh.file=" + name);
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find(name + ": no such file"), std::string::npos) << ended.err;
}

TEST_F(FemSolve, RefusesTruncatedMeshes) {
  ASSERT_EQ(run("em-mesh " + source + "/meshes/wr90.geo --unit mm --size 8 -o mesh.h5").status, 0);
  const std::string bytes = io::read_text_file(path("mesh.h5"));
  write("half.h5", bytes.substr(0, bytes.size() / 2));
  const Ended ended =
      run("fem-solve " + source + "/configs/wr90.toml --output out --set mesh.file=" + path("half.h5") +
          " --set mesh.wavelength_fraction=0.1");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("half.h5"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
