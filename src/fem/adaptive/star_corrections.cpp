// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/star_corrections.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "fem/adaptive/symmetric_steps.hpp"
#include "fem/nedelec.hpp"
#include "linalg/submatrix.hpp"

namespace curlew::fem {
namespace {

/// Values of columns beside each other, as products pass over them.
using Columns = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Columns product(const linalg::Csr<T>& a, const Columns& x) {
  Columns y(x.rows(), x.cols());
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < a.num_rows; ++row) {
    y.row(row).setZero();
    for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k)
      y.row(row) += a.values[std::size_t(k)] * x.row(a.columns[std::size_t(k)]);
  }
  return y;
}

/// True if function a of a cell lives on the cells around an edge of it alone.
bool is_of_star(int a, int edge) {
  const int level = a < nedelec_dim(2) ? 2 : 3, in_level = a - level_begin(level), in_face = in_level - 6;
  if (in_face < 0) return in_level == edge;
  if (in_face >= 4 * face_dofs_added(level)) return true;
  const int opposite = in_face / face_dofs_added(level);  // face i is the one without vertex i
  const auto& ends = mesh::cell_edge_vertices[std::size_t(edge)];
  return opposite != ends[0] && opposite != ends[1];
}

/// The functions on the stars of all edges. @param number [functions] places of those that count, -1: none
std::vector<std::vector<Index>> functions_of_stars(const NedelecSpace& next,
                                                   const std::vector<Index>& number) {
  std::vector<std::vector<Index>> stars(next.topology->edges.size());
  for (Index c = 0; c < next.mesh->num_cells(); ++c) {
    Index dofs[max_cell_dim];
    next.cell_dofs(c, dofs);
    for (int edge = 0; edge < 6; ++edge) {
      auto& star = stars[std::size_t(next.topology->cell_edges[std::size_t(c)][std::size_t(edge)])];
      for (int a = level_begin(2); a < nedelec_dim(next.order); ++a)
        if (dofs[a] >= 0 && number[std::size_t(dofs[a])] >= 0 && is_of_star(a, edge))
          star.push_back(number[std::size_t(dofs[a])]);
    }
  }
  for (auto& star : stars) {
    std::sort(star.begin(), star.end());
    star.erase(std::unique(star.begin(), star.end()), star.end());
  }
  return stars;
}

/// Zero of a singular matrix: its functions stay as they are.
FloatRows inverse(const Eigen::MatrixXd& a) {
  const Eigen::MatrixXd inverse = a.partialPivLu().inverse();
  return inverse.allFinite() ? FloatRows(inverse.cast<float>()) : FloatRows::Zero(a.rows(), a.cols());
}

