// SPDX-License-Identifier: BSD-3-Clause
// Sums of terms against sums entry by entry, and solutions with a matrix that is not computed yet.

#include "linalg/direct/matrix_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/direct/refinement.hpp"
#include "linalg/direct/term_product.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "test_matrices.hpp"
#include "test_sums.hpp"

namespace curlew::linalg {
namespace {

TEST(MatrixSum, AddsTermsThatAreWholeOrListsRealOrComplex) {
  const TestSum test(8);
  auto a = test.pattern();
  MatrixSum sum(a);
  for (const auto& term : test.terms) sum.add_term(term);
  ASSERT_EQ(sum.terms().size(), 4);
  EXPECT_TRUE(sum.terms()[0].has_all_places && sum.terms()[0].im.empty());
  EXPECT_TRUE(!sum.terms()[1].has_all_places && !sum.terms()[1].im.empty());
  EXPECT_TRUE(sum.terms()[2].has_all_places && !sum.terms()[2].im.empty());
  EXPECT_TRUE(!sum.terms()[3].has_all_places && sum.terms()[3].im.empty());
  for (const auto& factors : TestSum::factors) {
    sum.set_factors(factors);
    const auto expected = test.matrix(factors);
    const auto& found = sum.matrix();
    for (std::size_t k = 0; k < found.values.size(); ++k)
      ASSERT_LT(std::abs(found.values[k] - expected.values[k]), 1e-13) << k;
  }
}

TEST(MatrixSum, TakesATermOutOfItsOwnMatrix) {
  const TestSum test(4);
  auto a = test.pattern();
  MatrixSum sum(a);
  for (const auto& term : test.terms) {
    if (term.nnz() != a.nnz()) continue;
    a.values = term.values;
    sum.add_term(a);
  }
  sum.set_factors({1.0, 0.0, 2.0});
  const auto expected = test.matrix({1.0, 0.0, 2.0, 0.0});
  for (std::size_t k = 0; k < a.values.size(); ++k)
    ASSERT_LT(std::abs(sum.matrix().values[k] - expected.values[k]), 1e-13) << k;
}

/// Each part of every term, whole or a list, times five columns, against its entries one by one.
TEST(MatrixSum, MultipliesRealColumnsByOnePartOfATerm) {
  const TestSum test(5);
  auto a = test.pattern();
  MatrixSum sum(a);
  for (const auto& term : test.terms) sum.add_term(term);
  const auto n = std::size_t(a.num_rows), columns = std::size_t(5);
  std::vector<double> x(n * columns), y(n * columns, 7);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(double(3 * i + 1));
  for (std::size_t t = 0; t < test.terms.size(); ++t) {
    const auto& term = sum.terms()[t];
    for (const auto* part : {&term.re, &term.im}) {
      if (part->empty()) continue;
      multiply(sum, term, *part, x.data(), y.data(), Index(columns));
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t i = 0; i < n; ++i) {
          Complex expected = 0;
          const auto& from = test.terms[t];
          for (Offset k = from.row_offsets[i]; k < from.row_offsets[i + 1]; ++k)
            expected += from.values[std::size_t(k)] * x[c * n + std::size_t(from.columns[std::size_t(k)])];
          ASSERT_NEAR(y[c * n + i], part == &term.re ? expected.real() : expected.imag(), 1e-13)
              << "term " << t << ", row " << i << ", column " << c;
        }
    }
  }
}

/// Corrections and norms make the values first.
TEST(MatrixSum, RefinementMakesTheValuesThatItReads) {
  const auto a = helmholtz_like(6);
  auto later = a;
  std::fill(later.values.begin(), later.values.end(), Complex(0));
  const SharedMatrix<Complex> shared(later, [&] { later.values = a.values; });
  const auto solver = make_direct_solver<Complex>({});
  solver->analyse(a);
  solver->factor(a);
  const auto b = random_vector(std::size_t(a.num_rows));
  std::vector<Complex> x(b.size());
  EXPECT_LT(solve_refined(*solver, shared, b.data(), x.data()).residual, 1e-11);

  auto empty = a;
  std::fill(empty.values.begin(), empty.values.end(), Complex(0));
  const SharedMatrix<Complex> other(empty, [&] { empty.values = a.values; });
  EXPECT_EQ(other.norm_max(), SharedMatrix<Complex>(a).norm_max());
}

TEST(MatrixSum, SolversSolveWithIt) {
  const TestSum test(8);
  auto a = test.pattern();
  MatrixSum sum(a);
  for (const auto& term : test.terms) sum.add_term(term);
  SystemSolver solver({}, {0, a.num_rows, a.num_rows, a.num_rows});
  solver.analyse(a);
  for (const auto& factors : TestSum::factors) {
    sum.set_factors(factors);
    solver.prepare(sum);
    const auto b = random_vector(std::size_t(a.num_rows));
    std::vector<Complex> x(b.size());
    solver.solve(b.data(), x.data());
    EXPECT_LT(relative_residual(test.matrix(factors), x.data(), b.data()), 1e-10);
  }
}

}  // namespace
}  // namespace curlew::linalg
