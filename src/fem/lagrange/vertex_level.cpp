// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/vertex_level.hpp"

#include <numeric>

#include "base/atomic_bound.hpp"

namespace curlew::fem {
namespace {

constexpr double longer_waves = 1 / 16.0;  // c of in_step

double mean_square_of_edges(const mesh::Mesh& mesh, Index cell) {
  const Index* nodes = mesh.cell(cell);
  double sum = 0;
  for (const auto& [a, b] : mesh::cell_edge_vertices) {
    const Vec3<double> edge =
        mesh.nodes[std::size_t(nodes[std::size_t(b)])] - mesh.nodes[std::size_t(nodes[std::size_t(a)])];
    sum += dot(edge, edge) / 6;
  }
  return sum;
}

}  // namespace

linalg::Csr<Complex> interpolation(const LagrangeSpace& lowest, const LagrangeSpace& space) {
  const int dim = lagrange_dim(space.order);
  std::vector<Offset> found(std::size_t(space.num_free));  // the last cell of each node and its place there
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    Index nodes[max_lagrange_dim];
    space.cell_nodes(c, nodes);
    for (int a = 0; a < dim; ++a)
      if (nodes[a] < space.num_free) raise_to(found[std::size_t(nodes[a])], Offset(c) * dim + a);
  }
  const std::vector<Vec3<double>> places = reference_positions(space.order);
  linalg::Csr<Complex> p;
  p.num_rows = space.num_free, p.num_cols = lowest.num_free;
  p.row_offsets.assign(found.size() + 1, 0);
  const auto for_each_entry = [&](std::size_t row, auto visit) {
    Index vertices[4];
    lowest.cell_nodes(Index(found[row] / dim), vertices);
    const Vec3<double>& x = places[std::size_t(found[row] % dim)];
    const double values[4] = {1 - x.x - x.y - x.z, x.x, x.y, x.z};
    for (int v = 0; v < 4; ++v)  // in ascending order, as the vertices of a cell
      if (values[v] > 1e-9 && vertices[v] < lowest.num_free) visit(vertices[v], values[v]);
  };
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < found.size(); ++row)
    for_each_entry(row, [&](Index, double) { ++p.row_offsets[row + 1]; });
  std::partial_sum(p.row_offsets.begin(), p.row_offsets.end(), p.row_offsets.begin());
  p.columns.resize(std::size_t(p.nnz())), p.values.resize(std::size_t(p.nnz()));
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < found.size(); ++row)
    for_each_entry(row, [&, at = std::size_t(p.row_offsets[row])](Index vertex, double value) mutable {
      p.columns[at] = vertex, p.values[at++] = value;
    });
  return p;
}

ScalarCoefficients in_step(const ScalarCoefficients& coefficients, const mesh::Mesh& mesh, double omega) {
  const auto n = std::size_t(mesh.num_cells());
  ScalarCoefficients cells{.diffusion = std::vector<Complex>(n),
                           .reaction = std::vector<Complex>(n),
                           .cell_material = std::vector<Index>(n),
                           .layers = coefficients.layers,
                           .cell_layer = coefficients.cell_layer};
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const std::size_t material = coefficients.material_of(c);
    const Complex d = coefficients.diffusion[material], r = coefficients.reaction[material];
    const Complex longer = longer_waves * omega * omega * r / d * mean_square_of_edges(mesh, c);
    cells.diffusion[std::size_t(c)] = d, cells.reaction[std::size_t(c)] = r * (1.0 + longer);
    cells.cell_material[std::size_t(c)] = c;
  }
  return cells;
}

}  // namespace curlew::fem
