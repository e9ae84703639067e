// SPDX-License-Identifier: BSD-3-Clause
// Overlapping subdomains: what they hold, their weights, and solves over them.

#include "linalg/krylov/schwarz.hpp"

#include <gtest/gtest.h>

#include "helmholtz.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "linalg/krylov/subdomains.hpp"

namespace curlew::linalg {
namespace {

using testing::helmholtz;
using testing::right_side;

/// A(i, j), zero where there is no entry
Complex entry(const Csr<Complex>& a, Index i, Index j) {
  for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
    if (a.columns[k] == j) return a.values[k];
  return 0;
}

TEST(Subdomains, HoldTheMatrixAndNothingBetweenThem) {
  const auto a = helmholtz<Complex>(9, 1);
  const auto s = divide(a, 4, 1, false);

  check_structure(s.matrix, "subdomains");
  ASSERT_GT(s.matrix.num_rows, a.num_rows);
  for (Index i = 0; i < s.matrix.num_rows; ++i)
    for (Offset k = s.matrix.row_offsets[i]; k < s.matrix.row_offsets[i + 1]; ++k)
      EXPECT_EQ(s.matrix.values[k], entry(a, s.rows[i], s.rows[s.matrix.columns[k]]));
  EXPECT_EQ(asymmetry(s.matrix), 0);
}

TEST(Subdomains, WeightsAreAPartitionOfUnity) {
  const auto a = helmholtz<Complex>(9, 1);
  for (const bool symmetric : {false, true}) {
    const auto s = divide(a, 5, 2, symmetric);
    for (Index i = 0; i < a.num_rows; ++i) {
      double sum = 0;
      for (Offset p = s.offsets[i]; p < s.offsets[i + 1]; ++p) {
        EXPECT_EQ(s.rows[s.places[p]], i);
        sum += s.into[s.places[p]] * s.out[s.places[p]];
        if (symmetric) {
          EXPECT_EQ(s.into[s.places[p]], s.out[s.places[p]]);
        }
      }
      EXPECT_NEAR(sum, 1, 1e-15);
    }
  }
}

TEST(Schwarz, IsTheInverseWhereEverySubdomainIsTheWhole) {
  const auto a = helmholtz<Complex>(7, 1);
  const auto b = right_side<Complex>(a.num_rows, 5);
  for (const bool symmetric : {false, true}) {
    const auto schwarz =
        make_coarse_solver(a.num_rows, {}, {.parts = 3, .overlap = 30, .symmetric = symmetric});
    schwarz->factor(a);
    std::vector<Complex> x(b.size());

    schwarz->apply(b.data(), x.data());

    EXPECT_LT(relative_residual(a, x.data(), b.data()), 1e-12);
  }
}

TEST(Schwarz, IsSymmetricWithSymmetricWeights) {
  const auto a = helmholtz<Complex>(8, 1);
  const auto u = right_side<Complex>(a.num_rows, 5), v = right_side<Complex>(a.num_rows, 6);
  const auto schwarz = make_coarse_solver(a.num_rows, {}, {.parts = 4, .overlap = 1, .symmetric = true});
  schwarz->factor(a);
  std::vector<Complex> mu(u.size()), mv(v.size());
  schwarz->apply(u.data(), mu.data()), schwarz->apply(v.data(), mv.data());

  Complex vmu = 0, umv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) vmu += v[i] * mu[i], umv += u[i] * mv[i];

  EXPECT_LT(std::abs(vmu - umv), 1e-12 * std::abs(vmu));
}

TEST(Schwarz, SolvesAsTheCoarseLevelAndAloneWithFewerIterationsThanJacobi) {
  const auto a = helmholtz<Complex>(14, 1);
  const Index n = a.num_rows;
  const auto b = right_side<Complex>(2 * n, 7);
  std::vector<Device> devices{Device::cpu};
  if (!device_info().name.empty()) devices.push_back(Device::cuda);
  for (const Device device : devices)
    for (const auto method : {KrylovMethod::gmres, KrylovMethod::cocr}) {
      IterativeOptions o;
      o.device = device, o.krylov.method = method;
      const auto iterations = [&](int subdomains, std::vector<Index> offsets) {
        o.subdomains = subdomains;
        std::vector<Complex> x(b.size());
        IterativeSolver solver(o, std::move(offsets));
        solver.prepare(a);
        const auto report = solver.solve(b.data(), x.data(), 2);
        EXPECT_LE(relative_residual(a, x.data(), b.data(), 2), 1.1e-9);
        return report.iterations;
      };
      o.preconditioner = Preconditioner::jacobi;
      const int jacobi = iterations(1, {0, n});
      o.preconditioner = Preconditioner::multilevel;
      const int two = iterations(2, {0, n}), eight = iterations(8, {0, n});
      iterations(4, {0, n / 2, n});

      EXPECT_LT(eight, jacobi);
      EXPECT_LE(two, eight);
    }
}

}  // namespace
}  // namespace curlew::linalg
