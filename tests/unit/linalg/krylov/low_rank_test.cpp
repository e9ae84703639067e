// SPDX-License-Identifier: BSD-3-Clause
// A matrix with a term of low rank: coarse solvers invert the sum, and solvers of every device solve it.

#include "linalg/krylov/low_rank.hpp"

#include <gtest/gtest.h>

#include "helmholtz.hpp"
#include "linalg/krylov/direct_operator.hpp"
#include "linalg/krylov/iterative_solver.hpp"

namespace curlew::linalg {
namespace {

using testing::helmholtz;
using testing::right_side;

/// Two full columns on the first rows, as ports have them, not small compared with A.
LowRank some_term(Index n, Index rows) {
  Coo<Complex> left, right;
  left.num_rows = right.num_cols = n, left.num_cols = right.num_rows = 2;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < 2; ++j) {
      const Complex value(1.0 + 0.1 * double((i * 7 + j * 3) % 11), 0.2 * double(j));
      left.add(i, j, value);
      right.add(j, i, Complex(0.5, 2.0) * value);
    }
  return {to_csr(left), to_csr(right)};
}

/// |b - A x - U V x| / |b|
double residual(const Csr<Complex>& a, const LowRank& term, const std::vector<Complex>& x,
                const std::vector<Complex>& b) {
  std::vector<Complex> few(std::size_t(term.right.num_rows)), added(x.size()), rest(x.size());
  multiply(term.right, x.data(), few.data());
  multiply(term.left, few.data(), added.data());
  multiply(a, x.data(), rest.data());
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += std::norm(b[i] - rest[i] - added[i]), size += std::norm(b[i]);
  return std::sqrt(sum / size);
}

TEST(LowRankTerm, CoarseSolverInvertsTheSum) {
  const auto a = helmholtz<Complex>(8, 1);
  const LowRank term = some_term(a.num_rows, 20);
  const auto b = right_side<Complex>(a.num_rows, 1);
  std::vector<Complex> x(b.size());
  const auto solver = with_term(std::make_unique<DirectOperator>(a.num_rows, DirectOptions()), term);

  solver->factor(a);
  solver->apply(b.data(), x.data());

  EXPECT_LT(residual(a, term, x, b), 1e-11);
}

TEST(LowRankTerm, OneLevelIsSolvedInOneIterationAndJacobiGoesThere) {
  const auto a = helmholtz<Complex>(8, 1);
  const LowRank term = some_term(a.num_rows, 20);
  const auto b = right_side<Complex>(a.num_rows, 1);
  for (const std::string p : {"multilevel", "jacobi"}) {
    IterativeOptions o;
    o.preconditioner = p, o.krylov.method = KrylovMethod::gmres, o.krylov.restart = 200;
    std::vector<Complex> x(b.size());
    IterativeSolver solver(o, {0, a.num_rows});
    solver.prepare(a, term);

    const auto report = solver.solve(b.data(), x.data());

    EXPECT_LT(residual(a, term, x, b), 1.1e-9);
    if (p == "multilevel") {
      EXPECT_EQ(report.iterations, 1);
    }
  }
}

TEST(LowRankTerm, SymmetryIsSeen) {
  LowRank term = some_term(50, 20);
  EXPECT_LT(asymmetry(term), 1e-12);
  term.right.values[3] *= 1.5;
  EXPECT_GT(asymmetry(term), 1e-6);
}

}  // namespace
}  // namespace curlew::linalg
