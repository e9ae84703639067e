// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/spread_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

struct Entry {
  Index row, column;
  Complex value;
};

bool has_row(const Csr<Complex>& a, Index row) {
  return a.row_offsets[std::size_t(row)] < a.row_offsets[std::size_t(row) + 1];
}

template <class Body>
void each_entry(const Csr<Complex>& a, Index row, const Body& body) {
  for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k)
    body(a.columns[std::size_t(k)], a.values[std::size_t(k)]);
}

Csr<Complex> sum_of(Index n, const std::vector<std::vector<Entry>>& parts) {
  Coo<Complex> all;
  all.num_rows = all.num_cols = n;
  for (const auto& part : parts)
    for (const Entry& e : part) all.add(e.row, e.column, e.value);
  return to_csr(all);
}

/// Unknowns of others in the columns of rows of a, without repetition.
std::vector<Index> foreign_columns(const ProcessGroup& group, const Csr<Complex>& a,
                                   const std::vector<Index>& owner) {
  std::vector<Index> found;
  for (const Index j : a.columns)
    if (owner[std::size_t(j)] != group.rank()) found.push_back(j);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

std::vector<std::vector<Index>> by_owner(const ProcessGroup& group, const std::vector<Index>& unknowns,
                                         const std::vector<Index>& owner) {
  std::vector<std::vector<Index>> lists(std::size_t(group.size()));
  for (const Index i : unknowns) lists[std::size_t(owner[std::size_t(i)])].push_back(i);
  return lists;
}

}  // namespace

std::vector<Index> owners_of(const ProcessGroup& group, const Csr<Complex>& own) {
  std::vector<Index> owner(std::size_t(own.num_rows));
  for (Index i = 0; i < own.num_rows; ++i)
    owner[std::size_t(i)] = has_row(own, i) ? group.size() - group.rank() : 0;
  group.largest(owner.data(), owner.size());
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] == 0) throw NumericalError(fmt::format("iterative solver: row {} is empty", i));
    owner[i] = group.size() - owner[i];
  }
  return owner;
}

std::optional<Csr<Complex>> give_to_owners(const ProcessGroup& group, const Csr<Complex>& own,
                                           const std::vector<Index>& owner) {
  std::vector<std::vector<Entry>> given(std::size_t(group.size()));
  Index gives = 0;
  for (Index i = 0; i < own.num_rows; ++i) {
    const Index to = owner[std::size_t(i)];
    if (to == group.rank() || !has_row(own, i)) continue;
    gives = 1;
    each_entry(own, i, [&](Index j, Complex v) { given[std::size_t(to)].push_back({i, j, v}); });
  }
  group.largest(&gives, 1);
  if (gives == 0) return {};
  const auto here = [&](Index i, Index) { return owner[std::size_t(i)] == group.rank(); };
  const Csr<Complex> kept = kept_entries(own, here);
  return add(Complex(1), kept, Complex(1), sum_of(own.num_rows, deal(group, given)));
}

