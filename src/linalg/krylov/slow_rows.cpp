// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/slow_rows.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/krylov/gauss_seidel.hpp"
#include "linalg/krylov/random_vector.hpp"
#include "linalg/sparse/row_groups.hpp"

namespace curlew::linalg {
namespace {

// Measured: docs/measured/solvers.md.
constexpr double left_of_error = 0.15;
constexpr int double_sweeps = 6, samples = 2, rounds = 3;
constexpr double few = 0.02;   // of a level: no further round
constexpr double most = 0.85;  // of all unknowns on the coarse level: then the rest joins it

/// A restricted to some rows and columns. @param rows ascending
Csr<Complex> part_of(const Csr<Complex>& a, const std::vector<Index>& rows) {
  std::vector<Index> place(std::size_t(a.num_rows), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[std::size_t(rows[i])] = Index(i);
  Csr<Complex> part;
  part.num_rows = part.num_cols = Index(rows.size());
  for (const Index row : rows) {
    for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k) {
      const Index column = place[std::size_t(a.columns[std::size_t(k)])];
      if (column < 0) continue;
      part.columns.push_back(column), part.values.push_back(a.values[std::size_t(k)]);
    }
    part.row_offsets.push_back(Offset(part.columns.size()));
  }
  return part;
}

std::vector<Index> rows_of_level(const std::vector<int>& level, int wanted) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < level.size(); ++i)
    if (level[i] == wanted) rows.push_back(Index(i));
  return rows;
}

/// Roots of the magnitudes of the diagonal.
std::vector<double> scales(const Csr<Complex>& a) {
  std::vector<double> scale(std::size_t(a.num_rows), 0);
  for (std::size_t i = 0; i < scale.size(); ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[std::size_t(k)] == Index(i)) scale[i] = std::sqrt(std::abs(a.values[std::size_t(k)]));
  return scale;
}

}  // namespace

std::vector<char> slow_rows(const Csr<Complex>& a, double left) {
  const auto n = std::size_t(a.num_rows);
  const GaussSeidel<double> smoother(colour_rows(a));
  const std::vector<double> scale = scales(a);
  std::vector<complex<double>> z(n * samples);
  const std::vector<complex<double>> zero(n * samples);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = random_entry<double>(Offset(i)) / scale[i % n];
  for (int step = 0; step < double_sweeps; ++step)
    for (const bool forward : {true, false})
      smoother.sweep(forward, zero.data(), Offset(n), z.data(), Offset(n), samples);
  std::vector<char> slow(n, 0);
  const RowGroups groups = group_rows(a, 6, false);
  for (const RowGroup& g : groups.groups) {
    const Index* rows = &groups.rows[std::size_t(g.first)];
    double size = 0;
    for (int i = 0; i < g.size; ++i)
      for (std::size_t c = 0; c < samples; ++c) {
        const complex<double> left_over = z[c * n + std::size_t(rows[i])];
        size = std::max(size, std::hypot(left_over.re, left_over.im) * scale[std::size_t(rows[i])]);
      }
    for (int i = 0; i < g.size; ++i) slow[std::size_t(rows[i])] = size > left ? 1 : 0;
  }
  return slow;
}

void move_slow_rows(const Csr<Complex>& a, std::vector<int>& level) {
  const int highest = level.empty() ? 0 : *std::ranges::max_element(level);
  for (int l = 1; l <= highest; ++l)
    for (int round = 0; round < rounds; ++round) {
      const std::vector<Index> rows = rows_of_level(level, l);
      if (rows.empty()) break;
      const std::vector<char> slow = slow_rows(part_of(a, rows), left_of_error);
      const auto moved = std::ranges::count(slow, 1);
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (slow[i] != 0) level[std::size_t(rows[i])] = 0;
      if (double(moved) < few * double(rows.size())) break;
    }
  if (double(std::ranges::count(level, 0)) > most * double(level.size())) std::ranges::fill(level, 0);
}

}  // namespace curlew::linalg
