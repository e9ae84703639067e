// SPDX-License-Identifier: BSD-3-Clause
// Threads of programs that wait for others sleep, unless the user's environment says otherwise.
#include <sched.h>

#include <string>

#include "run_program.hpp"

namespace curlew::test {
namespace {

class WaitingThreads : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const char* variable : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OPENBLAS_THREAD_TIMEOUT"})
      unsetenv(variable);
    for (const char* variable :
         {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
      setenv(variable, "1", 1);
  }
  /// The environment as `mom2d --machine` and, at each start, the OpenMP library print it.
  std::string told_with(const std::string& environment, const std::string& program = "mom2d") const {
    const Ended ended = run("export OMP_DISPLAY_ENV=verbose; " + environment + " " + program + " --machine");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return ended.out + ended.err;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(WaitingThreads, SleepByDefault) {
  for (const char* program : {"mom2d", "em-ngim"}) {
    const std::string told = told_with("", program);

    EXPECT_TRUE(has(told, "GOMP_SPINCOUNT = '0'")) << told;
    EXPECT_TRUE(has(told, "OMP_WAIT_POLICY: passive")) << told;
    EXPECT_TRUE(has(told, "OPENBLAS_THREAD_TIMEOUT: 4")) << told;
  }
}

TEST_F(WaitingThreads, WaitAsTheUserSays) {
  const std::string told = told_with("OMP_WAIT_POLICY=active OPENBLAS_THREAD_TIMEOUT=26");

  EXPECT_FALSE(has(told, "GOMP_SPINCOUNT = '0'")) << told;
  EXPECT_TRUE(has(told, "OMP_WAIT_POLICY: active")) << told;
  EXPECT_TRUE(has(told, "OPENBLAS_THREAD_TIMEOUT: 26")) << told;
}

TEST_F(WaitingThreads, OfOpenMpSpinAsOftenAsTheUserSays) {
  const std::string told = told_with("GOMP_SPINCOUNT=1000");

  EXPECT_FALSE(has(told, "GOMP_SPINCOUNT = '0'")) << told;
  EXPECT_FALSE(has(told, "OMP_WAIT_POLICY: ")) << told;
  EXPECT_TRUE(has(told, "GOMP_SPINCOUNT: 1000")) << told;
  EXPECT_TRUE(has(told, "OPENBLAS_THREAD_TIMEOUT: 4")) << told;
}

TEST_F(WaitingThreads, AreNoMoreThanTheProcessorsOfTheAffinity) {
  cpu_set_t own;
  CPU_ZERO(&own);
  ASSERT_EQ(sched_getaffinity(0, sizeof own, &own), 0);
  int first = 0;
  while (!CPU_ISSET(first, &own)) ++first;

  const std::string told = told_with("taskset -c " + std::to_string(first));
  EXPECT_TRUE(has(told, ", 1 cores for this program")) << told;
}

#ifdef CURLEW_TEST_MPI
TEST_F(WaitingThreads, SleepInEachOfSeveralProcesses) {
  for (const char* program : {"fem-solve", "ie-solve"}) {
    const std::string told = told_with("", std::string("timeout 400 mpirun -quiet -n 2 ") + program);
    EXPECT_TRUE(has(told, "OMP_WAIT_POLICY: passive")) << told;
    EXPECT_TRUE(has(told, "OPENBLAS_THREAD_TIMEOUT: 4")) << told;
  }
}

TEST_F(WaitingThreads, OfOpenMpiYieldUnlessTheUserSaysOtherwise) {
  setenv("OMPI_MCA_mpi_show_mca_params", "enviro", 1);
  const std::string yields = "mpi_yield_when_idle=", run_of = "timeout 400 mpirun -quiet -n 2 ";
  EXPECT_TRUE(has(told_with("", run_of + "fem-solve"), yields + "true"));
  EXPECT_TRUE(has(told_with("", run_of + "--mca mpi_yield_when_idle 0 fem-solve"), yields + "false"));
  unsetenv("OMPI_MCA_mpi_show_mca_params");
}
#endif

}  // namespace
}  // namespace curlew::test
