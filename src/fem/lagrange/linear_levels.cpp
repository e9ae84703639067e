// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/linear_levels.hpp"

#include <algorithm>

#include "fem/lagrange/lagrange_basis.hpp"

namespace curlew::fem {
namespace {

/// Values of the linear functions of free vertices at the free nodes of edges and faces: [others, vertices].
linalg::Csr<Complex> linear_values(const LagrangeSpace& space, Index vertices) {
  linalg::Coo<Complex> values{space.num_free - vertices, vertices, {}, {}, {}};
  const auto add = [&](Index node, Index vertex, double value) {
    const Index v = space.vertex_number[std::size_t(vertex)];
    if (node < space.num_free && v < space.num_free) values.add(node - vertices, v, value);
  };
  const int inside = lagrange_edge_nodes(space.order);
  for (std::size_t e = 0; e < space.edge_number.size(); ++e)
    for (int i = 0; i < inside; ++i) {
      const double at = (i + 1.0) / (inside + 1);
      add(space.edge_number[e] + i, space.topology->edges[e][0], 1 - at);
      add(space.edge_number[e] + i, space.topology->edges[e][1], at);
    }
  for (std::size_t f = 0; f < space.face_number.size(); ++f)
    for (const Index v : space.topology->faces[f]) add(space.face_number[f], v, 1 / 3.0);
  return linalg::to_csr(values);
}

std::size_t begin_of(const linalg::Csr<Complex>& a, Index row) {
  return std::size_t(a.row_offsets[std::size_t(row)]);
}

}  // namespace

LinearLevels::LinearLevels(const LagrangeSpace& space) {
  const Index vertices = Index(
      std::ranges::count_if(space.vertex_number, [&](Index v) { return v >= 0 && v < space.num_free; }));
  ends_ = linear_values(space, vertices);
  around_ = linalg::transpose(ends_);
}

void LinearLevels::transform(linalg::Csr<Complex>& a) const {
#pragma omp parallel
  {
#pragma omp for schedule(static, 64)  // rows of vertices: T^T A
    for (Index v = 0; v < vertices(); ++v)
      for (Offset i = around_.row_offsets[std::size_t(v)]; i < around_.row_offsets[std::size_t(v) + 1]; ++i) {
        const Index other = vertices() + around_.columns[std::size_t(i)];
        for (std::size_t k = begin_of(a, other), to = begin_of(a, v); k < begin_of(a, other + 1); ++k) {
          while (a.columns[to] != a.columns[k]) ++to;
          a.values[to] += around_.values[std::size_t(i)] * a.values[k];
        }
      }
#pragma omp for schedule(static, 64)  // columns of vertices: (T^T A) T
    for (Index row = 0; row < a.num_rows; ++row) {
      const auto begin = a.columns.begin() + Offset(begin_of(a, row));
      const auto end = a.columns.begin() + Offset(begin_of(a, row + 1));
      const auto place = [&](Index column) {
        return std::size_t(std::lower_bound(begin, end, column) - a.columns.begin());
      };
      for (std::size_t k = place(vertices()); k < begin_of(a, row + 1); ++k) {
        const auto other = std::size_t(a.columns[k] - vertices());
        for (Offset i = ends_.row_offsets[other]; i < ends_.row_offsets[other + 1]; ++i)
          a.values[place(ends_.columns[std::size_t(i)])] += ends_.values[std::size_t(i)] * a.values[k];
      }
    }
  }
}

void LinearLevels::restrict_to_levels(std::vector<Complex>& b) const {
  const auto n = std::size_t(offsets().back());
  std::vector<Complex> add(around_.row_offsets.size() - 1);
  for (auto column = b.begin(); column != b.end(); column += Offset(n)) {
    linalg::multiply(around_, &*column + vertices(), add.data());
    for (std::size_t v = 0; v < add.size(); ++v) column[Offset(v)] += add[v];
  }
}

void LinearLevels::prolong_to_nodes(std::vector<Complex>& x) const {
  const auto n = std::size_t(offsets().back());
  std::vector<Complex> add(ends_.row_offsets.size() - 1);
  for (auto column = x.begin(); column != x.end(); column += Offset(n)) {
    linalg::multiply(ends_, &*column, add.data());
    for (std::size_t i = 0; i < add.size(); ++i) column[vertices() + Offset(i)] += add[i];
  }
}

}  // namespace curlew::fem
