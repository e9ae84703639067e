// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C in a sweep over frequencies: the files contain the finished frequencies, and --resume makes them
// those of a run that was not stopped.
#include <algorithm>
#include <cmath>

#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

struct Case {
  std::string program, command, file, column;
  double tolerance;  ///< relative; for iterations that of the iteration
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.program;
}

class FrequencySweep : public SummaryTest, public testing::WithParamInterface<Case> {
 protected:
  std::vector<double> column(const std::string& folder, const std::string& name) const {
    return io::read_csv(path(folder + "/" + GetParam().file)).numbers(name);
  }
};

TEST_P(FrequencySweep, CtrlCKeepsWhatIsDoneAndResumeGoesOn) {
  const auto& c = GetParam();
  const std::string command = c.program + " " + source + c.command + " --device cpu --threads 1 --output ";
  ASSERT_EQ(run(command + "whole").status, 0) << io::read_text_file(path("err.txt"));
  const auto all = column("whole", "frequency_hz");

  const Ended stopped =
      run("{ " + command +
          "part & pid=$!; for i in $(seq 2000); do test -e part/solved_1.h5 && break; sleep "
          "0.005; done; kill -INT $pid; wait $pid; }");
  ASSERT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("--resume continues"), std::string::npos) << stopped.err;
  EXPECT_EQ(summary("part")["status"], "interrupted");
  const auto kept = column("part", "frequency_hz"), kept_values = column("part", c.column);
  const auto whole_values = column("whole", c.column);
  ASSERT_GT(kept.size(), 0U);
  ASSERT_LT(kept.size(), all.size()) << "stopped too late: the test tests nothing";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i], all[i]);
    EXPECT_EQ(kept_values[i], whole_values[i]);
  }

  const Ended resumed = run(command + "part --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << resumed.err;
  EXPECT_EQ(summary("part")["status"], "done");
  EXPECT_FALSE(exists("part/solved_1.h5"));
  EXPECT_EQ(column("part", "frequency_hz"), all);
  const auto values = column("part", c.column);
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_NEAR(values[i], whole_values[i], c.tolerance * std::abs(whole_values[i])) << i;
}

/// An adaptive sweep writes no file before its end, but a stopped one continues.
TEST_F(SummaryTest, AnAdaptiveSweepThatIsStoppedGoesOnAfterItsSolutions) {
  const std::string command =
      "fem-solve " + source +
      "/configs/wr90.toml --set mesh.wavelength_fraction=0.1 --set output.fields=false "
      "--set accuracy.estimate=off --device cpu --threads 1 --output ";
  ASSERT_EQ(run(command + "whole").status, 0);
  const Ended stopped =
      run("{ " + command +
          "part & pid=$!; for i in $(seq 2000); do test -e part/solved_1.h5 && break; sleep "
          "0.005; done; kill -INT $pid; wait $pid; }");
  ASSERT_EQ(stopped.status, 130) << stopped.err;
  const Ended resumed = run(command + "part --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << resumed.err;
  EXPECT_EQ(results("part")["full_solutions"], results("whole")["full_solutions"]);
  EXPECT_EQ(io::read_csv(path("part/ports.csv")).num_rows, io::read_csv(path("whole/ports.csv")).num_rows);
  EXPECT_EQ(results("part")["s_parameters"], results("whole")["s_parameters"]);
  EXPECT_FALSE(exists("part/solved_1.h5"));
}

/// The system is that of the first frequency: how fem-solve would continue from there does not matter.
TEST_F(ProgramTest, AssemblingTakesConfigsOfAdaptiveSweeps) {
  const Ended ended = run("fem-assemble " + source +
                          "/configs/iris.toml --set frequency.adaptive_tolerance=1e-3 --info --output out");
  EXPECT_EQ(ended.status, 0) << ended.err;
}

/// Lowest mode of a spherical cavity of radius 1 m, ka = 2.7437: straight cells of this size are far off,
/// with a warning; curved ones are within 0.3 %, without one.
TEST_F(SummaryTest, StraightCellsOfACurvedBodyAreWarnedOf) {
  const double exact = 2.743707270 * 299792458.0 / (2 * M_PI);
  for (const int order : {1, 2}) {
    const Ended ended = run("fem-solve " + source +
                            "/configs/spherical_cavity.toml --device cpu --output out --set "
                            "output.fields=false --set analysis.modes=3 --set mesh.order=" +
                            std::to_string(order));
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto summary = this->summary();
    const double error = std::abs(summary["results"]["f1_hz"].get<double>() / exact - 1);
    EXPECT_EQ(ended.err.find("straight cells") != std::string::npos, order == 1) << ended.err;
    EXPECT_EQ(error > 3e-3, order == 1) << error;
  }
}

/// --set frequency.values='[start, start + step, ...]'
std::string frequencies(double start, double step, int count) {
  std::string values;
  for (int i = 0; i < count; ++i) values += (i > 0 ? ", " : "") + std::to_string(start + i * step);
  return " --set frequency.values='[" + values + "]' ";
}

/// A frequency is written while the next is solved.
class WritingBehind : public SummaryTest {
 protected:
  const std::string command_ = "fem-solve " + source +
                               "/configs/iris.toml --device cpu --threads 1 -q --set mesh.size=6 --set "
                               "accuracy.estimate=off ";
  template <class T>
  std::vector<T> read(const std::string& file, const std::string& dataset) const {
    return io::H5File::open(path(file)).read<T>(dataset);
  }
  /// Largest difference of the values from `expected`, relative to its largest value.
  template <class Values, class T>
  static double difference(Values values, const std::vector<T>& expected) {
    double largest = 0, error = 0;
    for (const T& value : expected) {
      largest = std::max(largest, double(std::abs(value)));
      error = std::max(error, double(std::abs(*values++ - value)));
    }
    return error / largest;
  }
};

/// The values are those of runs of one frequency each, which write nothing in a second thread. To rounding:
/// their matrix is assembled, that of a sweep is a sum of terms; fields are written in single precision.
TEST_F(WritingBehind, ASweepWritesWhatItsFrequenciesWriteAlone) {
  constexpr int count = 3;
  ASSERT_EQ(run(command_ + frequencies(8.2e9, 3e8, count) + "--output all").status, 0);
  const auto x = read<Complex>("all/solution.h5", "x");
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(run(command_ + frequencies(8.2e9 + 3e8 * i, 0, 1) + "--output one").status, 0);
    const auto one = read<Complex>("one/solution.h5", "x");
    const std::size_t columns = read<double>("one/solution.h5", "frequency").size();
    ASSERT_EQ(x.size(), one.size() * count);
    std::vector<Complex> step;
    for (std::size_t k = 0; k < one.size(); ++k)
      step.push_back(x[k / columns * columns * count + std::size_t(i) * columns + k % columns]);
    EXPECT_LT(difference(step.begin(), one), 1e-8) << i;
    for (const char* name : {"VTKHDF/PointData/E_re", "VTKHDF/PointData/H_im", "VTKHDF/PointData/E_abs"}) {
      const auto alone = read<float>("one/fields.vtkhdf", name), all = read<float>("all/fields.vtkhdf", name);
      ASSERT_EQ(all.size(), alone.size() * count);
      EXPECT_LT(difference(all.begin() + long(alone.size()) * i, alone), 1e-6) << name << i;
    }
  }
}

