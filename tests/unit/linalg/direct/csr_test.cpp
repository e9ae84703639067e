// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/csr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "linalg/csr_rows.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

using Dense = std::map<std::pair<Index, Index>, Complex>;

/// Rectangular, with an empty row and an empty column.
Csr<Complex> small() {
  Coo<Complex> coo{4, 3, {}, {}, {}};
  coo.add(3, 0, {1, 2}), coo.add(0, 2, 5), coo.add(0, 0, -1), coo.add(3, 2, {0, 1}), coo.add(0, 2, 0.5);
  return to_csr(coo);
}

Dense dense(const Csr<Complex>& a) {
  Dense d;
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) d[{i, a.columns[k]}] = a.values[k];
  }
  return d;
}

TEST(Csr, EntriesOfOnePlaceAreAdded) {
  EXPECT_EQ(dense(small()), (Dense{{{0, 0}, -1}, {{0, 2}, 5.5}, {{3, 0}, {1, 2}}, {{3, 2}, {0, 1}}}));
  EXPECT_EQ(small().row_offsets, (std::vector<Offset>{0, 2, 2, 2, 4}));
  check_structure(small(), "small");
}

TEST(Csr, TransposeSwapsWithoutConjugation) {
  const auto t = transpose(small());
  EXPECT_EQ(dense(t), (Dense{{{0, 0}, -1}, {{2, 0}, 5.5}, {{0, 3}, {1, 2}}, {{2, 3}, {0, 1}}}));
  check_structure(t, "transpose");
}

/// Rows that are empty, sorted or not, and entries of equal row and column whose sum depends on their order.
Csr<Complex> rows_of_many_blocks() {
  return make_rows<Complex>(5000, 7, [](Index i, std::vector<RowEntry<Complex>>& row) {
    if (i % 3 == 0) return;
    row.emplace_back(5, 1e16), row.emplace_back(i % 5, Complex(i, 1)), row.emplace_back(5, -1e16);
    row.emplace_back(5, 1);
  });
}

TEST(Csr, RowsAreMadeInAnyOrderAndGiveTheSameBits) {
  set_num_threads(1);
  const auto alone = rows_of_many_blocks();
  set_num_threads(4);
  const auto together = rows_of_many_blocks();
  set_num_threads(0);
  check_structure(alone, "rows");
  Coo<Complex> coo{5000, 7, {}, {}, {}};
  for (Index i = 0; i < 5000; ++i)
    if (i % 3 != 0) coo.add(i, i % 5, Complex(i, 1)), coo.add(i, 5, 1);
  const auto expected = to_csr(coo);
  for (const auto& a : {alone, together}) {
    EXPECT_EQ(a.row_offsets, expected.row_offsets);
    EXPECT_EQ(a.columns, expected.columns);
    EXPECT_EQ(a.values, expected.values);
  }
}

TEST(Csr, CongruentIsTheProductOfThree) {
  Coo<double> to{4, 3, {}, {}, {}};
  to.add(0, 0, 2), to.add(1, 0, -1), to.add(1, 2, 3), to.add(3, 1, 5), to.add(3, 2, 1);
  Coo<Complex> of{4, 4, {}, {}, {}};
  of.add(0, 1, {1, 1}), of.add(1, 0, 4), of.add(1, 1, {0, 2}), of.add(3, 1, 7), of.add(2, 2, 9),
      of.add(3, 3, -1);
  Eigen::Matrix<Complex, 4, 3> a = Eigen::Matrix<Complex, 4, 3>::Zero();
  Eigen::Matrix4cd b = Eigen::Matrix4cd::Zero();
  for (std::size_t k = 0; k < to.rows.size(); ++k) a(to.rows[k], to.columns[k]) += to.values[k];
  for (std::size_t k = 0; k < of.rows.size(); ++k) b(of.rows[k], of.columns[k]) += of.values[k];
  const Eigen::Matrix3cd expected = a.transpose() * b * a;
  Eigen::Matrix3cd found = Eigen::Matrix3cd::Zero();
  for (const auto& [place, value] : dense(congruent(to_csr(to), to_csr(of))))
    found(place.first, place.second) = value;
  EXPECT_EQ(found, expected);  // whole numbers
}

TEST(Csr, SumOfDifferentPatterns) {
  Coo<Complex> coo{4, 3, {}, {}, {}};
  coo.add(0, 1, 1), coo.add(0, 2, 1), coo.add(2, 2, 1);
  const auto sum = add<Complex>(2, small(), {0, 1}, to_csr(coo));
  EXPECT_EQ(dense(sum), (Dense{{{0, 0}, -2},
                               {{0, 1}, {0, 1}},
                               {{0, 2}, {11, 1}},
                               {{2, 2}, {0, 1}},
                               {{3, 0}, {2, 4}},
                               {{3, 2}, {0, 2}}}));
  EXPECT_EQ(dense(add<Complex>(2, small(), 1, small())).at({3, 0}), Complex(3, 6));
  EXPECT_THROW(add<Complex>(1, small(), 1, transpose(small())), InputError);
}

