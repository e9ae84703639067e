// SPDX-License-Identifier: BSD-3-Clause
#include "fem/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "fem/constrained_space.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// Numbers the entities that are not marked -1 in order, those of a higher order first.
/// @param order of each entity @returns numbers of entities of each level
template <class OrderOf>
std::array<Index, 3> number_free(std::vector<Index>& number, int highest, OrderOf order_of) {
  const std::vector<Index> marks = number;
  std::array<Index, 3> reached{};
  Index next = 0;
  for (int order = highest; order >= 1; --order) {
    for (std::size_t i = 0; i < number.size(); ++i)
      if (marks[i] >= 0 && order_of(i) == order) number[i] = next++;
    reached[std::size_t(order - 1)] = next;
  }
  return reached;
}

/// Highest orders of the cells at edges and faces (cell_edges or cell_faces).
template <class CellEntities>
CellOrders highest_of(const CellEntities& cell_entities, std::size_t count, const CellOrders& cells) {
  CellOrders highest(count, 1);
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (const Index i : cell_entities[c])
      highest[std::size_t(i)] = std::max(highest[std::size_t(i)], cells[c]);
  return highest;
}

/// Numbers all free entities. @param cells orders; empty: all have the space's
void number_entities(NedelecSpace& space, const CellOrders& cells) {
  const auto& topology = *space.topology;
  if (cells.empty()) {
    const auto all = [&](std::size_t) { return space.order; };
    space.level_edges = number_free(space.edge_number, space.order, all);
    space.level_faces = number_free(space.face_number, space.order, all);
    for (int level = 1; level <= space.order; ++level)
      space.level_cells[std::size_t(level - 1)] = space.mesh->num_cells();
  } else {
    const auto edges = highest_of(topology.cell_edges, topology.edges.size(), cells),
               faces = highest_of(topology.cell_faces, topology.faces.size(), cells);
    space.cell_number.assign(cells.size(), 0);
    space.level_edges =
        number_free(space.edge_number, space.order, [&](std::size_t e) { return int(edges[e]); });
    space.level_faces =
        number_free(space.face_number, space.order, [&](std::size_t f) { return int(faces[f]); });
    space.level_cells =
        number_free(space.cell_number, space.order, [&](std::size_t c) { return int(cells[c]); });
  }
  space.num_free_edges = space.level_edges[0];
  space.num_free_faces = space.level_faces[0];
}

void mark_constrained(NedelecSpace& space, std::span<const Index> triangles, std::span<const Index> edges) {
  space.edge_number.assign(space.topology->edges.size(), 0);
  space.face_number.assign(space.topology->faces.size(), 0);
  for (const Index triangle : triangles) {
    const Index face = space.topology->triangle_face[std::size_t(triangle)];
    space.face_number[std::size_t(face)] = -1;
    for (const Index edge : space.topology->face_edges[std::size_t(face)])
      space.edge_number[std::size_t(edge)] = -1;
  }
  for (const Index edge : edges) space.edge_number[std::size_t(edge)] = -1;
}

void number_blocks(NedelecSpace& space) {
  Offset next = 0;
  for (int level = 1; level <= max_order; ++level) {
    const auto l = std::size_t(level - 1);
    next += space.level_edges[l] + Offset(face_dofs_added(level)) * space.level_faces[l] +
            Offset(cell_dofs_added(level)) * space.level_cells[l];
    if (next > std::numeric_limits<Index>::max())
      throw ResourceError(fmt::format("{} unknowns are too many: at most 2147483647 are possible", next));
    space.block_offsets[std::size_t(level)] = Index(next);
  }
}

NedelecSpace build_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                         std::span<const Index> triangles, std::span<const Index> edges,
                         const CellOrders& cell_orders) {
  if (!cell_orders.empty() && cell_orders.size() != std::size_t(mesh.num_cells()))
    throw InputError(fmt::format("{} orders for {} cells", cell_orders.size(), mesh.num_cells()));
  const auto [least, highest] = std::minmax_element(cell_orders.begin(), cell_orders.end());
  const bool is_uniform = cell_orders.empty() || *least == *highest;
  if (!cell_orders.empty()) order = *highest;
  for (const int n : {order, is_uniform ? order : int(*least)})
    if (n < 1 || n > max_order)
      throw InputError(fmt::format("order of the space is {}; it must be 1, 2 or 3", n));
  NedelecSpace space;
  space.mesh = &mesh;
  space.topology = &topology;
  space.order = order;
  mark_constrained(space, triangles, edges);
  number_entities(space, is_uniform ? CellOrders{} : cell_orders);
  number_blocks(space);
  return space;
}

}  // namespace

NedelecSpace make_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                        std::span<const Index> constrained_triangles, const CellOrders& cell_orders) {
  return build_space(mesh, topology, order, constrained_triangles, {}, cell_orders);
}

NedelecSpace make_constrained_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                                    const ConstrainedParts& constrained, const CellOrders& cell_orders) {
  return build_space(mesh, topology, order, constrained.triangles, constrained.edges, cell_orders);
}

void NedelecSpace::cell_dofs(Index cell, Index* dofs) const {
  const auto& edges = topology->cell_edges[std::size_t(cell)];
  const auto& faces = topology->cell_faces[std::size_t(cell)];
  for (int level = 1; level <= order; ++level) {
    for (const Index edge : edges) {
      const Index place = edge_number[std::size_t(edge)];
      *dofs++ = place < 0 ? -1 : edge_dof(level, place);
    }
    for (const Index face : faces) {
      const Index place = face_number[std::size_t(face)];
      const Index first = place < 0 ? -1 : face_dof(level, place);
      for (int i = 0; i < face_dofs_added(level); ++i) *dofs++ = first < 0 ? -1 : first + i;
    }
    const Index first = cell_dof(level, cell);
    for (int i = 0; i < cell_dofs_added(level); ++i) *dofs++ = first < 0 ? -1 : first + i;
  }
}

void NedelecSpace::trace_dofs(Index face, Index* dofs) const {
  const Index place = face_number[std::size_t(face)];
  for (int level = 1; level <= order; ++level) {
    for (const Index edge : topology->face_edges[std::size_t(face)]) {
      const Index edge_place = edge_number[std::size_t(edge)];
      *dofs++ = edge_place < 0 ? -1 : edge_dof(level, edge_place);
    }
    const Index first = place < 0 ? -1 : face_dof(level, place);
    for (int i = 0; i < face_dofs_added(level); ++i) *dofs++ = first < 0 ? -1 : first + i;
  }
}

std::vector<Index> surface_dofs(const NedelecSpace& space, std::span<const Index> triangles) {
  std::vector<Index> all;
  Index dofs[max_face_dim];
  for (const Index triangle : triangles) {
    space.trace_dofs(space.topology->triangle_face[std::size_t(triangle)], dofs);
    for (int i = 0; i < nedelec_face_dim(space.order); ++i)
      if (dofs[i] >= 0) all.push_back(dofs[i]);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

const std::vector<Index>& surface_triangles(const mesh::Mesh& mesh, const std::string& name) {
  return mesh::surface_named(mesh, name).entities;
}

}  // namespace curlew::fem
