// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/gauss_seidel.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "linalg/sparse/row_groups.hpp"

namespace curlew::linalg {
namespace {

constexpr int largest_group = 6, max_colours = 256;
constexpr int words = max_colours / 64;

/// Colours of a group, a bit each.
using Colours = std::array<std::uint64_t, words>;

int first_free(const Colours& taken) {
  int colour = 0;
  for (int w = 0; w < words && colour == 64 * w; ++w) colour += std::countr_one(taken[std::size_t(w)]);
  return colour;
}

/// Greedy, in the order of the groups. Colours of earlier groups that a group reads follow from its columns;
/// those of earlier groups that read it are in `refused`, one word for 64 colours and group, allocated when
/// needed.
template <class T>
std::vector<int> colour_groups(const Csr<T>& a, const RowGroups& groups) {
  const std::size_t count = groups.groups.size();
  std::vector<Index> group_of(std::size_t(a.num_rows));
  for (std::size_t g = 0; g < count; ++g)
    for (int i = 0; i < groups.groups[g].size; ++i)
      group_of[std::size_t(groups.rows[std::size_t(groups.groups[g].first + i)])] = Index(g);
  std::vector<int> colour(count);
  std::vector<std::int16_t> colour_of(group_of.size(), -1);  // of a row
  std::array<std::vector<std::uint64_t>, words> refused;
  for (std::size_t g = 0; g < count; ++g) {
    const auto& group = groups.groups[g];
    const auto row = std::size_t(groups.rows[std::size_t(group.first)]);
    Colours taken{};
    for (std::size_t w = 0; w < words; ++w)
      if (!refused[w].empty()) taken[w] = refused[w][g];
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      const int c = colour_of[std::size_t(a.columns[std::size_t(k)])];
      if (c >= 0) taken[std::size_t(c) / 64] |= std::uint64_t(1) << c % 64;
    }
    const int own = colour[g] = first_free(taken);
    if (own == max_colours)
      throw InputError(fmt::format(
          "Gauss-Seidel: more than {} colours: the rows of this matrix are too dense", max_colours));
    for (int i = 0; i < group.size; ++i)
      colour_of[std::size_t(groups.rows[std::size_t(group.first + i)])] = std::int16_t(own);
    auto& word = refused[std::size_t(own) / 64];
    word.resize(count);
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      const auto other = std::size_t(group_of[std::size_t(a.columns[std::size_t(k)])]);
      if (other > g) word[other] |= std::uint64_t(1) << own % 64;
    }
  }
  return colour;
}

/// Positions of all groups, colour by colour, large groups of a colour first, so that a warp's groups have
/// similar sizes.
template <class T>
std::vector<Index> lay_out(const Csr<T>& a, const RowGroups& groups, ColouredRows& out) {
  const std::vector<int> colour = colour_groups(a, groups);
  const auto kind = [&](std::size_t g) {  // a counting sort by it
    return std::size_t(colour[g] * largest_group + largest_group - groups.groups[g].size);
  };
  std::vector<Index> order(groups.groups.size()), next(std::size_t(max_colours * largest_group) + 1);
  for (std::size_t g = 0; g < order.size(); ++g) ++next[kind(g) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t g = 0; g < order.size(); ++g) order[std::size_t(next[kind(g)]++)] = Index(g);
  Offset values = 0, columns = 0, inverse = 0;
  Index rows = 0;
  for (const Index g : order) {
    const auto& group = groups.groups[std::size_t(g)];
    while (int(out.colour_offsets.size()) <= colour[std::size_t(g)])
      out.colour_offsets.push_back(Index(out.groups.size()));
    const auto row = std::size_t(groups.rows[std::size_t(group.first)]);
    const Index all = Index(a.row_offsets[row + 1] - a.row_offsets[row]);
    // Rows of one pattern that hold their diagonal hold the whole block; a missing one is found later.
    const Index length = std::max<Index>(all - group.size, 0);
    out.groups.push_back({values, columns, inverse, rows, length, group.size});
    values += Offset(length) * group.size, columns += length, inverse += Offset(group.size) * group.size;
    rows += group.size;
  }
  out.colour_offsets.push_back(Index(out.groups.size()));
  out.rows.resize(std::size_t(rows)), resize_huge(out.columns, std::size_t(columns));
  resize_huge(out.values, std::size_t(values)), resize_huge(out.inverses, std::size_t(inverse));
  return order;
}

