// SPDX-License-Identifier: BSD-3-Clause
// PARDISO of Intel MKL against dense elimination and MUMPS. Skipped where the library is missing.
#include "linalg/direct/mkl.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "dense_of.hpp"
#include "linalg/direct/graded_factors.hpp"
#include "linalg/direct/refinement.hpp"
#include "message_of.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

class Mkl : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_mkl()) GTEST_SKIP() << "no Intel MKL: pip install mkl, in build/venv or an active environment";
  }
};

constexpr DirectOptions by_mkl{.library = DirectLibrary::mkl};

DirectOptions by_mkl_of(Symmetry symmetry) {
  return {.symmetry = symmetry, .library = DirectLibrary::mkl};
}

/// Couplings to later unknowns are other ones than those to earlier unknowns.
template <class T>
Csr<T> one_way(Csr<T> a, T factor) {
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (a.columns[std::size_t(k)] > i) a.values[std::size_t(k)] *= factor;
  return a;
}

template <class T>
DenseOf<T> solution_of(DirectSolver<T>& solver, const Csr<T>& a, const DenseOf<T>& b) {
  solver.analyse(a);
  solver.factor(a);
  DenseOf<T> x = b;
  solver.solve(x.data(), Index(b.cols()));
  return x;
}

/// Solutions for more columns than are solved at once; for a symmetric matrix half of it is read, so that the
/// wrong type of it gives others.
template <class T>
void expect_dense_solutions(const Csr<T>& a, Symmetry symmetry) {
  DirectOptions options = by_mkl_of(symmetry);
  options.rhs_block = 3;
  const auto solver = make_direct_solver<T>(options);
  const DenseOf<T> b = DenseOf<T>::Random(a.num_rows, 7), expected = dense_of(a).partialPivLu().solve(b);
  EXPECT_LT((solution_of(*solver, a, b) - expected).norm(), 1e-11 * expected.norm());
  EXPECT_TRUE(solver->info().library.starts_with("MKL PARDISO 20")) << solver->info().library;
}

TEST_F(Mkl, EveryKindOfMatrixAgreesWithDenseElimination) {
  const auto complex = helmholtz_like(5, 2);
  const auto real = real_part(helmholtz_like(5, 2, {3.3, 0}));
  expect_dense_solutions(complex, Symmetry::symmetric);
  expect_dense_solutions(complex, Symmetry::unsymmetric);
  expect_dense_solutions(one_way(complex, Complex(0.3, 0.4)), Symmetry::unsymmetric);
  expect_dense_solutions(real, Symmetry::symmetric);
  expect_dense_solutions(one_way(real, 0.4), Symmetry::unsymmetric);
}

TEST_F(Mkl, TheOtherTriangleOfASymmetricMatrixIsNotRead) {
  const auto a = helmholtz_like(5, 2);
  Csr<Complex> upper = a;
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (a.columns[std::size_t(k)] < i) upper.values[std::size_t(k)] = 7;
  const DenseOf<Complex> b = DenseOf<Complex>::Random(a.num_rows, 1),
                         expected = dense_of(a).partialPivLu().solve(b);
  EXPECT_LT((solution_of(*make_direct_solver<Complex>(by_mkl), upper, b) - expected).norm(),
            1e-11 * expected.norm());
}

TEST_F(Mkl, FactorsOfCheaperNumbersAreRefined) {
  for (const bool real : {false, true})
    for (const double size : {1.0, 1e-60}) {
      auto a = helmholtz_like(6, 2, {3.3, real ? 0 : -0.2});
      for (Complex& value : a.values) value *= size;
      const auto solver =
          make_graded_factors({.library = DirectLibrary::mkl, .real_values = real, .single_precision = true});
      const DenseOf<Complex> b = DenseOf<Complex>::Random(a.num_rows, 2),
                             expected = dense_of(a).partialPivLu().solve(b);
      const DenseOf<Complex> x = solution_of(*solver, a, b);
      DenseOf<Complex> refined = b;
      solve_refined(*solver, a, b.data(), refined.data(), 2);
      EXPECT_TRUE(solver->info().has_single_precision);
      EXPECT_EQ(solver->info().library.ends_with(", real"), real);
      EXPECT_LT((x - expected).norm(), 1e-4 * expected.norm());
      EXPECT_GT((x - expected).norm(), 1e-9 * expected.norm()) << "factors in double precision?";
      EXPECT_LT((refined - expected).norm(), 1e-11 * expected.norm());
    }
}

TEST_F(Mkl, OneAnalysisServesFrequenciesAndTellsWhatFactorsTake) {
  const auto mumps = make_direct_solver<Complex>({}), mkl = make_direct_solver<Complex>(by_mkl);
  for (auto* solver : {mumps.get(), mkl.get()}) solver->analyse(helmholtz_like(14, 2));
  const double entries = mkl->info().factor_entries, estimate = double(mkl->estimated_bytes());
  EXPECT_NEAR(entries / mumps->info().factor_entries, 1, 0.4);
  EXPECT_NEAR(mkl->info().factor_flops / mumps->info().factor_flops, 1, 0.6);
  EXPECT_GT(estimate, 16 * entries);
  for (const double shift : {0.5, 1.7, 3.3}) {
    const auto a = helmholtz_like(14, 2, {shift, -0.1});
    const auto b = random_vector(std::size_t(a.num_rows));
    auto x = b, y = b;
    mumps->factor(a), mkl->factor(a);
    mumps->solve(x.data()), mkl->solve(y.data());
    EXPECT_LT(relative_residual(a, y.data(), b.data()), 1e-12);
    double difference = 0;
    for (std::size_t i = 0; i < x.size(); ++i) difference = std::max(difference, std::abs(x[i] - y[i]));
    EXPECT_LT(difference, 1e-10);
    EXPECT_LT(double(mkl->info().factor_bytes), 1.1 * estimate);
    EXPECT_GT(double(mkl->info().factor_bytes), 0.3 * estimate);
  }
}

