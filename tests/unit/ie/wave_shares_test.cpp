// SPDX-License-Identifier: BSD-3-Clause
// Right-hand sides divided among GPUs: the choice, and the same shares side by side on the CPU.

#include "ie/operator/wave_shares.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ie/sources/excitation.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"
#include "kept_groups.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

constexpr std::size_t gib = std::size_t(1) << 30;

void expect_division(const GpuDivision& division, int gpus, bool by_waves) {
  EXPECT_EQ(division.gpus, gpus);
  EXPECT_EQ(division.by_waves, by_waves);
}

TEST(GpuDivision, MoreWavesThanGpusAndRoomForTheWholeOnEach) {
  const GpuNeeds needs{18 * gib, 4 * gib, true};
  expect_division(divide_gpus(needs, 0, 722, {80 * gib, 80 * gib}), 2, true);
  expect_division(divide_gpus(needs, 2, 3, {80 * gib, 80 * gib}), 2, true);
  expect_division(divide_gpus(needs, 2, 722, {80 * gib, 80 * gib, 80 * gib}), 2, true);
}

TEST(GpuDivision, RowsWhereWavesAreFewOrTheWholeDoesNotFit) {
  const GpuNeeds needs{100 * gib, 4 * gib, true};
  expect_division(divide_gpus(needs, 0, 722, {80 * gib, 80 * gib}), 2, false);
  expect_division(divide_gpus(needs, 0, 722, {140 * gib, 80 * gib}), 1, false);  // not on the second
  expect_division(divide_gpus(needs, 0, 2, {140 * gib, 140 * gib}), 1, false);   // as few as hold it
  expect_division(divide_gpus(needs, 2, 2, {140 * gib, 140 * gib}), 2, false);
  expect_division(divide_gpus({18 * gib, 4 * gib, true}, 1, 722, {80 * gib}), 1, false);
}

TEST(GpuDivision, EquationsWithoutSharedRowsTakeOneGpuOrWaves) {
  const GpuNeeds needs{18 * gib, 4 * gib, false};
  expect_division(divide_gpus(needs, 2, 1, {80 * gib, 80 * gib}), 1, false);
  expect_division(divide_gpus(needs, 2, 5, {80 * gib, 80 * gib}), 2, true);
  expect_division(divide_gpus(needs, 0, 5, {20 * gib, 20 * gib}), 1, false);
}

TEST(ChoosePreconditioner, FactorsForSeveralWavesThatFitTheGpu) {
  EXPECT_TRUE(factors_pay(4, true, 60 * gib, 80 * gib));
  EXPECT_FALSE(factors_pay(2, true, 60 * gib, 80 * gib));
  EXPECT_FALSE(factors_pay(722, true, 75 * gib, 80 * gib)) << "nothing left for what the estimate misses";
  EXPECT_FALSE(factors_pay(722, false, 60 * gib, 80 * gib));
}

TEST(WaveShares, AreNeighboursOfEqualNumber) {
  EXPECT_EQ(share_waves(722, 2), (std::vector<Index>{0, 361, 722}));
  EXPECT_EQ(share_waves(7, 3), (std::vector<Index>{0, 2, 4, 7}));
  EXPECT_EQ(share_waves(2000000000, 2).back(), 2000000000);
}

std::vector<Complex> seven_waves(const System& system) {
  std::vector<Complex> b;
  for (int i = 0; i < 7; ++i) {
    const auto one = right_hand_side(system, PlaneWave{0.3 * i, 0.4, 0.7 * i});
    b.insert(b.end(), one.begin(), one.end());
  }
  return b;
}

SolveOptions to_tolerance(double tolerance) {
  SolveOptions o;
  o.direct = false;
  o.krylov.method = linalg::KrylovMethod::gmres;
  o.krylov.tolerance = tolerance, o.krylov.use_initial_guess = true;
  return o;
}

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b, std::size_t wave,
                std::size_t n) {
  double difference = 0, size = 0;
  for (std::size_t i = wave * n; i < (wave + 1) * n; ++i)
    difference += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(difference / size);
}

