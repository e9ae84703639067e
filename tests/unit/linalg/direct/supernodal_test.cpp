// SPDX-License-Identifier: BSD-3-Clause
// Factors by supernodes: what they store against a dense elimination, and their solutions.

#include "linalg/direct/supernodal_factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "linalg/direct/graph_ordering.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

Supernodes nodes_of(const Csr<Complex>& a) {
  return find_supernodes(a.row_offsets, a.columns,
                         nested_dissection(compress_pattern(a.row_offsets, a.columns)));
}

/// Places below each one that a dense elimination of the pattern fills.
std::vector<std::vector<bool>> filled(const Csr<Complex>& a, const std::vector<Index>& place) {
  const auto n = std::size_t(a.num_rows);
  std::vector<std::vector<bool>> is_there(n, std::vector<bool>(n, false));  // [column][row]
  for (std::size_t i = 0; i < n; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      is_there[std::size_t(place[i])][std::size_t(place[std::size_t(a.columns[std::size_t(k)])])] = true;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t j = c + 1; j < n; ++j)
      if (is_there[c][j])
        for (std::size_t i = c + 1; i < n; ++i)
          if (is_there[c][i]) is_there[j][i] = true;
  return is_there;
}

TEST(Supernodes, HoldEveryEntryThatEliminationFillsAndFewMore) {
  for (const Index block : {1, 3}) {
    const auto a = helmholtz_like(5, block);
    const Supernodes s = nodes_of(a);
    const auto is_there = filled(a, s.place);
    double needed = 0;
    for (Index node = 0; node < s.count(); ++node) {
      const auto below = s.below(node);
      EXPECT_TRUE(std::ranges::is_sorted(below));
      for (Index c = s.first[std::size_t(node)]; c < s.first[std::size_t(node) + 1]; ++c)
        for (Index i = c; i < s.size(); ++i)
          if (is_there[std::size_t(c)][std::size_t(i)]) {
            EXPECT_TRUE(i < s.first[std::size_t(node) + 1] || std::ranges::binary_search(below, i));
            ++needed;
          }
      if (!below.empty()) {
        EXPECT_GE(below.front(), s.first[std::size_t(s.parent[std::size_t(node)])]);
        EXPECT_LT(below.front(), s.first[std::size_t(s.parent[std::size_t(node)]) + 1]);
      }
    }
    EXPECT_LT(s.entries(), 2.5 * needed);  // the squares on the diagonal are stored whole
  }
}

/// |b - A x| / |b| for three right-hand sides.
template <class T>
double left_by(const Csr<Complex>& a) {
  const Supernodes s = nodes_of(a);
  const SupernodalFactors<T> factors(s, a);
  const Index n = a.num_rows, columns = 3;
  const auto b = random_vector(std::size_t(n * columns));
  std::vector<T> x(b.size());
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < columns; ++c)
      x[std::size_t(s.place[std::size_t(i)] * columns + c)] = T(b[std::size_t(c * n + i)]);
  factors.solve(x.data(), columns);
  std::vector<Complex> solution(b.size()), image(b.size());
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < columns; ++c)
      solution[std::size_t(c * n + i)] = Complex(x[std::size_t(s.place[std::size_t(i)] * columns + c)]);
  multiply(a, solution.data(), image.data(), columns);
  double left = 0, all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) left += std::norm(b[i] - image[i]), all += std::norm(b[i]);
  return std::sqrt(left / all);
}

/// Flops of the factors of a cube: by minimum degree between those by METIS and a few times as many; an order
/// by its inverse permutation fills far more.
TEST(Supernodes, MinimumDegreeIsAnOrderOfLittleFill) {
  const auto a = helmholtz_like(12);
  const auto positions = minimum_degree(a.row_offsets, a.columns);
  std::vector<Index> inverse(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) inverse[std::size_t(positions[i])] = Index(i);
  const auto flops = [&](const std::vector<Index>& p) {
    return find_supernodes(a.row_offsets, a.columns, p).flops();
  };
  EXPECT_LT(flops(positions), 3 * nodes_of(a).flops());
  EXPECT_GT(flops(inverse), 2 * flops(positions));
}

TEST(SupernodalFactors, SolveInBothPrecisions) {
  for (const Index block : {1, 4}) {
    const auto a = helmholtz_like(9, block);
    EXPECT_LT(left_by<Complex>(a), 1e-12);
    EXPECT_LT(left_by<ComplexF>(a), 1e-3);
  }
}

TEST(SupernodalFactors, SolveAMatrixOfPiecesAndASmallOne) {
  Csr<Complex> pieces = identity<Complex>(40);
  for (Complex& value : pieces.values) value = {0, 2};
  EXPECT_LT(left_by<Complex>(pieces), 1e-15);
  EXPECT_LT(left_by<Complex>(helmholtz_like(1)), 1e-15);
}

TEST(SupernodalFactors, RefuseAMatrixWhosePivotVanishes) {
  Csr<Complex> a = identity<Complex>(5);
  a.values[3] = 0;
  EXPECT_THROW(left_by<Complex>(a), NumericalError);
  a.values[3] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(left_by<Complex>(a), NumericalError);
}

}  // namespace
}  // namespace curlew::linalg
