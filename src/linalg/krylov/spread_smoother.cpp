// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/spread_smoother.hpp"

#include <algorithm>

#include "linalg/attempt.hpp"
#include "linalg/submatrix.hpp"

namespace curlew::linalg {
namespace {

std::vector<Index> rows_of(const SpreadRows& rows, const Csr<Complex>& a, int level) {
  std::vector<Index> found;
  for (Index i = 0; i < a.num_rows; ++i)
    if (rows.level(i) == level && a.row_offsets[std::size_t(i)] < a.row_offsets[std::size_t(i) + 1])
      found.push_back(i);
  return found;
}

/// Unknowns of others among some and the columns of their rows.
std::vector<Index> others_near(const SpreadRows& rows, const Csr<Complex>& a,
                               const std::vector<Index>& some) {
  std::vector<Index> found;
  for (const Index i : some)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (const Index j = a.columns[std::size_t(k)]; !rows.is_own(j)) found.push_back(j);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

/// [all unknowns] places in a list, -1 elsewhere.
std::vector<Index> places_in(const std::vector<Index>& list, Index unknowns) {
  std::vector<Index> place(std::size_t(unknowns), -1);
  for (std::size_t p = 0; p < list.size(); ++p) place[std::size_t(list[p])] = Index(p);
  return place;
}

ColouredRows coloured(const ProcessGroup& group, const Csr<Complex>& a) {
  ColouredRows rows;
  on_each(group, [&] { rows = colour_rows(a); });
  return rows;
}

}  // namespace

SpreadSmoother::SpreadSmoother(const SpreadRows& rows, const Csr<Complex>& layered, int level)
    : swept_(rows_of(rows, layered, level)),
      near_(rows, others_near(rows, layered, swept_), rows.offsets()[std::size_t(level)]),
      sweeps_(coloured(rows.group(),
                       submatrix(layered, swept_, places_in(swept_, rows.num_unknowns()), swept_.size()))),
      r_(swept_.size()),
      z_(swept_.size()),
      ghosts_(2 * near_.unknowns().size()),
      beyond_z_(near_.unknowns().size()),
      change_(swept_.size()) {
  const std::vector<Index> place = places_in(swept_, rows.num_unknowns());
  for (Index p = rows.offsets()[std::size_t(level)]; p < rows.offsets()[std::size_t(level) + 1]; ++p)
    own_.push_back(place[std::size_t(rows.own()[std::size_t(p)])]);
  for (const Index unknown : near_.unknowns()) layer_.push_back(place[std::size_t(unknown)]);
  std::vector<Index> beyond = places_in(near_.unknowns(), rows.num_unknowns());
  for (const Index unknown : swept_) beyond[std::size_t(unknown)] = -1;
  beyond_ = submatrix(layered, swept_, beyond, near_.unknowns().size());
}

void SpreadSmoother::sweep(bool forward, const Complex* r, Complex* z) const {
  const Complex* const both[] = {r, z};
  near_.fetch(both, ghosts_.data());
  for (std::size_t i = 0; i < own_.size(); ++i)
    r_[std::size_t(own_[i])] = r[i], z_[std::size_t(own_[i])] = z[i];
  for (std::size_t i = 0; i < layer_.size(); ++i) {
    beyond_z_[i] = ghosts_[2 * i + 1];
    if (layer_[i] >= 0)
      r_[std::size_t(layer_[i])] = ghosts_[2 * i], z_[std::size_t(layer_[i])] = ghosts_[2 * i + 1];
  }
  multiply(beyond_, beyond_z_.data(), change_.data());
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] -= change_[i];
  using V = complex<double>;
  sweeps_.sweep(forward, reinterpret_cast<const V*>(r_.data()), reinterpret_cast<V*>(z_.data()));
  for (std::size_t i = 0; i < own_.size(); ++i) z[i] = z_[std::size_t(own_[i])];
}

}  // namespace curlew::linalg