TEST_F(Mkl, RealMatrixCountsItsNegativeEigenvalues) {
  const Index n = 50;
  const double shift = 1.3;
  const auto a = linalg::add(1.0, chain(n), -shift, identity<double>(n));
  int expected = 0;
  for (Index j = 1; j <= n; ++j) expected += 4 * std::pow(std::sin(M_PI * j / (2 * n + 2)), 2) < shift;
  const auto solver = make_direct_solver<double>(by_mkl);
  solver->analyse(a);
  solver->factor(a);
  EXPECT_EQ(solver->info().negative_pivots, expected);
}

/// Half of the diagonal is tiny or not even stored.
TEST_F(Mkl, PivotsAreExchangedWhereThatIsNeeded) {
  constexpr Index n = 40;
  for (const Complex corner : {Complex(0), Complex(1e-14), Complex(0, 1e-9)}) {
    Coo<Complex> coo{2 * n, 2 * n, {}, {}, {}};
    for (Index i = 0; i < n; ++i) {
      if (corner != 0.0) coo.add(i, i, corner), coo.add(n + i, n + i, corner);
      coo.add(i, n + i, 1), coo.add(n + i, i, 1);
      if (i + 1 < n) coo.add(i, n + i + 1, 0.5), coo.add(n + i + 1, i, 0.5);
    }
    const auto a = to_csr(coo);
    const DenseOf<Complex> b = DenseOf<Complex>::Random(2 * n, 1),
                           expected = dense_of(a).partialPivLu().solve(b);
    for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      const auto solver = make_direct_solver<Complex>(by_mkl_of(symmetry));
      solver->analyse(a);
      solver->factor(a);
      DenseOf<Complex> x = b;
      EXPECT_LT(solve_refined(*solver, a, b.data(), x.data()).residual, 1e-11) << corner;
      EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm()) << corner;
    }
  }
}

TEST_F(Mkl, SingularMatricesAreNumericalErrors) {
  auto zero = helmholtz_like(3), no_equation = helmholtz_like(3);
  for (Complex& value : zero.values) value = 0;
  for (Index i = 0; i < 27; ++i)
    for (Offset k = no_equation.row_offsets[std::size_t(i)]; k < no_equation.row_offsets[std::size_t(i) + 1];
         ++k)
      if (i == 5 || no_equation.columns[std::size_t(k)] == 5) no_equation.values[std::size_t(k)] = 0;
  for (const auto& a : {zero, no_equation})
    for (const auto symmetry : {Symmetry::symmetric, Symmetry::unsymmetric}) {
      const auto solver = make_direct_solver<Complex>(by_mkl_of(symmetry));
      solver->analyse(a);
      const auto message = test::message_of<NumericalError>([&] { solver->factor(a); });
      EXPECT_NE(message.find("singular"), std::string::npos) << message;
    }
}

TEST_F(Mkl, CallersMistakesAreInputErrors) {
  const auto solver = make_direct_solver<Complex>(by_mkl);
  EXPECT_THROW(solver->analyse(Csr<Complex>{}), InputError);
  EXPECT_THROW(solver->factor(helmholtz_like(3)), InputError);
  solver->analyse(helmholtz_like(3));
  EXPECT_THROW(solver->factor(helmholtz_like(4)), InputError);
  Complex x = 1;
  EXPECT_THROW(solver->solve(&x), InputError);
  auto a = helmholtz_like(3);
  a.values[7] = {0, std::nan("")};
  EXPECT_THROW(solver->factor(a), NumericalError);
  EXPECT_THROW(make_direct_solver<Complex>({.library = DirectLibrary::mkl, .block_tolerance = 1e-6}),
               InputError);
}

/// The same bits from run to run, and of two solvers in two threads.
TEST_F(Mkl, Repeats) {
  const auto a = helmholtz_like(16, 2);
  const auto b = random_vector(std::size_t(a.num_rows));
  const auto solve = [&](std::vector<Complex>& x) {
    const auto solver = make_direct_solver<Complex>(by_mkl);
    x = b;
    solver->analyse(a);
    solver->factor(a);
    solver->solve(x.data());
  };
  std::vector<Complex> first;
  solve(first);
  for (int i = 0; i < 4; ++i) {
    std::vector<Complex> here, there;
    std::thread other([&] { solve(there); });
    solve(here);
    other.join();
    EXPECT_EQ(here, first);
    EXPECT_EQ(there, first);
  }
}

TEST(MklChoice, WithoutTheLibraryTheMessageNamesTheCure) {
  if (has_mkl()) GTEST_SKIP() << "Intel MKL is there";
  const auto message = test::message_of<ResourceError>([] { make_direct_solver<Complex>(by_mkl); });
  EXPECT_NE(message.find("pip install mkl"), std::string::npos) << message;
}

}  // namespace
}  // namespace curlew::linalg
