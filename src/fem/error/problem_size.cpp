// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/problem_size.hpp"

namespace curlew::fem {
namespace {

/// Entities of a mesh.
struct Entities {
  double vertices, edges, faces, cells;
};

Entities entities_of(const mesh::Topology& topology) {
  const double edges = topology.num_edges(), faces = topology.num_faces(),
               cells = double(topology.cell_faces.size());
  return {1 + edges - faces + cells, edges, faces, cells};
}

}  // namespace

ElementFunctions nedelec_functions(int order) {
  if (order == 1) return {0, 1, 0, 0};
  return order == 2 ? ElementFunctions{0, 2, 2, 0} : ElementFunctions{0, 3, 6, 3};
}

ElementFunctions lagrange_functions(int order) {
  return {1, double(order - 1), order == 3 ? 1.0 : 0.0, 0};
}

double count_unknowns(const mesh::Topology& topology, const ElementFunctions& f) {
  const auto n = entities_of(topology);
  return f.vertex * n.vertices + f.edge * n.edges + f.face * n.faces + f.cell * n.cells;
}

// Every pair of entities that share a cell is counted once, with the smallest edge, face or cell that
// contains both. In a face: 3 pairs of edges, 3 of an edge and the vertex opposite
// to it; in a cell: 3 pairs of opposite edges, 12 of an edge and a face that it is not on, 6 of faces, 4 of a
// face and the vertex opposite to it.
double count_entries(const mesh::Topology& topology, const ElementFunctions& f) {
  const auto n = entities_of(topology);
  const double own = f.vertex * f.vertex * (n.vertices + 2 * n.edges) +
                     f.edge * f.edge * (n.edges + 6 * n.faces + 6 * n.cells) +
                     f.face * f.face * (n.faces + 12 * n.cells) + f.cell * f.cell * n.cells;
  const double mixed = f.vertex * f.edge * (2 * n.edges + 3 * n.faces) +
                       f.vertex * f.face * (3 * n.faces + 4 * n.cells) +
                       f.edge * f.face * (3 * n.faces + 12 * n.cells) +
                       (4 * f.vertex + 6 * f.edge + 4 * f.face) * f.cell * n.cells;
  return own + 2 * mixed;
}

}  // namespace curlew::fem