/// Against factors of the matrix, which share nothing with the iteration.
TEST(WaveShares, SideBySideSolutionsAreThoseByFactors) {
  const System system(sphere_problem(4, 2, Equation::cfie));
  const SurfaceEquation equation(system);
  const auto n = std::size_t(system.num_unknowns());
  const auto b = seven_waves(system);
  auto x = b, exact = b;
  solve(equation, {}, exact, 7);

  const auto report = solve_side_by_side(equation, to_tolerance(1e-6), {0, 0, 0},
                                         groups_in_place(x.data(), Index(n), share_waves(7, 3)));

  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.share_sizes.size(), 3u);
  EXPECT_EQ(std::reduce(report.share_sizes.begin(), report.share_sizes.end()), 7);
  ASSERT_EQ(report.krylov.size(), 7u);
  int iterations = 0;
  for (const auto& one : report.krylov) iterations += one.iterations;
  EXPECT_EQ(report.iterations, iterations);
  for (std::size_t wave = 0; wave < 7; ++wave) {
    // The residual times the condition of the CFIE, some ten here.
    EXPECT_LT(distance(x, exact, wave, n), 1e-4) << wave;
  }
}

/// A wave that occurs twice, and one that is zero, beside five others; all at once and in two shares. The
/// EFIE of a sphere has slowly converging modes, whose directions are recycled; the CFIE has none.
TEST(KeptDirections, GiveTheSolutionsByFactorsInFewerIterations) {
  const System system(sphere_problem(4, 5.4, Equation::efie));
  const SurfaceEquation equation(system);
  const auto n = std::size_t(system.num_unknowns());
  auto b = seven_waves(system);
  std::copy_n(b.begin(), n, b.begin() + std::ptrdiff_t(5 * n));
  std::fill(b.begin() + std::ptrdiff_t(6 * n), b.end(), Complex());
  auto exact = b;
  solve(equation, {}, exact, 7);
  SolveOptions from_zero = to_tolerance(1e-6);
  from_zero.kept_directions = from_zero.recycled_starts = 0;
  auto plain = b;
  const auto before = solve(equation, from_zero, plain, 7);

  SolveOptions keeping = from_zero;
  keeping.kept_directions = 300;
  auto x = b;
  const auto report = solve(equation, keeping, x, 7);
  auto shared = b;
  SolveOptions own = keeping;
  own.krylov.kept_directions = 300, own.krylov.use_initial_guess = false;
  const auto shares =
      solve_side_by_side(equation, own, {0, 0}, groups_in_place(shared.data(), Index(n), share_waves(7, 2)));

  EXPECT_TRUE(report.converged && shares.converged);
  EXPECT_EQ(report.kept_directions, 300);
  EXPECT_EQ(before.kept_directions, 0);
  EXPECT_LT(3 * report.iterations, 2 * before.iterations);
  EXPECT_LT(shares.iterations, before.iterations);
  EXPECT_LE(report.krylov[5].iterations, 1) << "the first wave again";
  EXPECT_EQ(report.krylov[6].iterations, 0);
  // Near factors leave a condition of about one; ten times the tolerance.
  for (std::size_t wave = 0; wave < 6; ++wave) {
    EXPECT_LT(distance(x, exact, wave, n), 1e-5) << wave;
    EXPECT_LT(distance(shared, exact, wave, n), 1e-5) << wave;
  }
}

TEST(KeptDirections, AreChosenForSeveralWavesOfGmresAndPlanned) {
  const System system(sphere_problem(8, 2, Equation::cfie));
  const SurfaceEquation equation(system);
  const auto n = std::size_t(system.num_unknowns());
  SolveOptions o = to_tolerance(1e-3);
  o.krylov.restart = 100;

  const int chosen = choose_directions(equation, o, 7, {});
  EXPECT_GE(chosen, 50);
  EXPECT_LE(std::size_t(chosen), n / 8);
  EXPECT_EQ(choose_directions(equation, o, 1, {}), 0);
  o.kept_directions = 400;
  const auto with_single = estimate_bytes(equation, o, 7);
  o.kept_directions = 0;
  const auto without = estimate_bytes(equation, o, 7);
  o.kept_directions = 400, o.krylov.tolerance = 1e-5;
  const auto with_double = estimate_bytes(equation, o, 7);
  // Two vectors each, in double and in single, and eight directions that are pending.
  EXPECT_EQ(with_double - with_single, (400 + 4) * 16 * n);
  EXPECT_GT(with_single, without);
  o.krylov.method = linalg::KrylovMethod::tfqmr;
  EXPECT_EQ(choose_directions(equation, o, 7, {}), 0);
}

