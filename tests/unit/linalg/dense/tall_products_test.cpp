// SPDX-License-Identifier: BSD-3-Clause
// Products of many rows against sums written out, on several blocks and a part of one.
#include "linalg/dense/tall_products.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <complex>

namespace curlew::linalg {
namespace {

using Complex = std::complex<double>;
constexpr Eigen::Index tall_rows = 6 * tall_block + 17;
// Sums of n terms in another order differ by eps n^2 at most, here 1.4e-7; a missing row is of order 1.
constexpr double rounding = 2.3e-16 * double(tall_rows) * double(tall_rows);

double tall_entry(Eigen::Index i, Eigen::Index j) {
  return std::sin(0.1 + double(i) * 0.37 + double(j * j) * 1.3);
}

struct TallPair {
  TallPair() : a(tall_rows, 3), b(tall_rows, 2) {
    for (Eigen::Index i = 0; i < tall_rows; ++i) {
      for (Eigen::Index j = 0; j < 3; ++j) a(i, j) = tall_entry(i, j);
      for (Eigen::Index j = 0; j < 2; ++j) b(i, j) = {tall_entry(i, j + 5), tall_entry(i, j + 9)};
    }
  }
  Eigen::MatrixXd a;
  Eigen::MatrixXcd b;
};

TEST(TallProducts, TransposedProductIsTheSumOverRows) {
  const TallPair f;

  const Eigen::MatrixXcd c = tall_product(f.a, f.b);
  const Eigen::VectorXd v = tall_product(f.a, Eigen::VectorXd(f.b.col(1).imag()));

  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 2; ++j) {
      Complex sum = 0;
      for (Eigen::Index r = 0; r < tall_rows; ++r) sum += f.a(r, i) * f.b(r, j);
      EXPECT_LT(std::abs(c(i, j) - sum), rounding);
    }
    EXPECT_LT(std::abs(v(i) - c(i, 1).imag()), rounding);
  }
}

TEST(TallProducts, CombinationOfColumns) {
  const TallPair f;
  Eigen::MatrixXcd c(2, 2);
  c << Complex(1, 2), Complex(0, -1), Complex(0.5, 0), Complex(3, 1);

  const Eigen::MatrixXcd y = combine_columns(f.b, c);

  for (Eigen::Index r = 0; r < tall_rows; r += 911)
    for (Eigen::Index j = 0; j < 2; ++j)
      EXPECT_LT(std::abs(y(r, j) - (f.b(r, 0) * c(0, j) + f.b(r, 1) * c(1, j))), 1e-14);
}

TEST(TallProducts, TheSameBitsWithAnyNumberOfThreads) {
  const TallPair f;
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Eigen::MatrixXcd one = tall_product(f.a, f.b);
  omp_set_num_threads(5);
  const Eigen::MatrixXcd five = tall_product(f.a, f.b);
  omp_set_num_threads(before);

  EXPECT_EQ(one, five);
}

}  // namespace
}  // namespace curlew::linalg
