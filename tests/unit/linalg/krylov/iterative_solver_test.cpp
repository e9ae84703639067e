// SPDX-License-Identifier: BSD-3-Clause
// The interface for programs: prepare and solve with every preconditioner, sorting of unknowns, every
// failure.

#include "linalg/krylov/iterative_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "base/error.hpp"
#include "helmholtz.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "needs_gpu.hpp"

namespace curlew::linalg {
namespace {

using testing::helmholtz;
using testing::right_side;

std::vector<Device> devices() {
  if (device_info().name.empty()) return {Device::cpu};
  return {Device::cpu, Device::cuda};
}

IterativeOptions options_for(Device device, const std::string& preconditioner,
                             KrylovMethod method = KrylovMethod::gmres) {
  IterativeOptions o;
  o.device = device, o.preconditioner = preconditioner, o.krylov.method = method;
  return o;
}

/// The message of the exception of solve.
template <class E>
std::string failure(const IterativeOptions& o, const Csr<Complex>& a, const std::vector<Complex>& b) {
  std::vector<Complex> x(b.size());
  try {
    IterativeSolver solver(o, {0, a.num_rows});
    solver.prepare(a);
    solver.solve(b.data(), x.data(), Index(b.size() / std::size_t(a.num_rows)));
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(IterativeSolver, EveryPreconditionerSolvesSeveralRightHandSides) {
  const auto a = helmholtz<Complex>(12, 1);
  const Index n = a.num_rows;
  auto b = right_side<Complex>(2 * n, 1);
  for (const Device device : devices())
    for (const std::string& p : preconditioner_names()) {
      std::vector<Complex> x(b.size());
      IterativeSolver solver(options_for(device, p), {0, n / 2, n, n});
      solver.prepare(a);

      const auto report = solver.solve(b.data(), x.data(), 2);

      ASSERT_EQ(report.columns.size(), 2U);
      EXPECT_LE(relative_residual(a, x.data(), b.data(), 2), 1.1e-9);
      EXPECT_LE(report.relative_residual, 1e-9);
      EXPECT_EQ(report.iterations, report.columns[0].iterations + report.columns[1].iterations);
      EXPECT_EQ(report.columns[0].residuals.size(), std::size_t(report.columns[0].iterations));
      EXPECT_LE(report.columns[0].residuals.back(), 1e-9);
      // Half of a mesh is no order: some of its rows are slow and join the other half.
      EXPECT_GE(solver.info().coarse_unknowns, p == "multilevel" ? n / 2 : 0);
      EXPECT_LE(solver.info().coarse_unknowns, p == "multilevel" ? 3 * n / 5 : p == "subdomains" ? n : 0);
    }
}

/// Each in a separate test: tools that watch each access run a process for each.
class ColumnsSolvedAtOnce : public ::testing::TestWithParam<std::tuple<std::string, KrylovMethod>> {};

TEST_P(ColumnsSolvedAtOnce, TakeTheStepsThatTheyTakeAlone) {
  const auto [preconditioner, method] = GetParam();
  const bool small = wants_small_cases();
  const auto a = helmholtz<Complex>(small ? 5 : 12, 1);
  const Index n = a.num_rows, count = small ? 4 : 7;  // more than columns at once, and no multiple
  const auto b = right_side<Complex>(count * n, 1);
  for (const Device device : devices()) {
    auto o = options_for(device, preconditioner, method);
    std::vector<Complex> alone(b.size()), together(b.size());
    o.columns = 1;
    IterativeSolver one(o, {0, n / 2, n});
    one.prepare(a);
    o.columns = 3;
    IterativeSolver three(o, {0, n / 2, n});
    three.prepare(a);

    const auto first = one.solve(b.data(), alone.data(), count);
    const auto second = three.solve(b.data(), together.data(), count);

    for (Index c = 0; c < count; ++c)
      EXPECT_NEAR(first.columns[std::size_t(c)].iterations, second.columns[std::size_t(c)].iterations, 1);
    EXPECT_LE(relative_residual(a, together.data(), b.data(), count), 1.1e-9);
    for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_LT(std::abs(alone[i] - together[i]), 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ColumnsSolvedAtOnce,
                         ::testing::Combine(::testing::Values("none", "jacobi", "multilevel"),
                                            ::testing::Values(KrylovMethod::gmres, KrylovMethod::cocr)));

TEST(IterativeSolver, OneOfSeveralColumnsThatFailsIsNamed) {
  const auto a = helmholtz<Complex>(8, 2);
  const Index n = a.num_rows;
  auto b = right_side<Complex>(3 * n, 3);
  b[std::size_t(n) + 5] = std::numeric_limits<double>::quiet_NaN();
  for (const Device device : devices())
    EXPECT_NE(failure<NumericalError>(options_for(device, "multilevel"), a, b).find("right-hand side 2: "),
              std::string::npos);
}

TEST(IterativeSolver, RowsThatAreTurnedJoinTheCoarseLevel) {
  auto a = helmholtz<Complex>(10, 0.5);
  const Index n = a.num_rows;
  for (Index i : {Index(70), Index(81)})  // of the upper level, which begins at 50
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) a.values[k] *= Complex(0.6, -0.8);
  const auto b = right_side<Complex>(n, 2);
  std::vector<Complex> x(b.size());
  IterativeSolver solver(options_for(Device::cpu, "multilevel"), {0, 50, n});
  solver.prepare(a);

  solver.solve(b.data(), x.data());

  EXPECT_GE(solver.info().coarse_unknowns, 52);
  EXPECT_LT(solver.info().coarse_unknowns, 70);
  EXPECT_LE(relative_residual(a, x.data(), b.data()), 1.1e-9);
}

/// A without its entries (i, j) and (j, i).
Csr<Complex> without_entry(const Csr<Complex>& a, Index i, Index j) {
  Csr<Complex> b = a;
  b.columns.clear(), b.values.clear();
  for (Index row = 0; row < a.num_rows; ++row) {
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      const Index column = a.columns[k];
      if ((row == i && column == j) || (row == j && column == i)) continue;
      b.columns.push_back(column), b.values.push_back(a.values[k]);
    }
    b.row_offsets[row + 1] = Offset(b.columns.size());
  }
  return b;
}

/// The time of the analysis tells whether there was another.
TEST(IterativeSolver, OneAnalysisOfTheCoarseLevelServesAllMatricesOfAPattern) {
  const auto first = helmholtz<Complex>(10, 0.5);
  auto next = first;
  for (Complex& value : next.values) value *= 3;
  const Index n = first.num_rows;
  for (const Device device : devices()) {
    const auto b = right_side<Complex>(n, 2);
    std::vector<Complex> x(b.size());
    const auto iterations = [&](IterativeSolver& solver, const Csr<Complex>& a) {
      solver.prepare(a);
      const int count = solver.solve(b.data(), x.data()).iterations;
      EXPECT_LE(relative_residual(a, x.data(), b.data()), 1.1e-9);
      return count;
    };
    IterativeSolver solver(options_for(device, "multilevel"), {0, 50, n});
    const int alone = iterations(solver, first);
    const double analysed = solver.info().coarse_analyse_seconds;
    EXPECT_GT(analysed, 0);
    EXPECT_EQ(iterations(solver, next), alone);  // by its own factors
    EXPECT_EQ(solver.info().coarse_analyse_seconds, analysed);
    iterations(solver, without_entry(next, 3, 4));
    EXPECT_NE(solver.info().coarse_analyse_seconds, analysed);
  }
}

/// Iterations with factors of the coarse level in single and in double precision, and its
/// library.
struct WithShortFactors {
  int iterations;
  std::string library;
};
WithShortFactors solve_with(bool short_factors, const Csr<Complex>& a, std::vector<Index> offsets) {
  const auto b = right_side<Complex>(a.num_rows, 5);
  std::vector<Complex> x(b.size());
  auto o = options_for(Device::cpu, "multilevel");
  o.short_factors = short_factors, o.krylov.tolerance = 1e-9;
  IterativeSolver solver(o, std::move(offsets));
  solver.prepare(a);
  const int iterations = solver.solve(b.data(), x.data()).iterations;
  EXPECT_LE(relative_residual(a, x.data(), b.data()), 1.1e-9);
  return {iterations, solver.info().coarse_library};
}
bool is_single(const WithShortFactors& with) {
  return with.library.find("single precision") != std::string::npos;
}

TEST(IterativeSolver, FactorsInSinglePrecisionCostNoIterations) {
  const auto a = helmholtz<Complex>(12, 1);
  const std::vector<Index> offsets{0, a.num_rows / 2, a.num_rows};

  const auto in_single = solve_with(true, a, offsets), in_double = solve_with(false, a, offsets);

  EXPECT_TRUE(is_single(in_single)) << in_single.library;
  EXPECT_FALSE(is_single(in_double)) << in_double.library;
  EXPECT_GT(in_double.iterations, 5);
  EXPECT_LE(in_single.iterations, in_double.iterations + 1);
}

TEST(IterativeSolver, AMatrixFactorisedAsAWholeKeepsDoublePrecision) {
  const auto a = helmholtz<Complex>(12, 3);

  const auto whole = solve_with(true, a, {0, a.num_rows});

  EXPECT_FALSE(is_single(whole)) << whole.library;
  EXPECT_LE(whole.iterations, 2);
}

/// Next to a resonance of the coarse level single precision has no digits left.
TEST(IterativeSolver, ACoarseLevelNearAResonanceGetsFactorsInDoublePrecision) {
  const Index coarse = 100, n = 2 * coarse;
  // A chain whose first eigenvalue is left as `rest`, and as many further unknowns attached to it.
  const auto chain = [&](double rest) {
    Coo<Complex> a;
    a.num_rows = a.num_cols = n;
    const double first = 4 * std::pow(std::sin(std::numbers::pi / (2 * coarse + 2)), 2);
    for (Index i = 0; i < coarse; ++i) {
      a.add(i, i, 2 - first + rest), a.add(i + coarse, i + coarse, 4);
      a.add(i, i + coarse, 0.3), a.add(i + coarse, i, 0.3);
      if (i + 1 < coarse) a.add(i, i + 1, -1), a.add(i + 1, i, -1);
    }
    return to_csr(a);
  };

  const auto far = solve_with(true, chain(0.1), {0, coarse, n});
  const auto near = solve_with(true, chain(3e-7), {0, coarse, n});
  const auto expected = solve_with(false, chain(3e-7), {0, coarse, n});

  EXPECT_TRUE(is_single(far)) << far.library;
  EXPECT_FALSE(is_single(near)) << near.library;
  EXPECT_EQ(near.iterations, expected.iterations);
}

TEST(IterativeSolver, EveryBadEndHasItsStatusAndItsResidual) {
  const auto a = helmholtz<Complex>(8, 2);
  const auto b = right_side<Complex>(a.num_rows, 3);
  auto zero = a, hole = a, poisoned = a, crooked = a;
  for (auto& v : zero.values) v = 0;
  for (Offset k = hole.row_offsets[5]; k < hole.row_offsets[6]; ++k) hole.values[k] = 0;
  poisoned.values[7] = std::numeric_limits<double>::quiet_NaN();
  crooked.values[1] *= 3;
  for (const Device device : devices()) {
    auto plain = options_for(device, "none"), jacobi = options_for(device, "jacobi"),
         levels = options_for(device, "multilevel");
    EXPECT_NE(failure<NumericalError>(plain, zero, b).find("true relative residual 1.000e+00"),
              std::string::npos);
    EXPECT_NE(failure<NumericalError>(jacobi, zero, b).find("diagonal of row 0"), std::string::npos);
    EXPECT_NE(failure<NumericalError>(levels, zero, b), "nothing was thrown");
    EXPECT_NE(failure<NumericalError>(plain, hole, b).find("true relative residual"), std::string::npos);
    EXPECT_NE(failure<NumericalError>(jacobi, hole, b).find("diagonal of row 5"), std::string::npos);
    EXPECT_NE(failure<NumericalError>(plain, poisoned, b).find("row"), std::string::npos);
    plain.krylov.max_iterations = 2;
    EXPECT_NE(
        failure<NumericalError>(plain, a, b).find("not converged after 2 iterations, true relative residual"),
        std::string::npos);
    const std::tuple<KrylovMethod, const char*, const char*> ways[] = {
        {KrylovMethod::tfqmr, "none",
         "take bicgstabl, cocr (for a symmetric matrix) or gmres with multilevel"},
        {KrylovMethod::bicgstabl, "jacobi", "take cocr (for a symmetric matrix) or gmres with multilevel"},
        {KrylovMethod::cocr, "jacobi", "take bicgstabl or gmres with multilevel"},
        {KrylovMethod::gmres, "jacobi", "take bicgstabl, cocr"},
        {KrylovMethod::gmres, "multilevel", "take a finer mesh, or the direct solver"}};
    for (const auto& [method, preconditioner, words] : ways) {
      auto slow = options_for(device, preconditioner, method);
      slow.krylov.max_iterations = 0;
      EXPECT_NE(failure<NumericalError>(slow, a, b).find(words), std::string::npos) << words;
    }
    jacobi.krylov.tolerance = 0;  // continues until nothing improves, then says so
    EXPECT_NE(failure<NumericalError>(jacobi, a, b).find("tolerance 0.000e+00"), std::string::npos);
    EXPECT_NE(
        failure<InputError>(options_for(device, "none", KrylovMethod::cocr), crooked, b).find("symmetric"),
        std::string::npos);
  }
}

TEST(IterativeSolver, RefusesWhatIsOutOfRange) {
  IterativeOptions o;
  o.coarse_order = 4;
  EXPECT_THROW(IterativeSolver(o, {0, 4}), InputError);
  EXPECT_THROW(preconditioner_named("ilu"), InputError);
  IterativeSolver solver({}, {0, 4});
  EXPECT_THROW(solver.prepare(identity<Complex>(5)), InputError);
  std::vector<Complex> x(4);
  EXPECT_THROW(solver.solve(x.data(), x.data()), InputError);
}

TEST(SystemSolver, DirectAndIterativeAgree) {
  const auto a = helmholtz<Complex>(9, 2);
  const auto b = right_side<Complex>(a.num_rows, 4);
  std::vector<Complex> x(b.size()), y(b.size());
  SystemOptions o;
  SystemSolver direct(o, {0, a.num_rows});
  o.iterative = options_for(Device::cpu, "jacobi", KrylovMethod::bicgstabl);
  SystemSolver iterative(o, {0, a.num_rows});
  direct.analyse(a), direct.prepare(a), iterative.analyse(a), iterative.prepare(a);

  const auto first = direct.solve(b.data(), x.data()), second = iterative.solve(b.data(), y.data());

  EXPECT_EQ(first.method, "direct");
  EXPECT_EQ(second.method, "bicgstabl");
  EXPECT_EQ(second.history.size(), std::size_t(second.iterations));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(x[i] - y[i]), 1e-6);
}

}  // namespace
}  // namespace curlew::linalg
