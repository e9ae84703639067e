// SPDX-License-Identifier: BSD-3-Clause
#include "fem/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// Numbers the entities that are not marked -1 in order; returns how many there are.
Index number_free(std::vector<Index>& number) {
  Index next = 0;
  for (Index& n : number)
    if (n >= 0) n = next++;
  return next;
}

void mark_constrained(NedelecSpace& space, std::span<const Index> triangles) {
  space.edge_number.assign(space.topology->edges.size(), 0);
  space.face_number.assign(space.topology->faces.size(), 0);
  for (const Index triangle : triangles) {
    const Index face = space.topology->triangle_face[std::size_t(triangle)];
    space.face_number[std::size_t(face)] = -1;
    for (const Index edge : space.topology->face_edges[std::size_t(face)])
      space.edge_number[std::size_t(edge)] = -1;
  }
}

void number_blocks(NedelecSpace& space) {
  Offset next = 0;
  for (int level = 1; level <= max_order; ++level) {
    if (level <= space.order)
      next += space.num_free_edges + Offset(face_dofs_added(level)) * space.num_free_faces +
              Offset(cell_dofs_added(level)) * space.mesh->num_cells();
    if (next > std::numeric_limits<Index>::max())
      throw ResourceError(
          fmt::format("{} unknowns are more than the 2147483647 that 32-bit numbers hold", next));
    space.block_offsets[std::size_t(level)] = Index(next);
  }
}

}  // namespace

NedelecSpace make_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                        std::span<const Index> constrained_triangles) {
  if (order < 1 || order > max_order)
    throw InputError(fmt::format("order of the space is {}; it must be 1, 2 or 3", order));
  NedelecSpace space;
  space.mesh = &mesh;
  space.topology = &topology;
  space.order = order;
  mark_constrained(space, constrained_triangles);
  space.num_free_edges = number_free(space.edge_number);
  space.num_free_faces = number_free(space.face_number);
  number_blocks(space);
  return space;
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
      for (int i = 0; i < face_dofs_added(level); ++i) *dofs++ = place < 0 ? -1 : face_dof(level, place) + i;
    }
    for (int i = 0; i < cell_dofs_added(level); ++i) *dofs++ = cell_dof(level, cell) + i;
  }
}

void NedelecSpace::trace_dofs(Index face, Index* dofs) const {
  const Index place = face_number[std::size_t(face)];
  for (int level = 1; level <= order; ++level) {
    for (const Index edge : topology->face_edges[std::size_t(face)]) {
      const Index edge_place = edge_number[std::size_t(edge)];
      *dofs++ = edge_place < 0 ? -1 : edge_dof(level, edge_place);
    }
    for (int i = 0; i < face_dofs_added(level); ++i) *dofs++ = place < 0 ? -1 : face_dof(level, place) + i;
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
