// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/refinement.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <limits>
#include <utility>

#include "base/error.hpp"
#include "message_of.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

/// Dense Gaussian elimination with row exchanges.
std::vector<Complex> dense_solution(const Csr<Complex>& a, std::vector<Complex> b) {
  const Index n = a.num_rows;
  std::vector<std::vector<Complex>> rows(n, std::vector<Complex>(n));
  for (Index i = 0; i < n; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) rows[i][a.columns[k]] = a.values[k];
  }
  for (Index p = 0; p < n; ++p) {
    Index best = p;
    for (Index i = p; i < n; ++i) best = std::abs(rows[i][p]) > std::abs(rows[best][p]) ? i : best;
    std::swap(rows[p], rows[best]), std::swap(b[p], b[best]);
    for (Index i = p + 1; i < n; ++i) {
      const Complex factor = rows[i][p] / rows[p][p];
      for (Index j = p; j < n; ++j) rows[i][j] -= factor * rows[p][j];
      b[i] -= factor * b[p];
    }
  }
  for (Index i = n; i-- > 0;) {
    for (Index j = i + 1; j < n; ++j) b[i] -= rows[i][j] * b[j];
    b[i] /= rows[i][i];
  }
  return b;
}

double relative_difference(const std::vector<Complex>& x, const std::vector<Complex>& y) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) difference += std::norm(x[i] - y[i]), size += std::norm(y[i]);
  return std::sqrt(difference / size);
}

/// Makes the coupling of x neighbours stronger one way, keeping the pattern.
Csr<Complex> unsymmetric(Csr<Complex> a) {
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (a.columns[k] > i) a.values[k] *= Complex(0.3, 0.4);
    }
  }
  return a;
}

TEST(DirectSolver, AgreesWithDenseElimination) {
  const auto a = helmholtz_like(5, 2);
  const auto b = random_vector(a.num_rows);
  const auto expected = dense_solution(a, b);

  auto solver = make_direct_solver<Complex>({});
  solver->analyse(a);
  solver->factor(a);
  auto x = b;
  solver->solve(x.data());
  EXPECT_LT(relative_difference(x, expected), 1e-12);
}

TEST(DirectSolver, UnsymmetricMatrixIsNotTakenForSymmetric) {
  const auto a = unsymmetric(helmholtz_like(5));
  const auto b = random_vector(a.num_rows);
  const auto expected = dense_solution(a, b);

  auto solver = make_direct_solver<Complex>({.symmetry = Symmetry::unsymmetric});
  solver->analyse(a);
  solver->factor(a);
  auto x = b;
  solver->solve(x.data());

  EXPECT_LT(relative_difference(x, expected), 1e-12);
}

/// Values far outside of the range of single precision are no hindrance.
TEST(DirectSolver, FactorsInSinglePrecisionSolveToItsDigits) {
  for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric})
    for (const double size : {1.0, 1e-60, 3e70}) {
      auto a = symmetry == Symmetry::symmetric ? helmholtz_like(5, 2) : unsymmetric(helmholtz_like(5, 2));
      const Index n = a.num_rows;
      auto b = random_vector(std::size_t(n) * 3);
      // One column as it is, the same far larger, and zero.
      for (Index i = 0; i < n; ++i) b[n + i] = 1e50 * b[i], b[2 * n + i] = 0;
      const auto expected = dense_solution(a, {b.begin(), b.begin() + n});
      for (Complex& value : a.values) value *= size;
      auto solver = make_direct_solver<Complex>({.symmetry = symmetry, .single_precision = true});
      solver->analyse(a);
      solver->factor(a);

      solver->solve(b.data(), 3);

      for (const Index column : {0, 1}) {
        std::vector<Complex> x(b.begin() + column * n, b.begin() + (column + 1) * n);
        for (Complex& value : x) value *= column == 0 ? size : size / 1e50;
        const double error = relative_difference(x, expected);
        EXPECT_LT(error, 1e-4) << size;
        EXPECT_GT(error, 1e-9) << "factors in double precision?";
      }
      for (Index i = 0; i < n; ++i) EXPECT_EQ(b[2 * n + i], Complex(0));
    }
}

TEST(DirectSolver, FactorsInSinglePrecisionTakeHalfTheMemory) {
  const auto a = helmholtz_like(28);
  const auto bytes = [&](bool single) {
    auto solver = make_direct_solver<Complex>({.single_precision = single});
    solver->analyse(a);
    solver->factor(a);
    return double(solver->info().factor_bytes);
  };
  EXPECT_LT(bytes(true), 0.65 * bytes(false));
}