TEST(Csr, ProductsAgreeWithTheDefinition) {
  const auto a = helmholtz_like(5, 2);
  constexpr Index columns = 19;  // two blocks of eight and a rest
  const auto x = random_vector(std::size_t(a.num_rows) * columns);
  std::vector<Complex> y(x.size());
  multiply(a, x.data(), y.data(), columns);

  for (Index c = 0; c < columns; ++c) {
    std::vector<Complex> expected(a.num_rows);
    for (const auto& [place, value] : dense(a))
      expected[place.first] += value * x[c * a.num_rows + place.second];
    for (Index i = 0; i < a.num_rows; ++i) EXPECT_LT(std::abs(y[c * a.num_rows + i] - expected[i]), 1e-14);
  }
  std::vector<Complex> b(y.begin(), y.begin() + a.num_rows);
  EXPECT_LT(relative_residual(a, x.data(), b.data()), 1e-15);
  b[0] += 1e-3;
  EXPECT_GT(relative_residual(a, x.data(), b.data()), 1e-6);
}

TEST(Csr, AsymmetryIsTheLargestDifference) {
  auto a = helmholtz_like(3);
  EXPECT_EQ(asymmetry(a), 0);
  double largest = 0;
  for (const auto value : a.values) largest = std::max(largest, std::abs(value));
  a.values[1] += Complex(0, 0.25 * largest);  // off the diagonal
  EXPECT_NEAR(asymmetry(a), 0.25, 1e-12);
  EXPECT_EQ(asymmetry(Csr<Complex>{}), 0);
  EXPECT_THROW(asymmetry(small()), InputError);
}

TEST(Csr, PermutationMovesRowsAndColumns) {
  const auto a = helmholtz_like(3);
  std::vector<Index> order(a.num_rows);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));

  const auto b = permute(a, order);

  check_structure(b, "permuted");
  auto before = dense(a);
  for (const auto& [place, value] : dense(b))
    EXPECT_EQ(value, (before.at({order[place.first], order[place.second]})));
  EXPECT_EQ(b.nnz(), a.nnz());
  order[0] = order[1];
  EXPECT_THROW(permute(a, order), InputError);
}

TEST(Csr, NineBlocksMakeUpTheMatrix) {
  const auto a = helmholtz_like(3, 2);
  const Index ends[] = {0, 10, 31, a.num_rows};
  Offset total = 0;
  auto whole = dense(a);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      const auto part = block(a, ends[r], ends[r + 1], ends[c], ends[c + 1]);
      check_structure(part, "block");
      for (const auto& [place, value] : dense(part))
        EXPECT_EQ(value, (whole.at({place.first + ends[r], place.second + ends[c]})));
      total += part.nnz();
    }
  }
  EXPECT_EQ(total, a.nnz());
  EXPECT_EQ(block(a, 4, 4, 0, 5).num_rows, 0);
  EXPECT_THROW(block(a, 0, a.num_rows + 1, 0, 1), InputError);
}

TEST(Csr, PatternHashSeesThePatternOnly) {
  auto a = helmholtz_like(4);
  const auto hash = pattern_hash(a);
  a.values[0] = 7;
  EXPECT_EQ(pattern_hash(a), hash);
  a.columns[1] += 1;
  EXPECT_NE(pattern_hash(a), hash);
}

TEST(CsrErrors, StructureAndValues) {
  const auto broken = [](auto&& change) {
    auto a = helmholtz_like(2);
    change(a);
    EXPECT_THROW(check_structure(a, "matrix"), InputError);
  };
  broken([](auto& a) { a.row_offsets[0] = 1; });
  broken([](auto& a) { a.row_offsets.pop_back(); });
  broken([](auto& a) { std::swap(a.row_offsets[1], a.row_offsets[2]); });
  broken([](auto& a) { a.values.pop_back(); });
  broken([](auto& a) { a.columns[0] = -1; });
  broken([](auto& a) { a.columns.back() = a.num_cols; });
  broken([](auto& a) { a.columns[1] = a.columns[0]; });
  auto a = helmholtz_like(2);
  a.values[2] = {0, INFINITY};
  EXPECT_THROW(check_finite(a, "matrix"), NumericalError);
  Coo<double> outside{2, 2, {}, {}, {}};
  outside.add(2, 0, 1);
  EXPECT_THROW(to_csr(outside), InputError);
}

}  // namespace
}  // namespace curlew::linalg
