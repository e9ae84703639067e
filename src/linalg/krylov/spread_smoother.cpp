// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/spread_smoother.hpp"

#include <algorithm>

namespace curlew::linalg {
namespace {

std::vector<Index> rows_of(const SpreadRows& rows, const Csr<Complex>& a, int level) {
  std::vector<Index> found;
  for (Index i = 0; i < a.num_rows; ++i)
    if (rows.level(i) == level && a.row_offsets[std::size_t(i)] < a.row_offsets[std::size_t(i) + 1])
      found.push_back(i);
  return found;
}

std::vector<Index> of_others(const SpreadRows& rows, std::vector<Index> unknowns) {
  std::erase_if(unknowns, [&](Index i) { return rows.is_own(i); });
  return unknowns;
}

/// Columns of some rows that are not among these.
std::vector<Index> columns_beyond(const Csr<Complex>& a, const std::vector<Index>& some) {
  std::vector<Index> found;
  for (const Index i : some)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (!std::ranges::binary_search(some, a.columns[std::size_t(k)]))
        found.push_back(a.columns[std::size_t(k)]);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

/// a(some, columns) as a matrix of its own. @param place [num_cols] of a column there, -1 for none
Csr<Complex> part_of(const Csr<Complex>& a, const std::vector<Index>& some,
                     const std::vector<Index>& columns) {
  std::vector<Index> place(std::size_t(a.num_cols), -1);
  for (std::size_t i = 0; i < columns.size(); ++i) place[std::size_t(columns[i])] = Index(i);
  Coo<Complex> part;
  part.num_rows = Index(some.size()), part.num_cols = Index(columns.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    const auto row = std::size_t(some[i]);
    for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
      if (const Index j = place[std::size_t(a.columns[std::size_t(k)])]; j >= 0)
        part.add(Index(i), j, a.values[std::size_t(k)]);
  }
  return to_csr(part);
}

ColouredRows coloured(const ProcessGroup& group, const Csr<Complex>& a) {
  ColouredRows rows;
  on_each(group, [&] { rows = colour_rows(a); });
  return rows;
}

}  // namespace

SpreadSmoother::SpreadSmoother(const SpreadRows& rows, const Csr<Complex>& layered, int level)
    : swept_(rows_of(rows, layered, level)),
      layer_(rows, of_others(rows, swept_), rows.offsets()[std::size_t(level)]),
      beyond_halo_(rows, columns_beyond(layered, swept_), rows.offsets()[std::size_t(level)]),
      sweeps_(coloured(rows.group(), part_of(layered, swept_, swept_))),
      r_(swept_.size()),
      z_(swept_.size()),
      ghosts_(std::max(layer_.unknowns().size(), beyond_halo_.unknowns().size())),
      change_(swept_.size()) {
  beyond_ = part_of(layered, swept_, beyond_halo_.unknowns());
  const auto place = [&](Index unknown) {
    return Index(std::ranges::lower_bound(swept_, unknown) - swept_.begin());
  };
  for (Index p = rows.offsets()[std::size_t(level)]; p < rows.offsets()[std::size_t(level) + 1]; ++p)
    own_.push_back(place(rows.own()[std::size_t(p)]));
  for (const Index unknown : layer_.unknowns()) others_.push_back(place(unknown));
}

void SpreadSmoother::sweep(bool forward, const Complex* r, Complex* z) const {
  const auto extend = [&](const Complex* own, std::vector<Complex>& whole) {
    layer_.fetch(own, ghosts_.data());
    for (std::size_t i = 0; i < own_.size(); ++i) whole[std::size_t(own_[i])] = own[i];
    for (std::size_t i = 0; i < others_.size(); ++i) whole[std::size_t(others_[i])] = ghosts_[i];
  };
  extend(r, r_), extend(z, z_);
  beyond_halo_.fetch(z, ghosts_.data());
  multiply(beyond_, ghosts_.data(), change_.data());
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] -= change_[i];
  using V = complex<double>;
  sweeps_.sweep(forward, reinterpret_cast<const V*>(r_.data()), reinterpret_cast<V*>(z_.data()));
  for (std::size_t i = 0; i < own_.size(); ++i) z[i] = z_[std::size_t(own_[i])];
}

}  // namespace curlew::linalg