/// An equation that has only a number of unknowns.
struct EquationOfSize final : IntegralEquation {
  explicit EquationOfSize(Index n) : num_unknowns(n) {}
  Index size() const override { return num_unknowns; }
  linalg::DenseMatrix full_matrix() const override { return {}; }
  std::unique_ptr<HostFill> fill(ngim::Share, Stages&) const override { return nullptr; }
  std::unique_ptr<DeviceFill> device_fill(ngim::Share, Stages&) const override { return nullptr; }
  Preconditioning preconditioning(Preconditioner, Device) const override { return {}; }
  std::size_t making_bytes(Device) const override { return 0; }
  std::size_t device_bytes() const override { return 0; }
  Index num_unknowns;
};

/// Directions of low-accuracy products are in single precision whatever the tolerance, and fewer, as their
/// products are cheap; those of the exact sums around them take two vectors each, too.
TEST(KeptDirections, OfLooseSumsAreChosenAndPlannedWithOuterOnes) {
  const EquationOfSize equation(600000);
  SolveOptions o = to_tolerance(1e-3);
  o.accelerated = true, o.krylov.restart = 2;
  const int of_exact = choose_directions(equation, o, 7, {});
  o.relaxes_products = true;
  const int of_loose = choose_directions(equation, o, 7, {});
  EXPECT_GT(of_loose, 0);
  EXPECT_LE(of_loose, 600);
  EXPECT_LE(of_loose, of_exact);

  o.kept_directions = 80, o.acceleration_tolerance = 1e-3;
  const auto nested = estimate_bytes(equation, o, 7);
  o.acceleration_tolerance = 0.04;  // there are no coarser sums
  const auto alone = estimate_bytes(equation, o, 7);
  // Outer directions, eight that are pending in pairs, and what the inner iteration has beside its own.
  EXPECT_EQ(nested - alone, (10 + 4 + 4) * sizeof(Complex) * std::size_t(equation.size()));
}

/// Directions, recycled starts or neither: a group uses no data of the others, on any device and in any
/// order.
TEST(SolutionGroups, AreTheSameToTheBitInARunThatGoesOn) {
  const System system(sphere_problem(4, 5.4, Equation::efie));
  const SurfaceEquation equation(system);
  const auto n = std::size_t(system.num_unknowns());
  const auto b = seven_waves(system);
  set_num_threads_here(1);  // sums of starts are made in any order
  for (const auto& [directions, starts] : {std::pair(300, 0), std::pair(0, 60), std::pair(0, 0)}) {
    SolveOptions o = to_tolerance(1e-6);
    o.kept_directions = directions, o.recycled_starts = starts;
    auto x = b;
    KeptInMemory whole(3);
    const auto report = solve(equation, o, x, 7, &whole);
    EXPECT_EQ(whole.times_kept, 3);
    EXPECT_EQ(whole.groups[2].numbers, (std::vector<Index>{4, 5, 6}));
    EXPECT_EQ(report.krylov.size(), 7u);

    KeptInMemory part = whole;
    part.groups.erase(1), part.groups.erase(2);
    auto resumed = b;
    const auto again = solve(equation, o, resumed, 7, &part);
    EXPECT_EQ(part.times_kept, 5) << "two groups were solved again";
    EXPECT_TRUE(resumed == x);
    EXPECT_EQ(again.iterations, report.iterations);
    EXPECT_EQ(again.residual, report.residual);

    auto all_known = b;
    EXPECT_EQ(solve(equation, o, all_known, 7, &part).iterations, report.iterations);
    EXPECT_TRUE(all_known == x);
    EXPECT_EQ(part.times_kept, 5);

    auto exact = b;
    solve(equation, {}, exact, 7);
    for (std::size_t wave = 0; wave < 7; ++wave) EXPECT_LT(distance(x, exact, wave, n), 1e-4) << wave;
  }
  set_num_threads_here(num_threads());
}

