// SPDX-License-Identifier: BSD-3-Clause
// ie-solve under mpirun: processes that share the rows of the corrected operator find the currents and
// cross-sections of one.
#include <cmath>
#include <complex>

#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "run_program.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

class SharedRows : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const char* variable : {"OMP_NUM_THREADS", "OMPI_ALLOW_RUN_AS_ROOT",
                                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
      setenv(variable, "1", 1);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  }
  Ended run_on(int processes, const std::string& arguments) const {
    return run("timeout 100 mpirun -quiet -n " + std::to_string(processes) + " ie-solve " + arguments);
  }
  std::vector<Complex> currents(const std::string& folder) const {
    return io::H5File::open(path(folder + "/solution.h5")).read<Complex>("x");
  }
};

/// Relative difference of two vectors.
double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  EXPECT_EQ(a.size(), b.size());
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    wrong += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(wrong / size);
}

/// Several waves, so that starts are recycled; two regions, one of them without loss.
TEST_F(SharedRows, FindTheCurrentsOfOneProcess) {
  constexpr double tolerance = 1e-6;
  const std::string run_of = std::string(CURLEW_SOURCE_DIR) +
                             "/configs/dielectric_sphere.toml --device cpu --set mesh.size=0.3 --set "
                             "solver.method=gmres --set acceleration.type=ngim --set "
                             "acceleration.tolerance=1e-6 --set solver.tolerance=1e-6 --set "
                             "'excitation.theta=[0,40]' --set accuracy.estimate=off ";
  const Ended one = run("ie-solve " + run_of + "-q -o one");
  ASSERT_EQ(one.status, 0) << one.err;
  const auto sections = [&](const std::string& folder) {
    return io::read_csv(path(folder + "/rcs.csv")).numbers("rcs_m2");
  };

  for (const int processes : {2, 3}) {
    const std::string folder = "on" + std::to_string(processes);
    const Ended several = run_on(processes, run_of + "-o " + folder);

    ASSERT_EQ(several.status, 0) << several.err;
    // The condition of the system, some tens, between residual and solution.
    EXPECT_LT(difference(currents(folder), currents("one")), 100 * tolerance);
    const auto found = sections(folder), expected = sections("one");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(std::sqrt(found[i]), std::sqrt(expected[i]), 1e-4 * std::sqrt(expected[0])) << i;
  }
}

TEST_F(SharedRows, WrongInputIsOneLineAndOneStatus) {
  const Ended ended = run_on(2, "missing.toml -o out");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("missing.toml"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
