// SPDX-License-Identifier: BSD-3-Clause
// Coloured block Gauss-Seidel: its colours, one sweep by the textbook's loop, transposes, refusals, CPU
// against GPU.

#include "linalg/krylov/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>
#include <set>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "helmholtz.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/krylov/device_gauss_seidel.hpp"
#include "needs_gpu.hpp"
#endif

namespace curlew::linalg {
namespace {

using testing::right_side;

/// Cells in a ring, each with `size` unknowns that share one pattern, coupled to both neighbours: groups of
/// `size`.
Csr<Complex> ring(Index cells, Index size) {
  std::mt19937 generator(7);
  std::normal_distribution<double> number;
  Coo<Complex> coo;
  coo.num_rows = coo.num_cols = cells * size;
  for (Index c = 0; c < cells; ++c)
    for (const Index d : {c, (c + 1) % cells, (c + cells - 1) % cells})
      for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j) {
          const Complex value(number(generator), 0.3 * number(generator));
          coo.add(c * size + i, d * size + j, c == d && i == j ? 6.0 * double(size) + value : value);
        }
  return to_csr(coo);
}

TEST(GaussSeidel, GroupsOfAColourAreNotCoupled) {
  for (const Index size : {1, 2, 3, 4, 6}) {
    const auto a = ring(31, size);
    const ColouredRows rows = colour_rows(a);
    for (int c = 0; c < rows.num_colours(); ++c) {
      std::set<Index> own;
      for (Index g = rows.colour_offsets[c]; g < rows.colour_offsets[c + 1]; ++g)
        own.insert(rows.rows.begin() + rows.groups[g].rows,
                   rows.rows.begin() + rows.groups[g].rows + rows.groups[g].size);
      for (Index g = rows.colour_offsets[c]; g < rows.colour_offsets[c + 1]; ++g) {
        EXPECT_EQ(rows.groups[g].size, size);
        for (Index k = 0; k < rows.groups[g].length; ++k)
          EXPECT_EQ(own.count(rows.columns[rows.groups[g].columns + k]), 0U) << "size " << size;
      }
    }
  }
}

TEST(GaussSeidel, ColoursAlsoWhereOnlyOneSideReadsTheOther) {
  Coo<Complex> coo;  // lower bidiagonal: row i reads row i - 1, and no row reads back
  coo.num_rows = coo.num_cols = 9;
  for (Index i = 0; i < 9; ++i) {
    coo.add(i, i, 2);
    if (i > 0) coo.add(i, i - 1, 1);
  }

  const ColouredRows rows = colour_rows(to_csr(coo));

  EXPECT_EQ(rows.num_colours(), 2);
}

TEST(GaussSeidel, OneSweepIsTheTextbooksLoop) {
  const Index size = 3, n = 3 * 14;
  const auto a = ring(14, size);
  const ColouredRows rows = colour_rows(a);
  const auto b = right_side<Complex>(n, 1), start = right_side<Complex>(n, 2);
  Eigen::MatrixXcd dense = Eigen::MatrixXcd::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) dense(i, a.columns[k]) = a.values[k];
  for (const bool forward : {true, false}) {
    Eigen::VectorXcd z = Eigen::Map<const Eigen::VectorXcd>(start.data(), n);
    auto x = start;
    std::vector<ColouredGroup> order = rows.groups;
    if (!forward) std::reverse(order.begin(), order.end());  // groups of a colour are not coupled
    for (const ColouredGroup& g : order) {
      const Index first = rows.rows[g.rows];
      Eigen::VectorXcd rest = Eigen::Map<const Eigen::VectorXcd>(b.data() + first, size) -
                              dense.middleRows(first, size) * z +
                              dense.block(first, first, size, size) * z.segment(first, size);
      z.segment(first, size) = dense.block(first, first, size, size).partialPivLu().solve(rest);
    }

    GaussSeidel<double>(rows).sweep(forward, reinterpret_cast<const complex<double>*>(b.data()),
                                    reinterpret_cast<complex<double>*>(x.data()));

    for (Index i = 0; i < n; ++i) EXPECT_LT(std::abs(x[i] - z[i]), 1e-6) << i;  // values in single precision
  }
}

TEST(GaussSeidel, RefusesWhatItCannotDo) {
  Coo<Complex> hole;
  hole.num_rows = hole.num_cols = 3;
  hole.add(0, 0, 1), hole.add(1, 0, 1), hole.add(1, 1, 0), hole.add(2, 2, 1);
  Coo<Complex> dense;
  dense.num_rows = dense.num_cols = 2000;  // more groups of six than there are colours
  for (Index i = 0; i < 2000; ++i)
    for (Index j = 0; j < 2000; ++j) dense.add(i, j, i == j ? 2000 : 1);

  EXPECT_THROW(colour_rows(to_csr(hole)), NumericalError);
  EXPECT_THROW(colour_rows(to_csr(dense)), InputError);
  EXPECT_THROW(colour_rows(Csr<Complex>{2, 3, {0, 0, 0}, {}, {}}), InputError);
}

#ifdef CURLEW_HAVE_CUDA
TEST(DeviceGaussSeidel, AgreesWithTheCpu) {
  CURLEW_NEEDS_GPU();
  using Z = complex<double>;
  for (const Index size : {1, 2, 3, 4, 6}) {
    const Index n = 97 * size;
    const ColouredRows rows = colour_rows(ring(97, size));
    const auto b = right_side<Complex>(n, 3);
    for (const bool forward : {true, false}) {
      auto x = right_side<Complex>(n, 4);
      cuda::Buffer<Z> device_b(n), device_x(n);
      device_b.upload(reinterpret_cast<const Z*>(b.data()));
      device_x.upload(reinterpret_cast<const Z*>(x.data()));

      GaussSeidel<double>(rows).sweep(forward, reinterpret_cast<const Z*>(b.data()),
                                      reinterpret_cast<Z*>(x.data()));
      DeviceGaussSeidel<double>(rows).sweep(forward, device_b.data(), device_x.data(), {});

      const auto y = device_x.to_host();
      for (Index i = 0; i < n; ++i) EXPECT_LT(std::abs(x[i] - Complex(y[i].re, y[i].im)), 1e-12) << i;
    }
  }
}
#endif

}  // namespace
}  // namespace curlew::linalg
