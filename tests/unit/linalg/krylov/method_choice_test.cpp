// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/method_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace curlew::linalg {
namespace {

constexpr std::size_t gib = std::size_t(1) << 30;

SolverDemand order_2(Index unknowns, int right_hand_sides = 1, int frequencies = 1) {
  return {unknowns, unknowns / 5, Offset(unknowns) * 45, right_hand_sides, frequencies};
}
SolverDemand order_1(Index unknowns) {
  return {unknowns, unknowns, Offset(unknowns) * 16};
}
SolverMachine cpu(int threads, std::size_t memory) {
  return {threads, memory};
}
SolverMachine gpu(bool has_cudss, std::size_t device_memory = 140 * gib) {
  return {16, 128 * gib, true, has_cudss, device_memory};
}

struct Case {
  const char* what;
  SolverDemand demand;
  SolverMachine machine;
  bool is_iterative;
  const char* says;
};

// Choices that were measured to be faster, or the only ones to fit (docs/measured/solvers.md).
TEST(MethodChoice, TableOfRuns) {
  const Case cases[] = {
      {"seconds anyway", order_2(50'000), cpu(2, 16 * gib), false, "take seconds"},
      {"seconds anyway, many frequencies", order_2(50'000, 2, 101), cpu(2, 16 * gib), false, "direct"},
      {"guide of k = 10: 7 s and 2 s", order_2(134'820), cpu(16, 128 * gib), true, "iterative on the CPU"},
      {"many right-hand sides share the factors", order_2(134'820, 500), cpu(16, 128 * gib), false, "direct"},
      {"guide of k = 20: 150 s and 25 s", order_2(1'100'988), cpu(16, 128 * gib), true, "iterative"},
      {"one order: no levels", order_1(1'000'000), cpu(16, 128 * gib), false, "factorise 100 %"},
      {"no room for the factors", order_2(90'000), cpu(2, gib / 4), true, "do not fit"},
      {"antenna of order 3 on 2 cores: 7.4 s and 14 s",
       {146'595, 50'000, 10'989'234, 1, 1, 9.2e10, gib},
       cpu(2, 16 * gib),
       false,
       "direct on the CPU"},
      {"guide of k = 20, GPU: 6.1 s and 2.8 s", order_2(1'100'988), gpu(true), true, "iterative on the GPU"},
      {"the factors do not fit the GPU", order_2(4'000'000), gpu(true, 80 * gib), true, "do not fit"},
      {"GPU with cuDSS, many right-hand sides", order_2(300'000, 200), gpu(true), false, "direct on the GPU"},
      {"no cuDSS: MUMPS against levels on the GPU", order_2(134'820), gpu(false), true,
       "iterative on the GPU"},
  };
  for (const Case& c : cases) {
    const MethodChoice choice = choose_method(c.demand, c.machine);
    EXPECT_EQ(choice.is_iterative, c.is_iterative) << c.what << ": " << choice.reason;
    EXPECT_NE(choice.reason.find(c.says), std::string::npos) << c.what << ": " << choice.reason;
  }
}

// Seconds of 16 cores and of one H200, and its memory, in docs/measured/solvers.md: within a factor of
// 2.2.
TEST(MethodChoice, PredictionsAreThoseMeasured) {
  const auto within = [](double predicted, double measured) {
    return predicted < 2.2 * measured && measured < 2.2 * predicted;
  };
  const auto small = choose_method(order_2(134'820), cpu(16, 128 * gib));
  EXPECT_TRUE(within(small.direct.seconds, 7.4)) << small.direct.seconds;
  EXPECT_TRUE(within(small.iterative.seconds, 2.1)) << small.iterative.seconds;
  const auto large = choose_method(order_2(1'100'988), gpu(true));
  EXPECT_TRUE(within(large.direct.seconds, 6.1)) << large.direct.seconds;
  EXPECT_TRUE(within(large.iterative.seconds, 2.76)) << large.iterative.seconds;
  EXPECT_TRUE(within(double(large.direct.bytes), 20.2 * gib)) << large.direct.bytes;
  EXPECT_TRUE(within(double(expected_factor_bytes(140'580)), 1.55 * gib));
}

// The array of 4 x 4 patches of docs/measured/solvers.md, a flat device: analysis 12.5 s, factorisation and
// 16 substitutions 11.3 s; iterations 28 s in all. The time of the analysis is already spent.
TEST(MethodChoice, FlatArrayOnAGpu) {
  SolverDemand array{4'888'448, 1'250'000, 200'681'584, 16, 1, 0, 88'700'000'000};

  const auto before = choose_method(array, gpu(true));
  array.is_analysed = true;
  const auto after = choose_method(array, gpu(true));

  EXPECT_NEAR(before.direct.seconds, 23.8, 12);
  EXPECT_NEAR(after.direct.seconds, 11.3, 6);
  EXPECT_NEAR(after.iterative.seconds, 28, 14);
  EXPECT_FALSE(after.is_iterative) << after.reason;
}

// em-bench multilevel --case puck --threads 1, order 3 on half of its mesh size: 7.0 s and 6.4 s.
TEST(MethodChoice, DeviceOnOneCore) {
  const auto choice = choose_method({114'477, 39'354, 8'948'061, 2, 1, 1.87e11, gib}, cpu(1, 16 * gib));
  EXPECT_GT(choice.direct.seconds, 7.0 / 2);
  EXPECT_LT(choice.direct.seconds, 7.0 * 2);
  EXPECT_GT(choice.iterative.seconds, 6.4 / 2);
  EXPECT_LT(choice.iterative.seconds, 6.4 * 2);
  EXPECT_FALSE(choice.is_iterative) << choice.reason;
}

// Factors in single precision take half of the memory and of the time to read at each iteration; flexible
// GMRES stores two vectors per iteration in place of one, for up to 36.
TEST(MethodChoice, CoarseFactorsInSinglePrecisionTakeHalf) {
  SolverDemand demand = order_2(1'000'000);
  demand.factor_bytes = 16 * gib;
  const auto in_double = choose_method(demand, cpu(16, 128 * gib)).iterative;
  demand.short_factors = true;
  const auto in_single = choose_method(demand, cpu(16, 128 * gib)).iterative;

  const double coarse = 16.0 * gib * std::pow(0.2, 4.0 / 3);
  const double vectors = 36.0 * 1'000'000 * sizeof(Complex);
  EXPECT_NEAR(double(in_double.bytes) - double(in_single.bytes), coarse / 2 - vectors, 16);
  EXPECT_LT(in_single.seconds, in_double.seconds);
}

// The vectors of GMRES(100) are taken as they are reached, on a GPU all at once; beside them there are the
// matrix, twice, and the coarse factors.
TEST(MethodChoice, VectorsOfTheIterationsToCome) {
  const SolverDemand demand = order_2(1'000'000);
  const auto beside_matrix_and_factors = [&](const SolverMachine& machine) {
    const double matrix = 2.0 * double(demand.nonzeros) * (sizeof(Complex) + sizeof(Index));
    const double factors = double(expected_factor_bytes(1'000'000)) * std::pow(0.2, 4.0 / 3);
    return (double(choose_method(demand, machine).iterative.bytes) - matrix - factors) /
           (1e6 * sizeof(Complex));
  };
  EXPECT_NEAR(beside_matrix_and_factors(cpu(16, 128 * gib)), 41, 0.01);
  EXPECT_NEAR(beside_matrix_and_factors(gpu(true)), 104, 0.01);
}

// An analysis that found less work (flat devices) moves the choice to the direct solver.
TEST(MethodChoice, AnAnalysisCounts) {
  SolverDemand flat = order_2(200'000);
  ASSERT_TRUE(choose_method(flat, cpu(4, 64 * gib)).is_iterative);
  flat.factor_flops = 1e10, flat.factor_bytes = gib / 2;

  const auto choice = choose_method(flat, cpu(4, 64 * gib));

  EXPECT_FALSE(choice.is_iterative) << choice.reason;
  EXPECT_EQ(choice.direct.bytes, gib / 2);
}

}  // namespace
}  // namespace curlew::linalg