TEST(DirectSolver, SeveralFrequenciesShareOneAnalysis) {
  auto solver = make_direct_solver<Complex>({});
  solver->analyse(helmholtz_like(6));

  for (const double shift : {0.5, 1.7, 3.3}) {
    const auto a = helmholtz_like(6, 1, {shift, -0.1});
    solver->factor(a);
    const auto b = random_vector(a.num_rows);
    auto x = b;
    solver->solve(x.data());
    EXPECT_LT(relative_residual(a, x.data(), b.data()), 1e-13) << shift;
  }
}

TEST(DirectSolver, ManyRightHandSidesEqualSingleOnes) {
  const auto a = helmholtz_like(6);
  const Index n = a.num_rows, count = 37;  // not a multiple of the block
  auto solver = make_direct_solver<Complex>({.rhs_block = 16});
  solver->analyse(a);
  solver->factor(a);
  const auto b = random_vector(std::size_t(n) * count);

  auto together = b;
  solver->solve(together.data(), count);

  for (const Index c : {0, 15, 16, 36}) {
    std::vector<Complex> single(b.begin() + std::ptrdiff_t(c) * n, b.begin() + std::ptrdiff_t(c + 1) * n);
    solver->solve(single.data());
    double difference = 0;
    for (Index i = 0; i < n; ++i)
      difference = std::max(difference, std::abs(single[i] - together[c * n + i]));
    EXPECT_LT(difference, 1e-12) << "column " << c;
  }
}

TEST(DirectSolver, RealMatrixCountsItsNegativeEigenvalues) {
  const Index n = 50;
  const double shift = 1.3;
  const auto a = add(1.0, chain(n), -shift, identity<double>(n));
  int expected = 0;
  for (Index j = 1; j <= n; ++j) expected += 4 * std::pow(std::sin(M_PI * j / (2 * n + 2)), 2) < shift;

  auto solver = make_direct_solver<double>({});
  solver->analyse(a);
  solver->factor(a);

  EXPECT_EQ(solver->info().negative_pivots, expected);
}

TEST(DirectSolver, EstimateIsKnownBeforeFactoringAndNearTheTruth) {
  const auto a = helmholtz_like(14, 2);
  auto solver = make_direct_solver<Complex>({});
  solver->analyse(a);
  const double estimate = double(solver->estimated_bytes()), entries = solver->info().factor_entries;
  solver->factor(a);

  EXPECT_GT(estimate, 16 * entries);  // the factors alone
  EXPECT_LT(double(solver->info().factor_bytes), 1.1 * estimate);
  EXPECT_GT(double(solver->info().factor_bytes), 0.3 * estimate);
}

/// A saddle point: the second half of the diagonal is zero (or tiny), so elimination without exchanges meets
/// it.
Csr<Complex> saddle_point(Complex corner) {
  const Index n = 40;
  Coo<Complex> coo{2 * n, 2 * n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    coo.add(i, i, corner), coo.add(n + i, n + i, corner);
    coo.add(i, n + i, 1), coo.add(n + i, i, 1);
    if (i + 1 < n) coo.add(i, n + i + 1, 0.5), coo.add(n + i + 1, i, 0.5);
  }
  return to_csr(coo);
}

TEST(DirectSolver, PivotingIsTurnedOnWhereItIsNeeded) {
  for (const Complex corner : {Complex(0), Complex(1e-14), Complex(0, 1e-9)}) {
    const auto a = saddle_point(corner);
    const auto b = random_vector(a.num_rows);
    auto solver = make_direct_solver<Complex>({});
    solver->analyse(a);
    solver->factor(a);
    std::vector<Complex> x(b.size());

    EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()).residual, 1e-11) << corner;
    EXPECT_LT(relative_difference(x, dense_solution(a, b)), 1e-10) << corner;
  }
}

TEST(DirectSolver, AnalysisIsRepeatable) {
  const auto a = helmholtz_like(16, 2);
  double entries[2];
  for (double& count : entries) {
    auto solver = make_direct_solver<Complex>({});
    solver->analyse(a);
    count = solver->info().factor_entries;
  }

  EXPECT_EQ(entries[0], entries[1]);
}

void analyse_and_factor(const Csr<Complex>& a, const DirectOptions& options = {}) {
  auto solver = make_direct_solver<Complex>(options);
  solver->analyse(a);
  solver->factor(a);
}

TEST(DirectSolverErrors, ZeroAndSingularMatricesAreNumericalErrors) {
  auto zero = helmholtz_like(3);
  for (Complex& value : zero.values) value = 0;
  EXPECT_NE(test::message_of<NumericalError>([&] { analyse_and_factor(zero); }).find("singular"),
            std::string::npos);

  auto empty_row = helmholtz_like(3);  // an unknown without any equation
  for (Index i = 0; i < 27; ++i) {
    for (Offset k = empty_row.row_offsets[i]; k < empty_row.row_offsets[i + 1]; ++k) {
      if (i == 5 || empty_row.columns[k] == 5) empty_row.values[k] = 0;
    }
  }
  EXPECT_NE(test::message_of<NumericalError>([&] { analyse_and_factor(empty_row); }).find("singular"),
            std::string::npos);
}

