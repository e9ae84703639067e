// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/lagrange_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/atomic_bound.hpp"
#include "base/error.hpp"
#include "fem/geometry.hpp"

namespace curlew::fem {
namespace {

constexpr Index unnumbered = -1, free_mark = -2, fixed_mark = -3;

void mark_entities(LagrangeSpace& space, std::span<const Index> fixed_triangles) {
  const mesh::Mesh& mesh = *space.mesh;
  const mesh::Topology& topology = *space.topology;
  space.vertex_number.assign(mesh.nodes.size(), unnumbered);
  if (space.order >= 2) space.edge_number.assign(topology.edges.size(), free_mark);
  if (space.order == 3) space.face_number.assign(topology.faces.size(), free_mark);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int a = 0; a < 4; ++a) space.vertex_number[std::size_t(mesh.cell(c)[a])] = free_mark;
  for (const Index t : fixed_triangles) {
    const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
    for (const Index v : topology.faces[face]) space.vertex_number[std::size_t(v)] = fixed_mark;
    if (space.order >= 2)
      for (const Index e : topology.face_edges[face]) space.edge_number[std::size_t(e)] = fixed_mark;
    if (space.order == 3) space.face_number[face] = fixed_mark;
  }
}

/// Gives consecutive numbers to the entities that bear a mark, `count` to each.
void number_marked(std::vector<Index>& number, Index mark, int count, Offset& next) {
  for (Index& n : number) {
    if (n != mark) continue;
    n = Index(std::min<Offset>(next, std::numeric_limits<Index>::max()));
    next += count;
  }
}

Index number_all(LagrangeSpace& space, Index mark, Offset& next) {
  number_marked(space.vertex_number, mark, 1, next);
  number_marked(space.edge_number, mark, lagrange_edge_nodes(space.order), next);
  number_marked(space.face_number, mark, lagrange_face_nodes(space.order), next);
  if (next > std::numeric_limits<Index>::max())
    throw ResourceError(fmt::format("{} nodes are too many: at most 2147483647 are possible", next));
  return Index(next);
}

}  // namespace

void LagrangeSpace::cell_entities(Index cell, Index* first) const {
  const Index* vertices = mesh->cell(cell);
  for (int a = 0; a < 4; ++a) *first++ = vertex_number[std::size_t(vertices[a])];
  if (order == 1) return;
  for (const Index e : topology->cell_edges[std::size_t(cell)]) *first++ = edge_number[std::size_t(e)];
  if (order == 2) return;
  for (const Index f : topology->cell_faces[std::size_t(cell)]) *first++ = face_number[std::size_t(f)];
}

void LagrangeSpace::cell_nodes(Index cell, Index* nodes) const {
  Index first[14];
  cell_entities(cell, first);
  for (int j = 0; j < num_local_entities(); ++j) {
    const int count = j >= 4 && j < 10 ? lagrange_edge_nodes(order) : 1;
    for (int i = 0; i < count; ++i) *nodes++ = first[j] + i;
  }
}

void LagrangeSpace::face_nodes(Index face, Index* nodes) const {
  for (const Index v : topology->faces[std::size_t(face)]) *nodes++ = vertex_number[std::size_t(v)];
  if (order == 1) return;
  for (const Index e : topology->face_edges[std::size_t(face)])
    for (int i = 0; i < lagrange_edge_nodes(order); ++i) *nodes++ = edge_number[std::size_t(e)] + i;
  if (order == 3) *nodes = face_number[std::size_t(face)];
}

LagrangeSpace make_lagrange_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                                  std::span<const Index> fixed_triangles) {
  if (order < 1 || order > max_lagrange_order)
    throw InputError(fmt::format("order of the space is {}; it must be 1, 2 or 3", order));
  LagrangeSpace space;
  space.mesh = &mesh;
  space.topology = &topology;
  space.order = order;
  mark_entities(space, fixed_triangles);
  Offset next = 0;
  space.num_free = number_all(space, free_mark, next);
  space.num_nodes = number_all(space, fixed_mark, next);
  return space;
}

std::vector<Index> nodes_on(const LagrangeSpace& space, std::span<const Index> triangles) {
  std::vector<Index> all;
  Index nodes[max_lagrange_face_dim];
  for (const Index t : triangles) {
    space.face_nodes(space.topology->triangle_face[std::size_t(t)], nodes);
    all.insert(all.end(), nodes, nodes + lagrange_face_dim(space.order));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Vec3<double>> reference_positions(int order) {
  const Vec3<double> vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<Vec3<double>> positions(vertex, vertex + 4);
  if (order == 2)
    for (const auto [i, j] : mesh::cell_edge_vertices) positions.push_back(0.5 * (vertex[i] + vertex[j]));
  if (order == 3) {
    for (const auto [i, j] : mesh::cell_edge_vertices) {
      positions.push_back((1 / 3.0) * (2.0 * vertex[i] + vertex[j]));
      positions.push_back((1 / 3.0) * (vertex[i] + 2.0 * vertex[j]));
    }
    for (const auto [i, j, k] : mesh::cell_face_vertices)
      positions.push_back((1 / 3.0) * (vertex[i] + vertex[j] + vertex[k]));
  }
  return positions;
}

std::vector<Vec3<double>> node_positions(const LagrangeSpace& space) {
  const auto reference = reference_positions(space.order);
  std::vector<Index> last(std::size_t(space.num_nodes));  // cell of each node; cells differ by rounding
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    Index nodes[max_lagrange_dim];
    space.cell_nodes(c, nodes);
    for (std::size_t a = 0; a < reference.size(); ++a) raise_to(last[std::size_t(nodes[a])], c);
  }
  std::vector<Vec3<double>> positions(last.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(*space.mesh, c);
    Index nodes[max_lagrange_dim];
    space.cell_nodes(c, nodes);
    for (std::size_t a = 0; a < reference.size(); ++a)
      if (last[std::size_t(nodes[a])] == c)
        positions[std::size_t(nodes[a])] = map_point(geometry, reference[a]);
  }
  return positions;
}

}  // namespace curlew::fem
