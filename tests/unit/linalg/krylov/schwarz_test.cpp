// SPDX-License-Identifier: BSD-3-Clause
// Overlapping subdomains: their rows, their weights, and solves with them.

#include "linalg/krylov/schwarz.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "helmholtz.hpp"
#include "linalg/krylov/coarse_space.hpp"
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

/// Random vectors that no iteration has touched.
Sampling unchanged(Index vectors, Index most) {
  return {.vectors = vectors, .most = most, .propagate = [](Complex*, Index) {}};
}

TEST(CoarseSpace, IsCutByPartsAndItsMatrixIsThatOfThePieces) {
  const auto a = helmholtz<Complex>(9, 12);
  const auto s = divide(a, 4, 1, false);
  const Index vectors = 3;

  const CoarseSpace c = make_coarse_space(a, s.part_of, 4, unchanged(vectors, vectors));

  const Index total = 4 * vectors;
  ASSERT_EQ(c.basis.num_cols, total);
  Eigen::MatrixXcd z = Eigen::MatrixXcd::Zero(a.num_rows, total), zh = z.transpose(),
                   full(a.num_rows, a.num_rows);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Index j = 0; j < a.num_rows; ++j) full(i, j) = entry(a, i, j);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Index j = 0; j < total; ++j) {
      z(i, j) = entry(c.basis, i, j), zh(j, i) = entry(c.dual, j, i);
      if (s.part_of[std::size_t(i)] != j / vectors) {
        EXPECT_EQ(z(i, j), Complex(0));
      }
    }
  EXPECT_EQ((zh - z.adjoint()).norm(), 0);
  EXPECT_NEAR(
      (z.adjoint() * full.diagonal().cwiseAbs().asDiagonal() * z - Eigen::MatrixXcd::Identity(total, total))
          .norm(),
      0, 1e-12);
  const Eigen::MatrixXcd e = z.adjoint() * full * z;
  for (Index i = 0; i < total; ++i)
    for (Index j = 0; j < total; ++j) EXPECT_LT(std::abs(entry(c.galerkin, i, j) - e(i, j)), 1e-12);
}

TEST(CoarseSpace, FewSamplesAreKeptWhereAPartIsSmaller) {
  const auto a = helmholtz<Complex>(4, 1);
  const auto s = divide(a, 4, 1, false);
  const CoarseSpace c = make_coarse_space(a, s.part_of, 4, unchanged(10, 1000));
  EXPECT_EQ(c.basis.num_cols, a.num_rows);  // every function there is
}

TEST(CoarseSpace, SamplesAreDoubledWhileTheLastOneHoldsMoreThanTheOthers) {
  const auto a = helmholtz<Complex>(24, 12);
  const auto s = divide(a, 2, 1, false);
  EXPECT_EQ(make_coarse_space(a, s.part_of, 2, unchanged(5, 30)).basis.num_cols, 2 * 30);  // 5, 10, 20, 30
  // An iteration that reduces all vectors but seven.
  Index taken = 0;
  Sampling few = unchanged(5, 1000);
  few.propagate = [&](Complex* vectors, Index count) {
    const Index n = a.num_rows;
    for (Index c = 0; c < count; ++c, ++taken)
      for (Index i = 0; i < n; ++i) vectors[c * n + i] *= taken < 7 ? 1 : 1e-4;
  };
  EXPECT_EQ(make_coarse_space(a, s.part_of, 2, few).basis.num_cols, 2 * 10);
}

/// A box of four by four wavelengths, closed on three sides.
TEST(Schwarz, CoarseSpaceTakesTheWavesThatComeBack) {
  const auto a = helmholtz<Complex>(40, 25);
  const auto b = right_side<Complex>(a.num_rows, 7);
  std::vector<Device> devices{Device::cpu};
  if (!device_info().name.empty()) devices.push_back(Device::cuda);
  for (const Device device : devices) {
    const auto solve = [&](int vectors) {
      IterativeOptions o;
      o.device = device, o.krylov.method = KrylovMethod::gmres, o.krylov.max_iterations = 30;
      o.subdomains = 9, o.coarse_vectors = vectors;
      std::vector<Complex> x(b.size());
      IterativeSolver solver(o, {0, a.num_rows});
      solver.prepare(a);
      solver.solve(b.data(), x.data());
      EXPECT_LE(relative_residual(a, x.data(), b.data()), 1.1e-9);
    };
    EXPECT_NO_THROW(solve(20));
    EXPECT_THROW(solve(0), NumericalError);  // 30 iterations are by far not enough
  }
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
      o.preconditioner = "jacobi";
      const int jacobi = iterations(1, {0, n});
      o.preconditioner = "multilevel";
      o.coarse_vectors = 0;
      const int two = iterations(2, {0, n}), eight = iterations(8, {0, n});
      iterations(4, {0, n / 2, n});

      EXPECT_LT(eight, jacobi);
      EXPECT_LE(two, eight);
    }
}

}  // namespace
}  // namespace curlew::linalg
