// SPDX-License-Identifier: BSD-3-Clause
// Programs on a processor that OpenBLAS does not know (imitated by unknown_processor.c) start again with the
// right kernels, once, as the same process.
#include <set>
#include <sstream>

#include "base/blas_kernels.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

class BlasKernelsOfPrograms : public SummaryTest {
 protected:
  void SetUp() override {
    SummaryTest::SetUp();
    const auto features = processor_features();
    if (!features.avx2) GTEST_SKIP() << "a processor without AVX2: old kernels are the right ones";
    right_ = features.avx512 ? "SkylakeX" : "Haswell";
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("CURLEW_BLAS_KERNELS");
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("OPENBLAS_THREAD_TIMEOUT", "4", 1);
  }
  /// Another reason to start again: one restart serves both.
  static void forget_how_threads_wait() {
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("OPENBLAS_THREAD_TIMEOUT");
  }
  /// @param core what OpenBLAS takes by itself
  Ended run_after(const std::string& core, const std::string& command) const {
    return run("CURLEW_TEST_STARTS=starts CURLEW_TEST_CORE=" + core + " LD_PRELOAD='" UNKNOWN_PROCESSOR "' " +
               command);
  }
  /// Numbers of the processes, once for each start.
  std::multiset<int> starts() const {
    std::istringstream text(io::read_text_file(path("starts")));
    std::multiset<int> numbers;
    for (int number = 0; text >> number;) numbers.insert(number);
    return numbers;
  }
  std::string told(const char* key) const { return summary("out").at("machine").at(key); }

  std::string right_;
  const std::string circle_ =
      std::string("mom2d " + test::source_dir() + "/configs/circle.toml --device cpu -o out ");
};

TEST_F(BlasKernelsOfPrograms, OldOnesLeadToASecondStartAsTheSameProcess) {
  forget_how_threads_wait();
  const Ended ended = run_after("Prescott", circle_ + "-v");

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(told("blas_kernels"), right_);
  EXPECT_EQ(told("blas_kernels_reason"),
            "set by the program, which restarted itself: OpenBLAS had chosen Prescott");
  EXPECT_NE(ended.err.find("kernels " + right_), std::string::npos) << ended.err;
  EXPECT_EQ(starts().size(), 2);
  EXPECT_EQ(starts().count(*starts().begin()), 2);
  EXPECT_TRUE(summary("out")["warnings"].empty());
}

TEST_F(BlasKernelsOfPrograms, RightOnesCostNothing) {
  const Ended ended = run_after("Haswell", circle_);

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(told("blas_kernels"), "Haswell");
  EXPECT_EQ(told("blas_kernels_reason"), "chosen by OpenBLAS");
  EXPECT_EQ(starts().size(), 1);
}

TEST_F(BlasKernelsOfPrograms, WhatTheUserSetsStays) {
  const Ended ended = run_after("Prescott", "OPENBLAS_CORETYPE=Core2 " + circle_);

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(told("blas_kernels"), "Core2");
  EXPECT_EQ(told("blas_kernels_reason"), "set by OPENBLAS_CORETYPE=Core2");
  EXPECT_EQ(starts().size(), 1);
  EXPECT_TRUE(summary("out")["warnings"].empty());
}

TEST_F(BlasKernelsOfPrograms, WhereTheSecondStartDoesNotHelpTheProgramWarnsAndGoesOn) {
  const Ended ended = run_after("Prescott", "CURLEW_TEST_DEAF=1 " + circle_);

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(starts().size(), 2);
  EXPECT_EQ(told("blas_kernels"), "Prescott");
  EXPECT_NE(ended.err.find("kernels for Prescott, older than this processor"), std::string::npos)
      << ended.err;
}

TEST_F(BlasKernelsOfPrograms, WordsOfTheCommandLineSurvive) {
  const Ended ended = run_after("Prescott", "mom2d 'no such file.toml' --device cpu");

  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("no such file.toml"), std::string::npos) << ended.err;
  EXPECT_EQ(starts().size(), 2);
}

#ifdef CURLEW_TEST_BENCH
TEST_F(BlasKernelsOfPrograms, BenchesDropWhatTheUserSets) {
  forget_how_threads_wait();
  const Ended ended = run_after("Haswell", "OPENBLAS_CORETYPE=Core2 em-bench nothing");

  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_EQ(starts().size(), 2);
}
#endif

#ifdef CURLEW_TEST_MPI
TEST_F(BlasKernelsOfPrograms, EachOfSeveralProcessesStartsAgainBeforeTheyMeet) {
  forget_how_threads_wait();
  for (const char* variable : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                               "OMPI_MCA_rmaps_base_oversubscribe", "OMP_NUM_THREADS"})
    setenv(variable, "1", 1);
  const std::string guide = test::source_dir() + "/configs/wr90.toml --set mesh.wavelength_fraction=0.25";
  const Ended ended =
      run("timeout 400 mpirun -quiet --bind-to none -n 2 env CURLEW_TEST_STARTS=starts "
          "CURLEW_TEST_CORE=Prescott LD_PRELOAD='" UNKNOWN_PROCESSOR "' fem-solve " +
          guide + " --set frequency.points=1 --set accuracy.estimate=off -o out");

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(told("blas_kernels"), right_);
  EXPECT_NE(ended.err.find("on 2 processes"), std::string::npos) << ended.err;
  const auto all = starts();
  int of_three = 0;  // start as fem-solve, fem-solve-mpi and that again; em-mesh once
  for (const int number : std::set<int>(all.begin(), all.end())) {
    EXPECT_TRUE(all.count(number) == 1 || all.count(number) == 3) << number;
    of_three += all.count(number) == 3 ? 1 : 0;
  }
  EXPECT_EQ(of_three, 2);
}
#endif

}  // namespace
}  // namespace curlew::test
