// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/supernodal_factors.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

template <class T>
using Panel = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>;
template <class T>
using ConstPanel = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>;
template <class T>
using RightSides = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Eigen::Index pivots_at_once = 32, columns_at_once = 128;

/// L D L^T of a small dense matrix in its lower triangle.
template <class Block>
void factor_pivots(Block&& block) {
  for (Eigen::Index c = 0; c < block.cols(); ++c) {
    const auto pivot = block(c, c);
    if (!(std::abs(pivot) > 0) || !std::isfinite(std::abs(pivot)))
      throw NumericalError("a pivot of a subdomain vanishes: its matrix is singular");
    const Eigen::Index rest = block.cols() - c - 1;
    block.col(c).tail(rest) /= pivot;
    for (Eigen::Index d = 0; d < rest; ++d)
      block.col(c + 1 + d).tail(rest - d) -= (pivot * block(c + 1 + d, c)) * block.col(c).tail(rest - d);
  }
}

/// lower triangle of C -= L M^T, M = L D, by columns; what is above the diagonal is not read.
template <class C, class L, class M>
void subtract_lower(C&& c, const L& l, const M& m) {
  for (Eigen::Index j = 0; j < c.cols(); j += columns_at_once) {
    const Eigen::Index width = std::min(columns_at_once, c.cols() - j), height = c.rows() - j;
    c.block(j, j, height, width).noalias() -= l.bottomRows(height) * m.middleRows(j, width).transpose();
  }
}

/// Factors the leading columns of a front. @param panel its first columns @param rest the others' lower
/// triangle: the update of its parent
template <class T>
void factor_front(Panel<T>& panel, Panel<T>& rest) {
  const Eigen::Index width = panel.cols(), rows = panel.rows();
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> scaled;
  for (Eigen::Index j = 0; j < width; j += pivots_at_once) {
    const Eigen::Index b = std::min(pivots_at_once, width - j), under = rows - j - b;
    auto pivots = panel.block(j, j, b, b);
    factor_pivots(pivots);
    if (under == 0) break;
    auto below = panel.block(j + b, j, under, b);
    pivots.transpose().template triangularView<Eigen::UnitUpper>().template solveInPlace<Eigen::OnTheRight>(
        below);
    scaled = below;
    for (Eigen::Index c = 0; c < b; ++c) below.col(c) /= pivots(c, c);
    subtract_lower(panel.block(j + b, j + b, under, width - j - b), below, scaled);
  }
  if (rest.rows() == 0) return;
  scaled = panel.bottomRows(rest.rows()) * panel.topRows(width).diagonal().asDiagonal();
  subtract_lower(rest, panel.bottomRows(rest.rows()), scaled);
}

}  // namespace

template <class T>
SupernodalFactors<T>::SupernodalFactors(const Supernodes& nodes, const Csr<Complex>& a) : nodes_(&nodes) {
  offsets_.push_back(0);
  for (Index s = 0; s < nodes.count(); ++s)
    offsets_.push_back(offsets_.back() +
                       Offset(nodes.width(s)) * (nodes.width(s) + Offset(nodes.below(s).size())));
  values_.assign(std::size_t(offsets_.back()), T(0));
  std::vector<std::vector<Index>> children(std::size_t(nodes.count()));
  std::vector<std::vector<T>> updates(std::size_t(nodes.count()));
  std::vector<Index> at(std::size_t(nodes.size()));  // by index in the front
  for (Index s = 0; s < nodes.count(); ++s) {
    const Index first = nodes.first[std::size_t(s)], width = nodes.width(s);
    const auto below = nodes.below(s);
    const auto rows = Offset(below.size()), height = width + rows;
    for (Index i = 0; i < width; ++i) at[std::size_t(first + i)] = i;
    for (std::size_t i = 0; i < below.size(); ++i) at[std::size_t(below[i])] = width + Index(i);
    T* const panel = values_.data() + offsets_[std::size_t(s)];
    for (Index c = 0; c < width; ++c) {
      const auto row = std::size_t(nodes.order[std::size_t(first + c)]);
      for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
        const Index place = nodes.place[std::size_t(a.columns[std::size_t(k)])];
        if (place >= first + c) panel[c * height + at[std::size_t(place)]] += T(a.values[std::size_t(k)]);
      }
    }
    auto& update = updates[std::size_t(s)];
    update.assign(std::size_t(rows * rows), T(0));
    for (const Index child : children[std::size_t(s)]) {
      auto& from = updates[std::size_t(child)];
      const auto places = nodes.below(child);
      for (std::size_t j = 0; j < places.size(); ++j) {
        const Offset column = at[std::size_t(places[j])];
        T* const to =
            column < width ? panel + column * height : update.data() + (column - width) * rows - width;
        for (std::size_t i = j; i < places.size(); ++i)
          to[at[std::size_t(places[i])]] += from[j * places.size() + i];
      }
      from = {};
    }
    Panel<T> front(panel, height, width), rest(update.data(), rows, rows);
    factor_front(front, rest);
    if (nodes.parent[std::size_t(s)] >= 0) children[std::size_t(nodes.parent[std::size_t(s)])].push_back(s);
  }
}

template <class T>
void SupernodalFactors<T>::solve(T* x, Index columns) const {
  Eigen::Map<RightSides<T>> all(x, nodes_->size(), columns);
  RightSides<T> part;
  const auto panel_of = [&](Index s) {
    const auto width = Eigen::Index(nodes_->width(s));
    return ConstPanel<T>(values_.data() + offsets_[std::size_t(s)],
                         width + Eigen::Index(nodes_->below(s).size()), width);
  };
  for (Index s = 0; s < nodes_->count(); ++s) {
    const auto panel = panel_of(s);
    const auto below = nodes_->below(s);
    auto own = all.middleRows(nodes_->first[std::size_t(s)], panel.cols());
    panel.topRows(panel.cols()).template triangularView<Eigen::UnitLower>().solveInPlace(own);
    part.noalias() = panel.bottomRows(Eigen::Index(below.size())) * own;
    for (std::size_t i = 0; i < below.size(); ++i) all.row(below[i]) -= part.row(Eigen::Index(i));
    own = panel.topRows(panel.cols()).diagonal().cwiseInverse().asDiagonal() * own;
  }
  for (Index s = nodes_->count() - 1; s >= 0; --s) {
    const auto panel = panel_of(s);
    const auto below = nodes_->below(s);
    auto own = all.middleRows(nodes_->first[std::size_t(s)], panel.cols());
    part.resize(Eigen::Index(below.size()), columns);
    for (std::size_t i = 0; i < below.size(); ++i) part.row(Eigen::Index(i)) = all.row(below[i]);
    own.noalias() -= panel.bottomRows(Eigen::Index(below.size())).transpose() * part;
    panel.topRows(panel.cols()).transpose().template triangularView<Eigen::UnitUpper>().solveInPlace(own);
  }
}

template class SupernodalFactors<Complex>;
template class SupernodalFactors<ComplexF>;

}  // namespace curlew::linalg
