// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/star_corrections.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::fem {
namespace {

/// Matrices on overlapping sets of unknowns: sums of their products, in the order of the sets whatever the
/// threads.
template <class T>
class OverlappingBlocks {
 public:
  using Block = Eigen::Matrix<std::complex<T>, Eigen::Dynamic, Eigen::Dynamic>;

  OverlappingBlocks(std::vector<std::vector<Index>> sets, std::size_t num_unknowns)
      : sets_(std::move(sets)), blocks_(sets_.size()), first_(sets_.size() + 1), places_(num_unknowns) {
    for (std::size_t b = 0; b < sets_.size(); ++b) {
      first_[b + 1] = first_[b] + Eigen::Index(sets_[b].size());
      for (std::size_t i = 0; i < sets_[b].size(); ++i)
        places_[std::size_t(sets_[b][i])].push_back(first_[b] + Eigen::Index(i));
    }
  }

  std::size_t size() const { return sets_.size(); }
  const std::vector<Index>& set(std::size_t b) const { return sets_[b]; }
  Block& block(std::size_t b) { return blocks_[b]; }
  const Block& block(std::size_t b) const { return blocks_[b]; }

  Eigen::MatrixXcd times(const Eigen::MatrixXcd& x) const {
    Eigen::MatrixXcd parts(first_.back(), x.cols()), y(x.rows(), x.cols());
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t b = 0; b < sets_.size(); ++b) {
      Block own(Eigen::Index(sets_[b].size()), x.cols());
      for (std::size_t i = 0; i < sets_[b].size(); ++i)
        own.row(Eigen::Index(i)) = x.row(sets_[b][i]).template cast<std::complex<T>>();
      parts.middleRows(first_[b], own.rows()) = (blocks_[b] * own).template cast<Complex>();
    }
#pragma omp parallel for schedule(static)
    for (std::size_t u = 0; u < places_.size(); ++u) {
      y.row(Eigen::Index(u)).setZero();
      for (const Eigen::Index place : places_[u]) y.row(Eigen::Index(u)) += parts.row(place);
    }
    return y;
  }

 private:
  std::vector<std::vector<Index>> sets_;
  std::vector<Block> blocks_;
  std::vector<Eigen::Index> first_;                // [blocks + 1]
  std::vector<std::vector<Eigen::Index>> places_;  // [unknowns] in the blocks' parts, one after another
};

/// True if function a of a cell lives on the cells around an edge of it alone.
bool is_of_star(int a, int edge) {
  const int level = a < nedelec_dim(2) ? 2 : 3, in_level = a - level_begin(level), in_face = in_level - 6;
  if (in_face < 0) return in_level == edge;
  if (in_face >= 4 * face_dofs_added(level)) return true;
  const int opposite = in_face / face_dofs_added(level);  // face i is the one without vertex i
  const auto& ends = mesh::cell_edge_vertices[std::size_t(edge)];
  return opposite != ends[0] && opposite != ends[1];
}

/// Zero of a singular matrix: its functions stay as they are.
Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& a) {
  try {
    if (a.imag().isZero(0))  // a quarter of the operations
      return linalg::solve(Eigen::MatrixXd(a.real()), Eigen::MatrixXd::Identity(a.rows(), a.cols()))
          .cast<Complex>();
    return linalg::solve(a, Eigen::MatrixXcd::Identity(a.rows(), a.cols()));
  } catch (const NumericalError&) {
    return Eigen::MatrixXcd::Zero(a.rows(), a.cols());
  }
}

/// The form on functions of one kind.
class KindOfFunctions {
 public:
  KindOfFunctions(const NedelecSpace& next, const TestedFunctions& tested, const std::vector<char>& left_out,
                  bool gradients)
      : next_(next), tested_(tested), left_out_(left_out), number_(std::size_t(next.num_dofs()), -1) {
    for (int a = TestedFunctions::begin(); a < tested.end(); ++a)
      if (is_gradient(a) == gradients) kind_.push_back(a);
    for (Index c = 0; c < next.mesh->num_cells(); ++c)
      for (const auto& [a, d] : functions_of(c))
        if (number_[std::size_t(d)] < 0)
          number_[std::size_t(d)] = Index(functions_.size()), functions_.push_back(d);
  }