/// The sum of inverses on overlapping sets of unknowns, in the order of the sets whatever the threads.
class Stars {
 public:
  template <class T>
  Stars(const linalg::Csr<T>& a, std::vector<std::vector<Index>> sets)
      : sets_(std::move(sets)), inverses_(sets_.size()), first_(sets_.size() + 1), places_(a.num_rows) {
#pragma omp parallel
    {
      std::vector<Index> place(std::size_t(a.num_rows), -1);  // in the set
#pragma omp for schedule(dynamic, 64)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto& set = sets_[s];
        if (set.empty()) continue;
        for (std::size_t i = 0; i < set.size(); ++i) place[std::size_t(set[i])] = Index(i);
        Eigen::MatrixXd form = Eigen::MatrixXd::Zero(Eigen::Index(set.size()), Eigen::Index(set.size()));
        for (std::size_t i = 0; i < set.size(); ++i)
          for (Offset k = a.row_offsets[std::size_t(set[i])]; k < a.row_offsets[std::size_t(set[i]) + 1]; ++k)
            if (const Index j = place[std::size_t(a.columns[std::size_t(k)])]; j >= 0)
              form(Eigen::Index(i), j) = std::real(a.values[std::size_t(k)]);
        for (const Index u : set) place[std::size_t(u)] = -1;
        inverses_[s] = inverse(form);
      }
    }
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      first_[s + 1] = first_[s] + Eigen::Index(sets_[s].size());
      for (std::size_t i = 0; i < sets_[s].size(); ++i)
        places_[std::size_t(sets_[s][i])].push_back(first_[s] + Eigen::Index(i));
    }
  }

  Columns times(const Columns& x) const {
    FloatRows parts(first_.back(), 2 * x.cols());  // real and imaginary parts
    Columns y(x.rows(), x.cols());
#pragma omp parallel
    {
      FloatRows own;
#pragma omp for schedule(dynamic, 64)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto n = Eigen::Index(sets_[s].size());
        own.resize(n, 2 * x.cols());
        for (Eigen::Index i = 0; i < n; ++i)
          for (Eigen::Index j = 0; j < x.cols(); ++j) {
            const Complex value = x(sets_[s][std::size_t(i)], j);
            own(i, 2 * j) = float(value.real()), own(i, 2 * j + 1) = float(value.imag());
          }
        parts.middleRows(first_[s], n).noalias() = inverses_[s].lazyProduct(own);
      }
#pragma omp for schedule(static)
      for (std::size_t u = 0; u < places_.size(); ++u)
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
          Complex sum = 0;
          for (const Eigen::Index place : places_[u])
            sum += Complex(parts(place, 2 * j), parts(place, 2 * j + 1));
          y(Eigen::Index(u), j) = sum;
        }
    }
    return y;
  }

 private:
  std::vector<std::vector<Index>> sets_;
  std::vector<FloatRows> inverses_;
  std::vector<Eigen::Index> first_;                // [sets + 1]
  std::vector<std::vector<Eigen::Index>> places_;  // [unknowns] in the sets, one after another
};

/// Of each column by itself.
template <class T>
Columns solve_by_stars(const linalg::Csr<T>& a, const Stars& stars, const Columns& r) {
  // Single precision holds the residuals of all columns, whatever their size.
  const double size = r.cwiseAbs().maxCoeff();
  if (!(size > 0)) return r;
  const Columns e = symmetric_steps<Columns>(
      r / size, star_steps, [&](const Columns& of) { return stars.times(of); },
      [&](const Columns& of) { return product(a, of); });
  return size * e;
}

}  // namespace

template <class T>
Eigen::MatrixXcd star_corrections(const NedelecSpace& next, const linalg::Csr<T>& form,
                                  const std::vector<char>& left_out, const Eigen::MatrixXcd& residuals) {
  Eigen::MatrixXcd corrections = Eigen::MatrixXcd::Zero(residuals.rows(), residuals.cols());
  std::vector<char> kind(left_out.size(), 0);  // 0: of level 1, or left out; 1: gradients; 2: the others
  for (Index c = 0; c < next.mesh->num_cells(); ++c) {
    Index dofs[max_cell_dim];
    next.cell_dofs(c, dofs);
    for (int a = level_begin(2); a < nedelec_dim(next.order); ++a)
      if (dofs[a] >= 0 && !left_out[std::size_t(dofs[a])])
        kind[std::size_t(dofs[a])] = is_gradient(a) ? 1 : 2;
  }
  for (const char wanted : {1, 2}) {
    std::vector<Index> functions, number(kind.size(), -1);
    for (std::size_t d = 0; d < kind.size(); ++d)
      if (kind[d] == wanted) number[d] = Index(functions.size()), functions.push_back(Index(d));
    if (functions.empty()) continue;
    const auto of_kind = linalg::submatrix(form, functions, number, functions.size());
    const Stars stars(of_kind, functions_of_stars(next, number));
    const Columns e = solve_by_stars(of_kind, stars, residuals(functions, Eigen::all));
    for (std::size_t u = 0; u < functions.size(); ++u) corrections.row(functions[u]) = e.row(Eigen::Index(u));
  }
  return corrections;
}

template Eigen::MatrixXcd star_corrections(const NedelecSpace&, const linalg::Csr<double>&,
                                           const std::vector<char>&, const Eigen::MatrixXcd&);
template Eigen::MatrixXcd star_corrections(const NedelecSpace&, const linalg::Csr<Complex>&,
                                           const std::vector<char>&, const Eigen::MatrixXcd&);

}  // namespace curlew::fem