/// fields.vtkhdf may not grow beyond three quarters of what it takes: one line names it, with the status of a
/// full disk; what is solved is kept, and --resume makes the results of a run that nothing disturbed. Large
/// fields fail behind a later frequency, small ones when the file is closed.
TEST_F(WritingBehind, AFullDiskEndsTheRunAndLosesNothing) {
  for (const int subdivision : {6, 2}) {
    const std::string command = command_ + frequencies(8.2e9, 1e8, 5) +
                                "--set output.field_subdivision=" + std::to_string(subdivision) + " ";
    ASSERT_EQ(run(command + "--output whole").status, 0);
    const auto whole = std::filesystem::file_size(path("whole/fields.vtkhdf"));
    const std::string limit = "trap '' XFSZ; ulimit -f " + std::to_string(whole * 3 / 4 / 1024) + "; ";
    const Ended ended = run("bash -c \"" + limit + command + "--output part\"");
    ASSERT_EQ(ended.status, 3) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_NE(ended.err.find("fields.vtkhdf"), std::string::npos) << ended.err;
    EXPECT_FALSE(exists("part/fields.vtkhdf"));
    EXPECT_EQ(summary("part")["status"], "failed");
    EXPECT_TRUE(exists("part/solved_1.h5") && exists("part/solved_2.h5"));
    EXPECT_EQ(exists("part/solved_5.h5"), subdivision == 2);
    ASSERT_EQ(run(command + "--output part --resume").status, 0);
    EXPECT_EQ(read<Complex>("part/solution.h5", "x"), read<Complex>("whole/solution.h5", "x"));
    EXPECT_EQ(read<float>("part/fields.vtkhdf", "VTKHDF/PointData/E_re"),
              read<float>("whole/fields.vtkhdf", "VTKHDF/PointData/E_re"));
    EXPECT_EQ(summary("part")["results"], summary("whole")["results"]);
    EXPECT_FALSE(exists("part/solved_1.h5"));
    std::filesystem::remove_all(path("part"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, FrequencySweep,
    testing::Values(
        Case{"fem-solve",
             "/configs/iris.toml --set output.fields=false --set mesh.size=6" + frequencies(8.2e9, 1e8, 9),
             "ports.csv", "beta_per_m", 1e-12},
        Case{"ie-solve", "/configs/pec_sphere.toml --set mesh.size=0.2" + frequencies(2e8, 1e7, 9), "rcs.csv",
             "rcs_m2", 1e-12},
        Case{"mom2d",
             "/configs/circle.toml --set contour.0.cells=60 --set frequency.adaptive_tolerance=0" +
                 frequencies(2e8, 1e7, 12),
             "echo_width.csv", "width_m", 1e-12},
        Case{"fe-iiee",
             "/configs/sphere_in_air.toml --set output.fields=false --set mesh.size=0.25" +
                 frequencies(1e8, 1e7, 6),
             "rcs.csv", "rcs_m2", 1e-2}),
    [](const auto& instance) {
      std::string name = instance.param.program;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace curlew::test
