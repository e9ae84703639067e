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

Csr<Complex> with_layer(const ProcessGroup& group, const Csr<Complex>& own, const std::vector<Index>& owner) {
  const auto asked = deal(group, by_owner(group, foreign_columns(group, own, owner), owner));
  std::vector<std::vector<Entry>> rows(asked.size());
  for (std::size_t p = 0; p < asked.size(); ++p)
    for (const Index i : asked[p])
      each_entry(own, i, [&](Index j, Complex v) { rows[p].push_back({i, j, v}); });
  return add(Complex(1), own, Complex(1), sum_of(own.num_rows, deal(group, rows)));
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

/// Unknowns of others in some columns of some own rows.
std::vector<Index> columns_of_others(const SpreadRows& rows, const Csr<Complex>& a, Levels row_levels,
                                     Levels column_levels) {
  std::vector<Index> found;
  for (const Index i : rows.own())
    if (row_levels.hold(rows.level(i)))
      each_entry(a, i, [&](Index j, Complex) {
        if (!rows.is_own(j) && column_levels.hold(rows.level(j))) found.push_back(j);
      });
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

/// Columns of a row ascend. There is room for what is added.
void sort_row(Csr<Complex>& a, std::vector<std::pair<Index, Complex>>& row) {
  std::ranges::sort(row, {}, [](const auto& entry) { return entry.first; });
  for (const auto& [column, value] : row) a.columns.push_back(column), a.values.push_back(value);
  a.row_offsets.push_back(Offset(a.columns.size()));
  row.clear();
}

/// Room for all rows and entries: a vector that grows takes twice its memory.
void reserve(Csr<Complex>& a, Offset entries) {
  a.row_offsets.reserve(std::size_t(a.num_rows) + 1);
  a.columns.reserve(std::size_t(entries)), a.values.reserve(std::size_t(entries));
}

}  // namespace

SpreadBlock::SpreadBlock(const SpreadRows& rows, const Csr<Complex>& a, Levels row_levels,
                         Levels column_levels)
    : halo_(rows, columns_of_others(rows, a, row_levels, column_levels),
            rows.offsets()[std::size_t(column_levels.begin)]),
      ghosts_(halo_.unknowns().size()) {
  const auto at = [&](int level) { return rows.offsets()[std::size_t(level)]; };
  const Index first_row = at(row_levels.begin), first_column = at(column_levels.begin);
  inner_.num_rows = outer_.num_rows = at(row_levels.end) - first_row;
  inner_.num_cols = at(column_levels.end) - first_column, outer_.num_cols = Index(ghosts_.size());
  std::vector<Index> ghost(std::size_t(rows.num_unknowns()), -1);
  for (std::size_t g = 0; g < ghosts_.size(); ++g) ghost[std::size_t(halo_.unknowns()[g])] = Index(g);
  Offset inner_entries = 0, outer_entries = 0;
  for (Index r = first_row; r < first_row + inner_.num_rows; ++r)
    each_entry(a, rows.own()[std::size_t(r)], [&](Index j, Complex) {
      if (column_levels.hold(rows.level(j))) ++(rows.is_own(j) ? inner_entries : outer_entries);
    });
  reserve(inner_, inner_entries), reserve(outer_, outer_entries);
  std::vector<std::pair<Index, Complex>> inner, outer;
  for (Index r = first_row; r < first_row + inner_.num_rows; ++r) {
    each_entry(a, rows.own()[std::size_t(r)], [&](Index j, Complex value) {
      if (!column_levels.hold(rows.level(j))) return;
      if (rows.is_own(j))
        inner.emplace_back(rows.place(j) - first_column, value);
      else
        outer.emplace_back(ghost[std::size_t(j)], value);
    });
    sort_row(inner_, inner), sort_row(outer_, outer);
  }
}

void SpreadBlock::apply(const Complex* x, Complex* y) const {
  halo_.fetch(x, ghosts_.data());
  multiply(inner_, x, y);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < outer_.num_rows; ++i)
    each_entry(outer_, i, [&](Index j, Complex value) { y[i] += value * ghosts_[std::size_t(j)]; });
}

}  // namespace curlew::linalg
