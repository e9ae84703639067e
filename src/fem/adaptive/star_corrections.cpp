// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/star_corrections.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>
#include <type_traits>

#include "fem/adaptive/symmetric_steps.hpp"
#include "fem/nedelec.hpp"
#include "linalg/submatrix.hpp"

namespace curlew::fem {
namespace {

using FloatRows = Columns<float>;

/// Converts between complex columns and interleaved real and imaginary parts.
Eigen::Map<const Columns<double>> reals(const Columns<Complex>& x) {
  return {reinterpret_cast<const double*>(x.data()), x.rows(), 2 * x.cols()};
}
Eigen::Map<const Columns<Complex>> complex(const Columns<double>& x) {
  return {reinterpret_cast<const Complex*>(x.data()), x.rows(), x.cols() / 2};
}

/// True if the support of function a of a cell is within the cells around one of its edges.
bool is_of_star(int a, int edge) {
  const int level = a < nedelec_dim(2) ? 2 : 3, in_level = a - level_begin(level), in_face = in_level - 6;
  if (in_face < 0) return in_level == edge;
  if (in_face >= 4 * face_dofs_added(level)) return true;
  const int opposite = in_face / face_dofs_added(level);  // face i is the one without vertex i
  const auto& ends = mesh::cell_edge_vertices[std::size_t(edge)];
  return opposite != ends[0] && opposite != ends[1];
}

/// The functions on the stars of all edges. @param number [functions] indices of included functions, -1: none
std::vector<std::vector<Index>> functions_of_stars(const NedelecSpace& next,
                                                   const std::vector<Index>& number) {
  const auto& cell_edges = next.topology->cell_edges;
  std::vector<std::vector<Index>> stars(next.topology->edges.size()), around(stars.size());
  for (Index c = 0; c < next.mesh->num_cells(); ++c)
    for (const Index e : cell_edges[std::size_t(c)]) around[std::size_t(e)].push_back(c);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t e = 0; e < stars.size(); ++e) {
    auto& star = stars[e];
    for (const Index c : around[e]) {
      const auto& edges = cell_edges[std::size_t(c)];
      const auto edge = int(std::ranges::find(edges, Index(e)) - edges.begin());
      Index dofs[max_cell_dim];
      next.cell_dofs(c, dofs);
      for (int a = level_begin(2); a < nedelec_dim(next.order); ++a)
        if (dofs[a] >= 0 && number[std::size_t(dofs[a])] >= 0 && is_of_star(a, edge))
          star.push_back(number[std::size_t(dofs[a])]);
    }
    std::sort(star.begin(), star.end());
    star.erase(std::unique(star.begin(), star.end()), star.end());
  }
  return stars;
}

/// An inverse; the imaginary part is empty if it is neglected.
struct Inverse {
  FloatRows real, imaginary{};
};

/// Zero for a singular matrix: its functions are not corrected.
template <class Matrix>
Matrix inverse_or_zero(const Matrix& a) {
  const Matrix inverse = a.partialPivLu().inverse();
  return inverse.allFinite() ? inverse : Matrix(Matrix::Zero(a.rows(), a.cols()));
}

/// Imaginary parts below this share of the real ones are neglected. Those of a PML are not: where it
/// stretches two coordinates, the real part alone is indefinite.
constexpr float least_imaginary = 0.1F;

Inverse inverse(const Eigen::MatrixXf& a) {
  return {inverse_or_zero(a)};
}
Inverse inverse(const Eigen::MatrixXcf& a) {
  if (a.imag().cwiseAbs().maxCoeff() < least_imaginary * a.real().cwiseAbs().maxCoeff())
    return inverse(Eigen::MatrixXf(a.real()));
  const Eigen::MatrixXcf inverse = inverse_or_zero(a);
  return {inverse.real(), inverse.imag()};
}

/// Columns (real, imaginary) of x as those of jx.
void rotate(FloatRows& x) {
  for (Eigen::Index j = 0; j + 1 < x.cols(); j += 2) {
    x.col(j).swap(x.col(j + 1));
    x.col(j) *= -1;
  }
}

/// Columns of a star that are multiplied at once, and rows: sums stay in registers.
constexpr Eigen::Index lanes = 8, rows_at_once = 4;

/// y += A x. @param a [n, n] @param x, y [n, columns], columns a multiple of lanes
void multiply(const FloatRows& a, const float* x, Eigen::Index columns, float* y) {
  const Eigen::Index n = a.rows();
  for (Eigen::Index c = 0; c < columns; c += lanes)
    for (Eigen::Index i = 0; i < n; i += rows_at_once) {
      const Eigen::Index rows = std::min(rows_at_once, n - i);
      float sums[rows_at_once][lanes] = {};
      const float* first = a.data() + i * n;
      const float* row[rows_at_once];
      for (Eigen::Index r = 0; r < rows_at_once; ++r) row[r] = first + std::min(r, rows - 1) * n;
      for (Eigen::Index k = 0; k < n; ++k)
        for (Eigen::Index r = 0; r < rows_at_once; ++r)
          for (Eigen::Index j = 0; j < lanes; ++j) sums[r][j] += row[r][k] * x[k * columns + c + j];
      for (Eigen::Index r = 0; r < rows; ++r)
        for (Eigen::Index j = 0; j < lanes; ++j) y[(i + r) * columns + c + j] += sums[r][j];
    }
}

/// Some columns of a row of A x.
template <int N, class T>
void row_times(const linalg::Csr<T>& a, Index row, const T* x, Eigen::Index columns, T* y) {
  T sums[N] = {};
  for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k) {
    const T value = a.values[std::size_t(k)];
    const T* of_column = x + Eigen::Index(a.columns[std::size_t(k)]) * columns;
    for (int j = 0; j < N; ++j) sums[j] += value * of_column[j];
  }
  std::copy_n(sums, N, y);
}