/// Columns, values and the inverse of one group. False if the block has no finite inverse.
template <class T>
bool fill_group(const Csr<T>& a, const Index* rows, const ColouredGroup& to, ColouredRows& out) {
  using Block = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, 0, largest_group, largest_group>;
  Block block = Block::Zero(to.size, to.size);
  std::copy(rows, rows + to.size, out.rows.begin() + to.rows);
  for (Index i = 0; i < to.size; ++i) {
    Offset next = 0;
    for (Offset k = a.row_offsets[std::size_t(rows[i])]; k < a.row_offsets[std::size_t(rows[i]) + 1]; ++k) {
      const Index column = a.columns[std::size_t(k)];
      const Complex value(a.values[std::size_t(k)]);
      const auto own = std::find(rows, rows + to.size, column);
      if (own != rows + to.size) {
        block(i, own - rows) = value;
        continue;
      }
      if (next == to.length) return false;
      out.columns[std::size_t(to.columns + next)] = column;
      out.values[std::size_t(to.values + Offset(i) * to.length + next++)] = {float(value.real()),
                                                                             float(value.imag())};
    }
  }
  const Block inverse = block.partialPivLu().inverse();
  for (Index i = 0; i < to.size; ++i)
    for (Index j = 0; j < to.size; ++j)
      out.inverses[std::size_t(to.inverse + Offset(i) * to.size + j)] = {float(inverse(i, j).real()),
                                                                         float(inverse(i, j).imag())};
  return inverse.allFinite();
}

}  // namespace

template <class T>
ColouredRows colour_rows(const Csr<T>& a) {
  if (a.num_rows != a.num_cols)
    throw InputError(fmt::format("Gauss-Seidel: the matrix is {} x {}, not square", a.num_rows, a.num_cols));
  const RowGroups groups = group_rows(a, largest_group, false);
  ColouredRows out;
  out.num_rows = a.num_rows;
  const std::vector<Index> order = lay_out(a, groups, out);
  Index bad_row = -1;
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < order.size(); ++g) {
    const Index* rows = &groups.rows[std::size_t(groups.groups[std::size_t(order[g])].first)];
    if (fill_group(a, rows, out.groups[g], out)) continue;
#pragma omp critical
    bad_row = bad_row < 0 ? rows[0] : std::min(bad_row, rows[0]);
  }
  if (bad_row >= 0)
    throw NumericalError(fmt::format(
        "Gauss-Seidel: the diagonal block of row {} is missing, singular or not finite", bad_row));
  return out;
}

void ColouredRows::take_out(const std::vector<char>& marked) {
  std::vector<Index> offsets{0};
  std::vector<ColouredGroup> kept;
  for (int c = 0; c < num_colours(); ++c) {
    for (Index g = colour_offsets[std::size_t(c)]; g < colour_offsets[std::size_t(c) + 1]; ++g) {
      const ColouredGroup& group = groups[std::size_t(g)];
      if (marked[std::size_t(rows[std::size_t(group.rows)])] == 0) kept.push_back(group);
    }
    offsets.push_back(Index(kept.size()));
  }
  colour_offsets = std::move(offsets), groups = std::move(kept);
}

template <class R>
void GaussSeidel<R>::solve_group(const ColouredGroup& group, const complex<R>* r, complex<R>* z) const {
  const Index *rows = &rows_.rows[std::size_t(group.rows)], *columns = rows_.columns.data() + group.columns;
  complex<R> rest[largest_group];
  for (Index i = 0; i < group.size; ++i) {
    const complex<float>* values = rows_.values.data() + group.values + Offset(i) * group.length;
    complex<R> sum = r[rows[i]];
    for (Index k = 0; k < group.length; ++k)
      sum -= complex<R>(R(values[k].re), R(values[k].im)) * z[columns[k]];
    rest[i] = sum;
  }
  const complex<float>* inverse = rows_.inverses.data() + group.inverse;
  for (Index i = 0; i < group.size; ++i) {
    complex<R> sum;
    for (Index j = 0; j < group.size; ++j, ++inverse)
      sum += complex<R>(R(inverse->re), R(inverse->im)) * rest[j];
    z[rows[i]] = sum;
  }
}

template <class R>
void GaussSeidel<R>::sweep(bool forward, const complex<R>* r, Offset ldr, complex<R>* z, Offset ldz,
                           Index n) const {
  const int colours = rows_.num_colours();
  for (int step = 0; step < colours; ++step) {
    const int c = forward ? step : colours - 1 - step;
    const Index begin = rows_.colour_offsets[std::size_t(c)], end = rows_.colour_offsets[std::size_t(c) + 1];
    // All columns of a group while its values are in the cache.
#pragma omp parallel for schedule(static) if (end - begin > 256)
    for (Index g = begin; g < end; ++g)
      for (Index column = 0; column < n; ++column)
        solve_group(rows_.groups[std::size_t(g)], r + column * ldr, z + column * ldz);
  }
}

template ColouredRows colour_rows(const Csr<Complex>&);
template ColouredRows colour_rows(const Csr<ComplexF>&);
template class GaussSeidel<double>;
template class GaussSeidel<float>;

}  // namespace curlew::linalg
