// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/symmetric.hpp"

#include <omp.h>

#include <algorithm>

#include "base/error.hpp"
#include "linalg/sparse/row_groups.hpp"
#include "linalg/sparse/symmetric_group.hpp"

namespace curlew::linalg {
namespace {

constexpr int largest_group = 6;
// The vectors of more columns do not fit into the cache.
constexpr Index columns_at_once = 4;

}  // namespace

/// Groups in the order of their first rows, and how many columns each has to its right.
template <class R>
void SymmetricCrs<R>::sort_groups(const Csr<T>& a) {
  const RowGroups found = group_rows(a, largest_group, true);
  order_ = found.rows;
  std::vector<Index> place(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) place[std::size_t(order_[i])] = Index(i);
  groups_.resize(found.groups.size() + 1);
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    const RowGroup& from = found.groups[g];
    const Index row = order_[std::size_t(from.first)], end = from.first + from.size;
    Offset count = 0;
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
      count += place[std::size_t(a.columns[k])] >= end ? 1 : 0;
    groups_[g] = {from.first, std::uint8_t(from.size), from.is_real, count, 0};
  }
  groups_.back() = {num_rows_, 0, true, 0, 0};
  Offset columns = 0, real = 0, complex = 0;
  for (Group& g : groups_) {
    const Offset count = g.columns;
    g.columns = columns;
    g.values = g.is_real ? real : complex;
    columns += count;
    (g.is_real ? real : complex) += (g.size + count) * g.size;
  }
  columns_.resize(std::size_t(columns));
  real_values_.resize(std::size_t(real)), complex_values_.resize(std::size_t(complex));
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < found.groups.size(); ++g) fill(a, g, place);
}

template <class R>
void SymmetricCrs<R>::fill(const Csr<T>& a, std::size_t group, const std::vector<Index>& place) {
  const Group& g = groups_[group];
  const Index end = g.first_row + g.size;
  const auto put = [&](Offset at, T value) {
    if (g.is_real) real_values_[std::size_t(g.values + at)] = value.real();
    if (!g.is_real) complex_values_[std::size_t(g.values + at)] = value;
  };
  std::vector<std::pair<Index, Offset>> right;  // column here, place in a row of A
  const Offset first = a.row_offsets[order_[std::size_t(g.first_row)]];
  const Offset length = a.row_offsets[order_[std::size_t(g.first_row)] + 1] - first;
  for (Offset k = 0; k < length; ++k) {
    const Index column = place[std::size_t(a.columns[first + k])];
    if (column >= end) right.emplace_back(column, k);
    if (column < g.first_row || column >= end) continue;
    for (Index i = 0; i < g.size; ++i)
      put(Offset(i) * g.size + column - g.first_row,
          a.values[a.row_offsets[order_[std::size_t(g.first_row) + std::size_t(i)]] + k]);
  }
  std::ranges::sort(right);
  for (std::size_t c = 0; c < right.size(); ++c) {
    columns_[std::size_t(g.columns) + c] = right[c].first;
    for (Index i = 0; i < g.size; ++i)
      put(Offset(g.size + Offset(c)) * g.size + i,
          a.values[a.row_offsets[order_[std::size_t(g.first_row) + std::size_t(i)]] + right[c].second]);
  }
}

template <class R>
SymmetricCrs<R>::SymmetricCrs(const Csr<T>& a) : num_rows_(a.num_rows) {
  if (a.num_rows != a.num_cols) throw InputError("symmetric storage: the matrix is not square");
  if (asymmetry(a) != 0) throw InputError("symmetric storage: the matrix differs from its transpose");
  sort_groups(a);
}

template <class R>
std::size_t SymmetricCrs<R>::stored_bytes() const {
  return complex_values_.size() * sizeof(T) + real_values_.size() * sizeof(R) +
         (columns_.size() + order_.size()) * sizeof(Index) + groups_.size() * sizeof(Group);
}

/// Shares of equal bytes, and the rows that each writes.
template <class R>
void SymmetricCrs<R>::plan(int threads) {
  if (int(part_end_.size()) == threads) return;
  const auto weight = [](const Group& g) { return g.columns; };
  part_groups_.assign(1, 0);
  part_end_.clear();
  part_buffers_.assign(std::size_t(threads), {});
  for (int p = 0; p < threads; ++p) {
    const Offset share = groups_.back().columns * (p + 1) / threads;
    const auto at = std::ranges::lower_bound(groups_, share, {}, weight);
    const std::size_t end = p + 1 == threads
                                ? groups_.size() - 1
                                : std::max(part_groups_.back(), std::size_t(at - groups_.begin()));
    Index last = groups_[end].first_row;
    const auto first_column = columns_.begin() + groups_[part_groups_.back()].columns,
               last_column = columns_.begin() + groups_[end].columns;
    if (first_column != last_column) last = std::max(last, *std::max_element(first_column, last_column) + 1);
    part_groups_.push_back(end);
    part_end_.push_back(last);
  }
}