/// A real or complex matrix in single precision.
template <class T>
using Single = std::conditional_t<std::is_same_v<T, double>, Eigen::MatrixXf, Eigen::MatrixXcf>;

/// The sum of inverses on overlapping sets of unknowns, in the order of the sets, independent of threads.
class Stars {
 public:
  template <class T>
  Stars(const linalg::Csr<T>& a, std::vector<std::vector<Index>> sets)
      : sets_(std::move(sets)),
        inverses_(sets_.size()),
        first_(sets_.size() + 1),
        first_place_(std::size_t(a.num_rows) + 1) {
#pragma omp parallel
    {
      std::vector<Index> place(std::size_t(a.num_rows), -1);  // in the set
#pragma omp for schedule(dynamic, 64)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto& set = sets_[s];
        if (set.empty()) continue;
        for (std::size_t i = 0; i < set.size(); ++i) place[std::size_t(set[i])] = Index(i);
        Single<T> form = Single<T>::Zero(Eigen::Index(set.size()), Eigen::Index(set.size()));
        for (std::size_t i = 0; i < set.size(); ++i)
          for (Offset k = a.row_offsets[std::size_t(set[i])]; k < a.row_offsets[std::size_t(set[i]) + 1]; ++k)
            if (const Index j = place[std::size_t(a.columns[std::size_t(k)])]; j >= 0)
              form(Eigen::Index(i), j) = typename Single<T>::Scalar(a.values[std::size_t(k)]);
        for (const Index u : set) place[std::size_t(u)] = -1;
        inverses_[s] = inverse(form);
      }
    }
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      first_[s + 1] = first_[s] + Eigen::Index(sets_[s].size());
      for (const Index u : sets_[s]) ++first_place_[std::size_t(u) + 1];
    }
    std::partial_sum(first_place_.begin(), first_place_.end(), first_place_.begin());
    places_.resize(first_place_.back());
    auto next = first_place_;
    for (std::size_t s = 0; s < sets_.size(); ++s)
      for (std::size_t i = 0; i < sets_[s].size(); ++i)
        places_[next[std::size_t(sets_[s][i])]++] = first_[s] + Eigen::Index(i);
  }

  Columns<double> times_parts(const Eigen::Ref<const Columns<double>>& x) {
    const Eigen::Index columns = (x.cols() + lanes - 1) / lanes * lanes;
    parts_.resize(first_.back(), columns);
    const std::size_t num_unknowns = first_place_.size() - 1;
    Columns<double> y(x.rows(), x.cols());
#pragma omp parallel
    {
      FloatRows own;
#pragma omp for schedule(dynamic, 64)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto n = Eigen::Index(sets_[s].size());
        own.setZero(n, columns);
        for (Eigen::Index i = 0; i < n; ++i)
          for (Eigen::Index j = 0; j < x.cols(); ++j) own(i, j) = float(x(sets_[s][std::size_t(i)], j));
        float* part = parts_.data() + first_[s] * columns;
        std::fill_n(part, n * columns, 0.0F);
        multiply(inverses_[s].real, own.data(), columns, part);
        if (inverses_[s].imaginary.size() == 0) continue;
        rotate(own);
        multiply(inverses_[s].imaginary, own.data(), columns, part);
      }
#pragma omp for schedule(static)
      for (std::size_t u = 0; u < num_unknowns; ++u)
        for (Eigen::Index j = 0; j < x.cols(); ++j) {
          double sum = 0;
          for (std::size_t k = first_place_[u]; k < first_place_[u + 1]; ++k) sum += parts_(places_[k], j);
          y(Eigen::Index(u), j) = sum;
        }
    }
    return y;
  }
  Columns<double> times(const Columns<double>& x) {
    return times_parts(x);
  }
  Columns<Complex> times(const Columns<Complex>& x) {
    return complex(times_parts(reals(x)));
  }

 private:
  std::vector<std::vector<Index>> sets_;
  std::vector<Inverse> inverses_;
  std::vector<Eigen::Index> first_;       // [sets + 1]
  std::vector<std::size_t> first_place_;  // [unknowns + 1]
  std::vector<Eigen::Index> places_;      // of an unknown in the sets, one after another
  FloatRows parts_;                       // of the sets, reused between products
};

