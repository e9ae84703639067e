// SPDX-License-Identifier: BSD-3-Clause
#include "fem/cell_dissection.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "linalg/direct/graph_ordering.hpp"

namespace curlew::fem {
namespace {

/// Cells that share a face are neighbours.
linalg::QuotientGraph cell_graph(const mesh::Topology& topology) {
  linalg::QuotientGraph graph;
  const auto& cell_faces = topology.cell_faces;
  graph.group_sizes.assign(cell_faces.size(), 1);
  graph.offsets.push_back(0);
  for (Index cell = 0; cell < Index(cell_faces.size()); ++cell) {
    for (const Index face : cell_faces[std::size_t(cell)]) {
      const auto& [first, second] = topology.face_cells[std::size_t(face)];
      if (second >= 0) graph.neighbours.push_back(first == cell ? second : first);
    }
    graph.offsets.push_back(Offset(graph.neighbours.size()));
  }
  return graph;
}

/// Unknowns in the lowest node above all of their cells.
/// @param part [cells] leaf of each cell @param dofs_of fills in a cell's unknowns, negative: none
template <class Dofs>
linalg::DissectionTree tree_above(const std::vector<Index>& part, Index num_leaves, Index num_dofs,
                                  int dofs_of_cell, const Dofs& dofs_of) {
  linalg::DissectionTree tree;
  tree.num_leaves = num_leaves;
  tree.node_of.assign(std::size_t(num_dofs), 0);
  std::vector<Index> dofs(static_cast<std::size_t>(dofs_of_cell));
  for (Index cell = 0; cell < Index(part.size()); ++cell) {
    const Index leaf = num_leaves + part[std::size_t(cell)];
    dofs_of(cell, dofs.data());
    for (const Index dof : dofs) {
      if (dof < 0 || dof >= num_dofs) continue;
      Index& node = tree.node_of[std::size_t(dof)];
      node = node == 0 ? leaf : linalg::common_ancestor(node, leaf);
    }
  }
  return tree;
}

/// Halves cells across the longest side of the box around their centres, and the halves again.
/// @param leaf the first of `leaves` parts
void halve_by_place(const std::vector<Vec3<double>>& centres, std::span<Index> cells, Index leaf,
                    Index leaves, std::vector<Index>& part) {
  if (leaves == 1) {
    for (const Index cell : cells) part[std::size_t(cell)] = leaf;
    return;
  }
  Vec3<double> low = centres[std::size_t(cells[0])], high = low;
  for (const Index cell : cells)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], centres[std::size_t(cell)][i]);
      high[i] = std::max(high[i], centres[std::size_t(cell)][i]);
    }
  const Vec3<double> side = high - low;
  const int axis = side[0] >= side[1] && side[0] >= side[2] ? 0 : (side[1] >= side[2] ? 1 : 2);
  const auto place = [&](Index cell) { return std::pair(centres[std::size_t(cell)][axis], cell); };
  const std::size_t half = cells.size() / 2;
  std::ranges::nth_element(cells, cells.begin() + std::ptrdiff_t(half), {}, place);
#pragma omp task default(shared) if (cells.size() > 10000)
  halve_by_place(centres, cells.first(half), leaf, leaves / 2, part);
  halve_by_place(centres, cells.subspan(half), leaf + leaves / 2, leaves / 2, part);
#pragma omp taskwait
}

Index leaves_of(Index num_cells) {
  return Index(std::bit_floor(unsigned(std::max(num_cells / 2, Index(1)))));
}

}  // namespace

std::vector<Index> halves_of_cells(const mesh::Topology& topology, Index parts) {
  return linalg::bisect_graph(cell_graph(topology), parts);
}

linalg::DissectionTree dissect_cells(const NedelecSpace& space) {
  const mesh::Topology& topology = *space.topology;
  const Index leaves = leaves_of(Index(topology.cell_faces.size()));
  return tree_above(halves_of_cells(topology, leaves), leaves, space.num_dofs(), nedelec_dim(space.order),
                    [&](Index cell, Index* dofs) { space.cell_dofs(cell, dofs); });
}

linalg::DissectionTree dissect_by_place(const LagrangeSpace& space) {
  const mesh::Mesh& mesh = *space.mesh;
  const Index num_cells = mesh.num_cells(), leaves = leaves_of(num_cells);
  std::vector<Vec3<double>> centres(static_cast<std::size_t>(num_cells));
  std::vector<Index> cells(centres.size()), part(centres.size());
#pragma omp parallel for schedule(static)
  for (Index cell = 0; cell < num_cells; ++cell) {
    cells[std::size_t(cell)] = cell;
    for (int v = 0; v < 4; ++v)
      centres[std::size_t(cell)] += 0.25 * mesh.nodes[std::size_t(mesh.cell(cell)[v])];
  }
#pragma omp parallel
#pragma omp single
  halve_by_place(centres, cells, 0, leaves, part);
  return tree_above(part, leaves, space.num_free, lagrange_dim(space.order),
                    [&](Index cell, Index* nodes) { space.cell_nodes(cell, nodes); });
}

}  // namespace curlew::fem