namespace {

/// Rows of a, and rows of others, which a lacks. @param others by process, entries of each row together and
/// by column
Csr<Complex> with_rows(const Csr<Complex>& a, const std::vector<std::vector<Entry>>& others) {
  Csr<Complex> out{a.num_rows, a.num_cols, std::vector<Offset>(std::size_t(a.num_rows) + 1), {}, {}};
  auto& begin = out.row_offsets;
  for (Index i = 0; i < a.num_rows; ++i)
    begin[std::size_t(i) + 1] = a.row_offsets[std::size_t(i) + 1] - a.row_offsets[std::size_t(i)];
  for (const auto& part : others)
    for (const Entry& e : part) ++begin[std::size_t(e.row) + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  out.columns.resize(std::size_t(out.nnz())), out.values.resize(std::size_t(out.nnz()));
  const auto put = [&](Offset place, Index column, Complex value) {
    out.columns[std::size_t(place)] = column, out.values[std::size_t(place)] = value;
  };
  for (Index i = 0; i < a.num_rows; ++i) {
    Offset place = begin[std::size_t(i)];
    each_entry(a, i, [&](Index j, Complex v) { put(place++, j, v); });
  }
  for (const auto& part : others) {
    Index row = -1;
    Offset place = 0;
    for (const Entry& e : part) {
      if (e.row != row) row = e.row, place = begin[std::size_t(row)];
      put(place++, e.column, e.value);
    }
  }
  return out;
}

}  // namespace

Csr<Complex> with_layer(const ProcessGroup& group, const Csr<Complex>& own, const std::vector<Index>& owner) {
  const auto asked = deal(group, by_owner(group, foreign_columns(group, own, owner), owner));
  std::vector<std::vector<Entry>> rows(asked.size());
  for (std::size_t p = 0; p < asked.size(); ++p)
    for (const Index i : asked[p])
      each_entry(own, i, [&](Index j, Complex v) { rows[p].push_back({i, j, v}); });
  const auto others = deal(group, rows);
  rows = {};
  return with_rows(own, others);
}

SpreadRows::SpreadRows(const ProcessGroup& group, std::vector<Index> owner, std::vector<Index> level)
    : group_(&group), owner_(std::move(owner)), level_(std::move(level)), place_(owner_.size(), -1) {
  for (Index i = 0; i < num_unknowns(); ++i)
    if (is_own(i)) own_.push_back(i);
  std::ranges::stable_sort(own_, {}, [&](Index i) { return this->level(i); });
  for (std::size_t p = 0; p < own_.size(); ++p) place_[std::size_t(own_[p])] = Index(p);
  const Index levels = level_.empty() ? 1 : *std::ranges::max_element(level_) + 1;
  for (Index l = 0; l <= levels; ++l)
    offsets_.push_back(
        Index(std::ranges::lower_bound(own_, l, {}, [&](Index i) { return this->level(i); }) - own_.begin()));
}

Halo::Halo(const SpreadRows& rows, std::vector<Index> wanted, Index first)
    : group_(&rows.group()), out_begin_{0}, in_begin_{0} {
  std::vector<std::vector<Index>> lists(std::size_t(group_->size()));
  for (const Index i : wanted) lists[std::size_t(rows.owner(i))].push_back(i);
  for (const auto& list : lists) {
    unknowns_.insert(unknowns_.end(), list.begin(), list.end());
    in_begin_.push_back(in_begin_.back() + list.size());
  }
  for (const auto& list : deal(*group_, lists)) {
    for (const Index i : list) sent_.push_back(rows.place(i) - first);
    out_begin_.push_back(out_begin_.back() + list.size());
  }
}

void Halo::fetch(std::span<const Complex* const> x, Complex* ghosts) const {
  const std::size_t vectors = x.size();
  out_.resize(sent_.size() * vectors);
  for (std::size_t i = 0; i < sent_.size(); ++i)
    for (std::size_t v = 0; v < vectors; ++v) out_[i * vectors + v] = x[v][sent_[i]];
  const auto in_bytes = [&](std::vector<std::size_t> begin) {
    for (std::size_t& place : begin) place *= vectors * sizeof(Complex);
    return begin;
  };
  group_->exchange(reinterpret_cast<const char*>(out_.data()), in_bytes(out_begin_),
                   reinterpret_cast<char*>(ghosts), in_bytes(in_begin_));
}

namespace {

/// Unknowns of others in the columns of own rows.
std::vector<Index> columns_of_others(const SpreadRows& rows, const Csr<Complex>& a) {
  std::vector<Index> found;
  for (const Index i : rows.own())
    each_entry(a, i, [&](Index j, Complex) {
      if (!rows.is_own(j)) found.push_back(j);
    });
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

/// Columns of some levels that appear in some rows of a matrix.
std::vector<Index> columns_of_levels(const SpreadRows& rows, const SpreadMatrix& a, Levels row_levels,
                                     Levels column_levels) {
  std::vector<char> is_there(a.foreign.size());
  const Index end = rows.offsets()[std::size_t(row_levels.end)];
  for (Index i = rows.offsets()[std::size_t(row_levels.begin)]; i < end; ++i)
    each_entry(a.outer, i, [&](Index j, Complex) { is_there[std::size_t(j)] = 1; });
  std::vector<Index> found;
  for (std::size_t j = 0; j < a.foreign.size(); ++j)
    if (is_there[j] != 0 && column_levels.hold(rows.level(a.foreign[j]))) found.push_back(a.foreign[j]);
  return found;
}

/// Sorts a row by column. Its memory suffices for the added entries.
void sort_row(Csr<Complex>& a, std::vector<std::pair<Index, Complex>>& row) {
  std::ranges::sort(row, {}, [](const auto& entry) { return entry.first; });
  for (const auto& [column, value] : row) a.columns.push_back(column), a.values.push_back(value);
  a.row_offsets.push_back(Offset(a.columns.size()));
  row.clear();
}

/// Reserves all rows and entries: a growing vector takes twice its memory.
void reserve(Csr<Complex>& a, Offset entries) {
  a.row_offsets.reserve(std::size_t(a.num_rows) + 1);
  a.columns.reserve(std::size_t(entries)), a.values.reserve(std::size_t(entries));
}

}  // namespace

SpreadMatrix::SpreadMatrix(const SpreadRows& rows, const Csr<Complex>& a)
    : foreign(columns_of_others(rows, a)) {
  inner.num_rows = inner.num_cols = outer.num_rows = Index(rows.own().size());
  outer.num_cols = Index(foreign.size());
  Offset inner_entries = 0, outer_entries = 0;
  for (const Index i : rows.own())
    each_entry(a, i, [&](Index j, Complex) { ++(rows.is_own(j) ? inner_entries : outer_entries); });
  reserve(inner, inner_entries), reserve(outer, outer_entries);
  const auto place_in_foreign = [&](Index j) {
    return Index(std::ranges::lower_bound(foreign, j) - foreign.begin());
  };
  std::vector<std::pair<Index, Complex>> inner_row, outer_row;
  for (const Index i : rows.own()) {
    each_entry(a, i, [&](Index j, Complex value) {
      if (rows.is_own(j))
        inner_row.emplace_back(rows.place(j), value);
      else
        outer_row.emplace_back(place_in_foreign(j), value);
    });
    sort_row(inner, inner_row), sort_row(outer, outer_row);
  }
}

SpreadBlock::SpreadBlock(const SpreadRows& rows, std::shared_ptr<const SpreadMatrix> a, Levels row_levels,
                         Levels column_levels)
    : a_(std::move(a)),
      first_row_(rows.offsets()[std::size_t(row_levels.begin)]),
      end_row_(rows.offsets()[std::size_t(row_levels.end)]),
      first_column_(rows.offsets()[std::size_t(column_levels.begin)]),
      end_column_(rows.offsets()[std::size_t(column_levels.end)]),
      halo_(rows, columns_of_levels(rows, *a_, row_levels, column_levels), first_column_),
      ghost_(a_->foreign.size(), -1),
      ghosts_(halo_.unknowns().size()) {
  for (std::size_t g = 0; g < ghosts_.size(); ++g) {
    const auto place = std::ranges::lower_bound(a_->foreign, halo_.unknowns()[g]) - a_->foreign.begin();
    ghost_[std::size_t(place)] = Index(g);
  }
}

/// Columns of a row ascend, and those of a range of levels are contiguous.
void SpreadBlock::multiply_inner(const Complex* x, Complex* y) const {
  const Csr<Complex>& a = a_->inner;
#pragma omp parallel for schedule(static)
  for (Index i = first_row_; i < end_row_; ++i) {
    const Index *const begin = a.columns.data() + a.row_offsets[std::size_t(i)],
                       *const end = a.columns.data() + a.row_offsets[std::size_t(i) + 1],
                       *const last = std::lower_bound(begin, end, end_column_);
    Complex sum = 0;
    for (const Index* column = std::lower_bound(begin, last, first_column_); column != last; ++column)
      sum += a.values[std::size_t(column - a.columns.data())] * x[*column - first_column_];
    y[i - first_row_] = sum;
  }
}

void SpreadBlock::add_outer(Complex* y) const {
#pragma omp parallel for schedule(static)
  for (Index i = first_row_; i < end_row_; ++i)
    each_entry(a_->outer, i, [&](Index j, Complex value) {
      if (const Index ghost = ghost_[std::size_t(j)]; ghost >= 0)
        y[i - first_row_] += value * ghosts_[std::size_t(ghost)];
    });
}

void SpreadBlock::apply(const Complex* x, Complex* y) const {
  halo_.fetch(x, ghosts_.data());
  multiply_inner(x, y);
  add_outer(y);
}

}  // namespace curlew::linalg