TEST(DirectSolverErrors, RankDeficiencyToRoundingShowsInTheResidual) {
  // A ring of differences: constants are its null space, and b is not orthogonal to them.
  const Index n = 64;
  Coo<Complex> coo{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) coo.add(i, i, 2), coo.add(i, (i + 1) % n, -1), coo.add((i + 1) % n, i, -1);
  const auto a = to_csr(coo);
  const auto b = random_vector(n);
  std::vector<Complex> x(n);

  EXPECT_THROW(
      {
        auto solver = make_direct_solver<Complex>({});
        solver->analyse(a);
        solver->factor(a);
        solve_refined(*solver, a, b.data(), x.data());
      },
      NumericalError);
}

TEST(DirectSolverErrors, NansAreFoundInMatrixAndRightHandSide) {
  auto a = helmholtz_like(3);
  auto solver = make_direct_solver<Complex>({});
  solver->analyse(a);
  solver->factor(a);
  auto b = random_vector(a.num_rows);
  b[4] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(solver->solve(b.data()), NumericalError);

  a.values[7] = {0, std::nan("")};
  EXPECT_NE(test::message_of<NumericalError>([&] { solver->factor(a); }).find("not a finite number"),
            std::string::npos);
}

TEST(DirectSolverErrors, CallersMistakesAreInputErrors) {
  auto solver = make_direct_solver<Complex>({});
  EXPECT_THROW(solver->analyse(Csr<Complex>{}), InputError);
  EXPECT_THROW(solver->analyse(block(helmholtz_like(3), 0, 5, 0, 7)), InputError);
  EXPECT_THROW(solver->factor(helmholtz_like(3)), InputError);
  solver->analyse(helmholtz_like(3));
  EXPECT_THROW(solver->factor(helmholtz_like(4)), InputError);
  Complex x = 1;
  EXPECT_THROW(solver->solve(&x), InputError);
  auto unsorted = helmholtz_like(3);
  std::swap(unsorted.columns[0], unsorted.columns[1]);
  EXPECT_THROW(solver->analyse(unsorted), InputError);
  EXPECT_THROW(make_direct_solver<Complex>({.pivot_threshold = 0.7}), InputError);
  EXPECT_THROW(make_direct_solver<Complex>({.rhs_block = 0}), InputError);
}

TEST(DirectSolverErrors, TooLittleMemoryIsSaidBeforeFactoring) {
  const auto a = helmholtz_like(24, 2);
  auto solver = make_direct_solver<Complex>({});
  solver->analyse(a);
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  std::size_t pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  ASSERT_EQ(std::fscanf(file, "%zu", &pages), 1);
  std::fclose(file);

  rlimit small = before;
  small.rlim_cur = pages * 4096 + solver->estimated_bytes() / 2;
  setrlimit(RLIMIT_AS, &small);
  const auto message = test::message_of<ResourceError>([&] { solver->factor(a); });
  setrlimit(RLIMIT_AS, &before);

  EXPECT_NE(message.find("the factorisation needs"), std::string::npos) << message;
}

TEST(Blas, ThreadedOpenBlasIsBelow) {
  EXPECT_NE(blas_description().find("OpenBLAS"), std::string::npos) << blas_description();
}

/// Gives no finite solution until it exchanges pivots.
class NeedsPivoting final : public DirectSolver<Complex> {
 public:
  void analyse(const Csr<Complex>& a) override { solver_->analyse(a); }
  std::size_t estimated_bytes() const override { return 0; }
  void factor(const Csr<Complex>& a) override {
    solver_->factor(a);
    is_ready_ = asked_;
  }
  void solve(Complex* x, Index num_rhs) override {
    if (!is_ready_) throw NumericalError("the solution is not finite");
    solver_->solve(x, num_rhs);
  }
  bool require_digits() override { return can_ && !std::exchange(asked_, true); }
  const DirectInfo& info() const override { return solver_->info(); }
  bool can_ = true;

 private:
  std::unique_ptr<DirectSolver<Complex>> solver_ = make_direct_solver<Complex>({});
  bool asked_ = false, is_ready_ = false;
};

TEST(SolveRefined, PivotsWhereNothingFiniteCameOut) {
  const auto a = helmholtz_like(5);
  const auto b = random_vector(std::size_t(a.num_rows));
  std::vector<Complex> x(b.size());
  NeedsPivoting can, cannot;
  cannot.can_ = false;
  for (NeedsPivoting* solver : {&can, &cannot}) solver->analyse(a), solver->factor(a);
  EXPECT_LT(solve_refined(can, a, b.data(), x.data()).residual, 1e-11);
  EXPECT_THROW(solve_refined(cannot, a, b.data(), x.data()), NumericalError);
}

}  // namespace
}  // namespace curlew::linalg
