// SPDX-License-Identifier: BSD-3-Clause
#include "fem/cell_dissection.hpp"

#include <algorithm>
#include <bit>

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

}  // namespace

std::vector<Index> halves_of_cells(const mesh::Topology& topology, Index parts) {
  return linalg::bisect_graph(cell_graph(topology), parts);
}

linalg::DissectionTree dissect_cells(const NedelecSpace& space) {
  const mesh::Topology& topology = *space.topology;
  const auto num_cells = Index(topology.cell_faces.size());
  linalg::DissectionTree tree;
  tree.num_leaves = Index(std::bit_floor(unsigned(std::max(num_cells / 2, Index(1)))));
  const std::vector<Index> part = halves_of_cells(topology, tree.num_leaves);
  tree.node_of.assign(std::size_t(space.num_dofs()), 0);
  std::vector<Index> dofs(std::size_t(nedelec_dim(space.order)));
  for (Index cell = 0; cell < num_cells; ++cell) {
    const Index leaf = tree.num_leaves + part[std::size_t(cell)];
    space.cell_dofs(cell, dofs.data());
    for (const Index dof : dofs) {
      if (dof < 0) continue;
      Index& node = tree.node_of[std::size_t(dof)];
      node = node == 0 ? leaf : linalg::common_ancestor(node, leaf);
    }
  }
  return tree;
}

}  // namespace curlew::fem
