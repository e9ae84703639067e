// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/slow_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/huge_pages.hpp"
#include "linalg/krylov/gauss_seidel.hpp"
#include "linalg/krylov/random_vector.hpp"

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
  const auto n = Index(rows.size());
  Csr<Complex> part{n, n, std::vector<Offset>(rows.size() + 1, 0), {}, {}};
  const auto each_entry = [&](std::size_t i, const auto& body) {
    const auto row = std::size_t(rows[i]);
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
      if (place[std::size_t(a.columns[std::size_t(k)])] >= 0) body(k);
  };
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows.size(); ++i) each_entry(i, [&](Offset) { ++part.row_offsets[i + 1]; });
  std::partial_sum(part.row_offsets.begin(), part.row_offsets.end(), part.row_offsets.begin());
  resize_huge(part.columns, std::size_t(part.nnz())), resize_huge(part.values, std::size_t(part.nnz()));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto to = std::size_t(part.row_offsets[i]);
    each_entry(i, [&](Offset k) {
      part.columns[to] = place[std::size_t(a.columns[std::size_t(k)])];
      part.values[to++] = a.values[std::size_t(k)];
    });
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
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < scale.size(); ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[std::size_t(k)] == Index(i)) scale[i] = std::sqrt(std::abs(a.values[std::size_t(k)]));
  return scale;
}

/// The groups of the sweeps. Each round removes some: their z is 0, as they are solved exactly.
class Sweeps {
 public:
  explicit Sweeps(const Csr<Complex>& a)
      : smoother_(colour_rows(a)), scale_(scales(a)), zero_(scale_.size() * samples) {}

  /// @return [num_rows] 1 for rows of which more than `left` of the error is left
  std::vector<char> slow(double left) const {
    const std::size_t n = scale_.size();
    auto z = huge_vector<complex<double>>(n * samples);
    each_entry([&](std::size_t row, std::size_t entry) {
      z[entry] = random_entry<double>(Offset(entry)) / scale_[row];
    });
    for (int step = 0; step < double_sweeps; ++step)
      for (const bool forward : {true, false})
        smoother_.sweep(forward, zero_.data(), Offset(n), z.data(), Offset(n), samples);
    std::vector<char> slow(n, 0);
    const ColouredRows& coloured = smoother_.rows();
#pragma omp parallel for schedule(static)
    for (const ColouredGroup& g : coloured.groups) {
      const Index* rows = &coloured.rows[std::size_t(g.rows)];
      double size = 0;
      for (int i = 0; i < g.size; ++i)
        for (std::size_t c = 0; c < samples; ++c) {
          const complex<double> left_over = z[c * n + std::size_t(rows[i])];
          size = std::max(size, std::hypot(left_over.re, left_over.im) * scale_[std::size_t(rows[i])]);
        }
      for (int i = 0; i < g.size; ++i) slow[std::size_t(rows[i])] = size > left ? 1 : 0;
    }
    return slow;
  }
  void take_out(const std::vector<char>& rows) {
    smoother_.take_out(rows);
  }

 private:
  /// body(row, place among the samples) for the rows of all groups
  template <class Body>
  void each_entry(const Body& body) const {
    const ColouredRows& coloured = smoother_.rows();
#pragma omp parallel for schedule(static)
    for (const ColouredGroup& g : coloured.groups)
      for (int i = 0; i < g.size; ++i)
        for (std::size_t c = 0; c < samples; ++c) {
          const auto row = std::size_t(coloured.rows[std::size_t(g.rows + i)]);
          body(row, c * scale_.size() + row);
        }
  }

  GaussSeidel<double> smoother_;
  std::vector<double> scale_;
  std::vector<complex<double>> zero_;
};

}  // namespace

void move_slow_rows_of_part(const Csr<Complex>& a, std::vector<int>& level) {
  const int highest = level.empty() ? 0 : *std::ranges::max_element(level);
  for (int l = 1; l <= highest; ++l) {
    const std::vector<Index> rows = rows_of_level(level, l);
    if (rows.empty()) continue;
    Sweeps sweeps(part_of(a, rows));
    auto left = double(rows.size());
    for (int round = 0; round < rounds && left > 0; ++round) {
      const std::vector<char> slow = sweeps.slow(left_of_error);
      const auto moved = double(std::ranges::count(slow, 1));
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (slow[i] != 0) level[std::size_t(rows[i])] = 0;
      if (moved < few * left) break;
      sweeps.take_out(slow);
      left -= moved;
    }
  }
}

void join_the_rest(std::vector<int>& level) {
  if (double(std::ranges::count(level, 0)) > most * double(level.size())) std::ranges::fill(level, 0);
}

void move_slow_rows(const Csr<Complex>& a, std::vector<int>& level) {
  move_slow_rows_of_part(a, level);
  join_the_rest(level);
}

}  // namespace curlew::linalg