/// For each column separately.
template <class T>
Columns<T> solve_by_stars(const linalg::Csr<T>& a, Stars& stars, const Columns<T>& r, int steps) {
  // Scaling so that residuals of any magnitude are within the range of single precision.
  const double size = r.cwiseAbs().maxCoeff();
  if (!(size > 0)) return r;
  const Columns<T> e = symmetric_steps<Columns<T>>(
      r / size, steps, [&](const Columns<T>& of) { return stars.times(of); },
      [&](const Columns<T>& of) { return form_times(a, of); });
  return size * e;
}

}  // namespace

template <class T>
Columns<T> form_times(const linalg::Csr<T>& a, const Columns<T>& x) {
  constexpr decltype(&row_times<1, T>) times[] = {row_times<1, T>, row_times<2, T>, row_times<3, T>,
                                                  row_times<4, T>, row_times<5, T>, row_times<6, T>,
                                                  row_times<7, T>, row_times<8, T>};
  Columns<T> y(x.rows(), x.cols());
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < a.num_rows; ++row) {
    const Eigen::Index columns = x.cols();
    T* to = y.data() + row * columns;
    for (Eigen::Index j = 0; j < columns; j += 8)
      times[std::min<Eigen::Index>(8, columns - j) - 1](a, row, x.data() + j, columns, to + j);
  }
  return y;
}

template <class T>
Columns<T> star_corrections(const NedelecSpace& next, const linalg::Csr<T>& form,
                            const std::vector<char>& left_out, const Columns<T>& residuals, int steps) {
  Columns<T> corrections = Columns<T>::Zero(residuals.rows(), residuals.cols());
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
    Stars stars(of_kind, functions_of_stars(next, number));
    const Columns<T> e = solve_by_stars<T>(of_kind, stars, residuals(functions, Eigen::all), steps);
    for (std::size_t u = 0; u < functions.size(); ++u) corrections.row(functions[u]) = e.row(Eigen::Index(u));
  }
  return corrections;
}

Columns<Complex> star_corrections(const NedelecSpace& next, const linalg::Csr<double>& form,
                                  const std::vector<char>& left_out, const Columns<Complex>& residuals) {
  return complex(star_corrections<double>(next, form, left_out, reals(residuals), star_steps));
}

template Columns<double> form_times(const linalg::Csr<double>&, const Columns<double>&);
template Columns<Complex> form_times(const linalg::Csr<Complex>&, const Columns<Complex>&);
template Columns<double> star_corrections(const NedelecSpace&, const linalg::Csr<double>&,
                                          const std::vector<char>&, const Columns<double>&, int);
template Columns<Complex> star_corrections(const NedelecSpace&, const linalg::Csr<Complex>&,
                                           const std::vector<char>&, const Columns<Complex>&, int);

}  // namespace curlew::fem