  /// Adds the corrections of these functions.
  void correct(const Eigen::MatrixXcd& residuals, Eigen::MatrixXcd& corrections) const {
    const auto cells = forms();
    const auto stars = inverses(cells);
    Eigen::MatrixXcd r(Eigen::Index(functions_.size()), residuals.cols());
    for (std::size_t u = 0; u < functions_.size(); ++u) r.row(Eigen::Index(u)) = residuals.row(functions_[u]);
    Eigen::MatrixXcd e = Eigen::MatrixXcd::Zero(r.rows(), r.cols()), p = e;
    const auto products = [](const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) -> Eigen::RowVectorXcd {
      return a.cwiseProduct(b).colwise().sum();
    };
    const auto ratio = [](Complex a, Complex b) { return b == 0.0 ? Complex(0) : a / b; };
    Eigen::RowVectorXcd before = Eigen::RowVectorXcd::Zero(r.cols());
    for (int step = 0; step < star_steps; ++step) {
      const Eigen::MatrixXcd z = stars.times(r);
      const Eigen::RowVectorXcd rho = products(r, z);
      p = z + p * rho.binaryExpr(before, ratio).asDiagonal();
      before = rho;
      const Eigen::MatrixXcd q = cells.times(p);
      const Eigen::RowVectorXcd alpha = rho.binaryExpr(products(p, q), ratio);
      e += p * alpha.asDiagonal();
      r -= q * alpha.asDiagonal();
    }
    for (std::size_t u = 0; u < functions_.size(); ++u)
      corrections.row(functions_[u]) = e.row(Eigen::Index(u));
  }

 private:
  /// Functions of this kind that a cell has: number in the cell, in the space.
  std::vector<std::pair<int, Index>> functions_of(Index cell) const {
    Index dofs[max_cell_dim];
    next_.cell_dofs(cell, dofs);
    std::vector<std::pair<int, Index>> of;
    for (const int a : kind_)
      if (dofs[a] >= 0 && !left_out_[std::size_t(dofs[a])]) of.push_back({a, dofs[a]});
    return of;
  }

  OverlappingBlocks<double> forms() const {
    const auto num_cells = std::size_t(next_.mesh->num_cells());
    std::vector<std::vector<Index>> sets(num_cells);
    for (std::size_t c = 0; c < num_cells; ++c)
      for (const auto& [a, d] : functions_of(Index(c))) sets[c].push_back(number_[std::size_t(d)]);
    OverlappingBlocks<double> cells(std::move(sets), functions_.size());
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t c = 0; c < num_cells; ++c) {
      std::vector<int> in_cell;
      for (const auto& [a, d] : functions_of(Index(c))) in_cell.push_back(a);
      cells.block(c) = tested_.form(Index(c), in_cell);
    }
    return cells;
  }

  /// Inverses of the form on the stars of edges, whose functions have no part in other cells.
  OverlappingBlocks<float> inverses(const OverlappingBlocks<double>& cells) const {
    const auto& cell_edges = next_.topology->cell_edges;
    std::vector<std::vector<std::pair<Index, int>>> around(next_.topology->edges.size());  // cell, edge in it
    for (std::size_t c = 0; c < cell_edges.size(); ++c)
      for (int edge = 0; edge < 6; ++edge)
        around[std::size_t(cell_edges[c][std::size_t(edge)])].push_back({Index(c), edge});
    std::vector<std::vector<Index>> sets(around.size());
    for (std::size_t s = 0; s < around.size(); ++s) {
      for (const auto& [c, edge] : around[s])
        for (const auto& [a, d] : functions_of(c))
          if (is_of_star(a, edge)) sets[s].push_back(number_[std::size_t(d)]);
      std::sort(sets[s].begin(), sets[s].end());
      sets[s].erase(std::unique(sets[s].begin(), sets[s].end()), sets[s].end());
    }
    OverlappingBlocks<float> stars(std::move(sets), functions_.size());
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t s = 0; s < around.size(); ++s) {
      const auto& set = stars.set(s);
      if (set.empty()) continue;
      const auto place = [&](Index u) {
        const auto found = std::lower_bound(set.begin(), set.end(), u);
        return found != set.end() && *found == u ? Eigen::Index(found - set.begin()) : -1;
      };
      Eigen::MatrixXcd form = Eigen::MatrixXcd::Zero(Eigen::Index(set.size()), Eigen::Index(set.size()));
      for (const auto& [c, edge] : around[s]) {
        const auto& of_cell = cells.set(std::size_t(c));
        const auto& block = cells.block(std::size_t(c));
        std::vector<Eigen::Index> places;
        for (const Index u : of_cell) places.push_back(place(u));
        for (std::size_t j = 0; j < places.size(); ++j)
          for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i] >= 0 && places[j] >= 0)
              form(places[i], places[j]) += block(Eigen::Index(i), Eigen::Index(j));
      }
      stars.block(s) = inverse(form).cast<std::complex<float>>();
    }
    return stars;
  }

  const NedelecSpace& next_;
  const TestedFunctions& tested_;
  const std::vector<char>& left_out_;
  std::vector<int> kind_;         // functions of a cell
  std::vector<Index> number_;     // [num_dofs] among those of this kind, -1: of none
  std::vector<Index> functions_;  // the reverse
};

}  // namespace

Eigen::MatrixXcd star_corrections(const NedelecSpace& next, const TestedFunctions& tested,
                                  const std::vector<char>& left_out, const Eigen::MatrixXcd& residuals) {
  Eigen::MatrixXcd corrections = Eigen::MatrixXcd::Zero(residuals.rows(), residuals.cols());
  for (const bool gradients : {true, false})
    KindOfFunctions(next, tested, left_out, gradients).correct(residuals, corrections);
  return corrections;
}

}  // namespace curlew::fem