TEST(SolutionGroups, OfWhichSomeAreCombinationsOfOthers) {
  const System system(sphere_problem(4, 2, Equation::cfie));
  const SurfaceEquation equation(system);
  auto b = seven_waves(system);
  const auto n = std::ptrdiff_t(system.num_unknowns());
  std::copy_n(b.begin(), n, b.begin() + 3 * n);
  auto o = to_tolerance(1e-6);
  o.compression_tolerance = 1e-7;
  auto x = b, resumed = b;
  KeptInMemory kept(2);
  const auto report = solve(equation, o, x, 7, &kept);
  EXPECT_EQ(report.rank, 6);
  EXPECT_EQ(kept.times_kept, 3);
  kept.groups.erase(0);
  const auto again = solve(equation, o, resumed, 7, &kept);
  EXPECT_EQ(again.rank, 6);
  EXPECT_EQ(kept.times_kept, 4);
  for (std::size_t wave = 0; wave < 7; ++wave)
    EXPECT_LT(distance(resumed, x, wave, std::size_t(n)), 1e-12) << wave;
}

TEST(SolutionGroups, DoNotDependOnTheDeviceThatSolvesThem) {
  const System system(sphere_problem(4, 5.4, Equation::efie));
  const SurfaceEquation equation(system);
  SolveOptions o = to_tolerance(1e-6);
  o.krylov.kept_directions = 300, o.krylov.use_initial_guess = false;
  auto one = seven_waves(system), two = one;
  const auto of = [&](std::vector<Complex>& x) {
    return groups_in_place(x.data(), system.num_unknowns(), {0, 3, 5, 7});
  };
  const auto in_turn = solve_in_turn(equation, o, of(one));
  const auto divided = solve_side_by_side(equation, o, {0, 0}, of(two));
  EXPECT_EQ(std::reduce(divided.share_sizes.begin(), divided.share_sizes.end()), 7);
  EXPECT_TRUE(in_turn.share_sizes.empty());
  EXPECT_EQ(divided.iterations, in_turn.iterations);
  EXPECT_LT(distance(two, one, 0, two.size()), 1e-9) << "sums of several threads round";
}

TEST(SolutionGroups, AreNoMoreThanAskedForAndOneForEachGpu) {
  EXPECT_EQ(divide_groups({}, 722, 32).size(), 24u);
  EXPECT_EQ(divide_groups({}, 722, 0), (std::vector<Index>{0, 722}));
  EXPECT_EQ(divide_groups({2, true}, 12, 32), (std::vector<Index>{0, 6, 12}));
  EXPECT_EQ(divide_groups({2, false}, 12, 32), (std::vector<Index>{0, 12}));
}

TEST(SolutionGroups, GetSmallerTowardsTheEndWhereSeveralGpusTakeThem) {
  const auto begins = divide_groups({2, true}, 100, 18);
  EXPECT_EQ(begins, (std::vector<Index>{0, 18, 36, 52, 64, 73, 79, 84, 88, 92, 96, 100}));
  EXPECT_EQ(divide_groups({3, true}, 100, 18)[1], 16) << "a sixth of what is left";
  EXPECT_EQ(divide_groups({2, true}, 9, 2), (std::vector<Index>{0, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(divide_groups({2, true}, 2000000000, 1000000000).back(), 2000000000);
}

/// A surface equation of which the second operator cannot be made.
class OneMatrix final : public IntegralEquation {
 public:
  explicit OneMatrix(const IntegralEquation& whole) : whole_(whole) {}
  Index size() const override { return whole_.size(); }
  linalg::DenseMatrix full_matrix() const override {
    if (++made_ == 2) throw ResourceError("no room for a second matrix");
    return whole_.full_matrix();
  }
  std::unique_ptr<HostFill> fill(ngim::Share, Stages&) const override { return nullptr; }
  std::unique_ptr<DeviceFill> device_fill(ngim::Share, Stages&) const override { return nullptr; }
  Preconditioning preconditioning(Preconditioner kind, Device device) const override {
    return whole_.preconditioning(kind, device);
  }
  std::size_t making_bytes(Device) const override { return 0; }
  std::size_t device_bytes() const override { return 0; }

 private:
  const IntegralEquation& whole_;
  mutable std::atomic<int> made_ = 0;
};

TEST(WaveShares, FailureOfOneIsThatOfAll) {
  const System system(sphere_problem(3, 2, Equation::cfie));
  const SurfaceEquation equation(system);
  auto x = seven_waves(system);
  const int threads = num_threads();
  EXPECT_THROW(solve_side_by_side(OneMatrix(equation), to_tolerance(1e-3), {0, 0},
                                  groups_in_place(x.data(), system.num_unknowns(), share_waves(7, 2))),
               ResourceError);
  EXPECT_EQ(num_threads(), threads) << "the shares' threads are their own";
}

}  // namespace
}  // namespace curlew::ie