template <class R>
void SymmetricCrs<R>::multiply_part(int part, Index n) {
  const std::size_t first = part_groups_[std::size_t(part)], last = part_groups_[std::size_t(part) + 1];
  const Index begin = groups_[first].first_row, end = groups_[last].first_row;
  auto& buffer = part_buffers_[std::size_t(part)];
  const Offset rows_behind = part_end_[std::size_t(part)] - end;
  if (Offset(buffer.size()) < n * rows_behind) buffer.resize(std::size_t(n * rows_behind));
  std::ranges::fill(buffer, T(0));
  for (Index c = 0; c < n; ++c) std::fill_n(y_.begin() + Offset(c) * num_rows_ + begin, end - begin, T(0));
  for (std::size_t i = first; i < last; ++i) {
    const Group& g = groups_[i];
    const Index* columns = columns_.data() + g.columns;
    const Offset count = groups_[i + 1].columns - g.columns;
    Offset split = count;  // columns ascend: those of later parts are at the end
    while (split > 0 && columns[split - 1] >= end) --split;
    const auto run = [&]<int G>() {
      for (Index c = 0; c < n; ++c) {  // while the values of the group are in the cache
        const T* x = x_.data() + Offset(c) * num_rows_;
        T *y = y_.data() + Offset(c) * num_rows_, *behind = buffer.data() + c * rows_behind;
        if (g.is_real)
          multiply_group<G, R>(g.first_row, split, count, columns, real_values_.data() + g.values, x, y,
                               behind, end);
        else
          multiply_group<G, R>(g.first_row, split, count, columns, complex_values_.data() + g.values, x, y,
                               behind, end);
      }
    };
    switch (g.size) {
      case 1:
        run.template operator()<1>();
        break;
      case 2:
        run.template operator()<2>();
        break;
      case 3:
        run.template operator()<3>();
        break;
      case 4:
        run.template operator()<4>();
        break;
      default:
        run.template operator()<6>();
    }
  }
}

template <class R>
void SymmetricCrs<R>::multiply_block(const T* x, Offset ldx, T* y, Offset ldy, Index n) {
  const int parts = int(part_end_.size());
  if (Offset(x_.size()) < Offset(n) * num_rows_) x_.resize(std::size_t(n) * std::size_t(num_rows_)), y_ = x_;
#pragma omp parallel num_threads(parts)
  {
    for (Index c = 0; c < n; ++c) {
#pragma omp for schedule(static)
      for (Index i = 0; i < num_rows_; ++i)
        x_[std::size_t(Offset(c) * num_rows_ + i)] = x[c * ldx + order_[std::size_t(i)]];
    }
#pragma omp for schedule(static, 1)
    for (int p = 0; p < parts; ++p) multiply_part(p, n);
#pragma omp for schedule(static)
    for (Index i = 0; i < num_rows_; ++i)
      for (Index c = 0; c < n; ++c) y[c * ldy + order_[std::size_t(i)]] = collect(i, c);
  }
}

/// The sum of what the parts have added to row i, in the order of the parts.
template <class R>
std::complex<R> SymmetricCrs<R>::collect(Index i, Index c) const {
  T sum = y_[std::size_t(Offset(c) * num_rows_ + i)];
  for (std::size_t p = 0; p < part_end_.size(); ++p) {
    const Index begin = groups_[part_groups_[p + 1]].first_row;
    if (i < begin) break;
    if (i < part_end_[p]) sum += part_buffers_[p][std::size_t(c * Offset(part_end_[p] - begin) + i - begin)];
  }
  return sum;
}

template <class R>
void SymmetricCrs<R>::multiply(const T* x, Offset ldx, T* y, Offset ldy, Index n) {
  plan(omp_get_max_threads());
  for (Index c = 0; c < n; c += columns_at_once)
    multiply_block(x + c * ldx, ldx, y + c * ldy, ldy, std::min(n - c, columns_at_once));
}

template class SymmetricCrs<double>;
template class SymmetricCrs<float>;

}  // namespace curlew::linalg
