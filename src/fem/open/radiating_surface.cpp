// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/radiating_surface.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

/// Vertices of a face and, on curved meshes, the nodes in the middle of its edges.
std::vector<Index> face_nodes(const mesh::Mesh& mesh, const mesh::Topology& topology, Index face) {
  const Index cell = topology.face_cells[std::size_t(face)][0];
  const auto& faces = topology.cell_faces[std::size_t(cell)];
  const auto local = std::size_t(std::find(faces.begin(), faces.end(), face) - faces.begin());
  const auto& v = mesh::cell_face_vertices[local];
  std::vector<Index> nodes;
  for (const int i : v) nodes.push_back(mesh.cell(cell)[i]);
  if (mesh.geometry_order == 1) return nodes;
  for (const auto& [i, j] : mesh::triangle_edge_vertices) {
    const std::array<int, 2> edge{v[std::size_t(i)], v[std::size_t(j)]};
    const auto place = std::find(mesh::cell_edge_vertices.begin(), mesh::cell_edge_vertices.end(), edge) -
                       mesh::cell_edge_vertices.begin();
    nodes.push_back(mesh.cell(cell)[4 + place]);
  }
  return nodes;
}

/// Cells that are connected to the layers or absorbing boundaries without passing through the surface or
/// metal.
std::vector<bool> cells_outside(const NedelecSpace& space, const Model& model,
                                const std::vector<bool>& on_surface) {
  const auto& topology = *space.topology;
  std::vector<bool> outside = pml_cells(*space.mesh, model.pml);
  for (const auto& b : model.boundaries) {
    if (!b->is_absorbing()) continue;
    for (const auto& region : b.regions)
      for (const Index t : surface_triangles(*space.mesh, region)) {
        const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
        if (!on_surface[face]) outside[std::size_t(topology.face_cells[face][0])] = true;
      }
  }
  std::vector<Index> front;
  for (std::size_t c = 0; c < outside.size(); ++c)
    if (outside[c]) front.push_back(Index(c));
  while (!front.empty()) {
    const Index cell = front.back();
    front.pop_back();
    for (const Index face : topology.cell_faces[std::size_t(cell)]) {
      if (on_surface[std::size_t(face)] || space.face_number[std::size_t(face)] < 0) continue;
      for (const Index next : topology.face_cells[std::size_t(face)])
        if (next >= 0 && !outside[std::size_t(next)]) {
          outside[std::size_t(next)] = true;
          front.push_back(next);
        }
    }
  }
  return outside;
}

/// Edges of only one triangle of the surface.
std::vector<Index> open_edges(const mesh::Topology& topology, const std::vector<Index>& triangles) {
  std::vector<char> count(std::size_t(topology.num_edges()), 0);
  for (const Index t : triangles)
    for (const Index e : topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])])
      ++count[std::size_t(e)];
  std::vector<Index> open;
  for (std::size_t e = 0; e < count.size(); ++e)
    if (count[e] == 1) open.push_back(Index(e));
  return open;
}

}  // namespace

bool points_into(const mesh::Mesh& mesh, Index triangle, Index cell) {
  const Index* v = mesh.triangle(triangle);
  const Vec3<double> corner = mesh.nodes[std::size_t(v[0])];
  Vec3<double> center;
  for (int i = 0; i < 4; ++i) center += 0.25 * mesh.nodes[std::size_t(mesh.cell(cell)[i])];
  const auto normal = cross(mesh.nodes[std::size_t(v[1])] - corner, mesh.nodes[std::size_t(v[2])] - corner);
  return dot(normal, center - corner) > 0;
}

std::string add_layer_surface(const std::vector<PmlModel>& layers, std::span<const Index> metal,
                              mesh::Mesh& mesh, mesh::Topology& topology) {
  const std::string name = "layer_face";
  const auto layer = pml_cells(mesh, layers);
  std::vector<Index> triangle_of(std::size_t(topology.num_faces()), -1);
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    triangle_of[std::size_t(topology.triangle_face[std::size_t(t)])] = t;
  std::vector<bool> is_metal(std::size_t(mesh.num_triangles()), false);
  for (const Index t : metal) is_metal[std::size_t(t)] = true;
  mesh::Region region{name, {}};
  for (Index f = 0; f < topology.num_faces(); ++f) {
    const auto [a, b] = topology.face_cells[std::size_t(f)];
    if (b < 0 || layer[std::size_t(a)] == layer[std::size_t(b)]) continue;
    Index t = triangle_of[std::size_t(f)];
    if (t >= 0 && t < Index(is_metal.size()) && is_metal[std::size_t(t)]) continue;
    if (t < 0) {
      t = mesh.num_triangles();
      const auto nodes = face_nodes(mesh, topology, f);
      mesh.triangles.insert(mesh.triangles.end(), nodes.begin(), nodes.end());
      topology.triangle_face.push_back(f);
    }
    region.entities.push_back(t);
  }
  std::sort(region.entities.begin(), region.entities.end());
  mesh.surfaces.push_back(region);
  return name;
}

RadiatingSurface make_radiating_surface(const NedelecSpace& space, const Model& model,
                                        const std::vector<std::string>& regions) {
  const auto& mesh = *space.mesh;
  const auto& topology = *space.topology;
  const std::string name = fmt::format("{}", fmt::join(regions, ", "));
  RadiatingSurface surface;
  std::vector<bool> on_surface(std::size_t(topology.num_faces()), false);
  for (const auto& region : regions)
    for (const Index t : surface_triangles(mesh, region)) {
      const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
      if (!on_surface[face]) surface.triangles.push_back(t);
      on_surface[face] = true;
    }
  const auto outside = cells_outside(space, model, on_surface);
  const auto layer = pml_cells(mesh, model.pml);
  surface.outside = true;
  for (const Index t : surface.triangles) {
    const auto [a, b] = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])];
    const bool separates = b < 0 || outside[std::size_t(a)] != outside[std::size_t(b)];
    if (!separates)
      throw InputError(
          fmt::format("surface \"{}\" does not enclose the radiating structure: {} lies on both sides of one "
                      "of its triangles",
                      name, outside[std::size_t(a)] ? "the outside" : "the inside"));
    const Index outer = outside[std::size_t(a)] ? a : b;
    surface.sides.push_back(points_into(mesh, t, a) == bool(outside[std::size_t(a)]) ? 1 : -1);
    if (outer < 0 || !outside[std::size_t(outer)] || layer[std::size_t(outer)]) surface.outside = false;
  }
  // Cells of that side around the surface's edges.
  std::vector<bool> edge(std::size_t(topology.num_edges()), false);
  for (const Index t : surface.triangles)
    for (const Index e : topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])])
      edge[std::size_t(e)] = true;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    if (outside[std::size_t(c)] != surface.outside || layer[std::size_t(c)]) continue;
    const auto& edges = topology.cell_edges[std::size_t(c)];
    if (std::any_of(edges.begin(), edges.end(), [&](Index e) { return edge[std::size_t(e)]; }))
      surface.cells.push_back(c);
  }
  return surface;
}

void require_images(const mesh::Mesh& mesh, const mesh::Topology& topology,
                    const std::vector<Index>& triangles, const std::vector<fields::SymmetryPlane>& declared,
                    const char* types) {
  const auto& nodes = mesh.nodes;
  Vec3<double> low = nodes.front(), high = low;
  for (const auto& node : nodes)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], node[d]), high[d] = std::max(high[d], node[d]);
  const double rounding = 1e-6 * norm(high - low);
  const auto lies_in = [&](Index edge, int axis, double position) {
    const auto& ends = topology.edges[std::size_t(edge)];
    return std::all_of(ends.begin(), ends.end(),
                       [&](Index n) { return std::abs(nodes[std::size_t(n)][axis] - position) <= rounding; });
  };
  auto open = open_edges(topology, triangles);
  std::erase_if(open, [&](Index edge) {
    return std::any_of(declared.begin(), declared.end(),
                       [&](const auto& plane) { return lies_in(edge, plane.axis, plane.position); });
  });
  // Edges at a box's corners lie in two of its planes: the open one contains the most.
  std::ptrdiff_t most = 0;
  int axis = 0;
  double position = 0;
  for (int d = 0; d < 3; ++d)
    for (const double at : {low[d], high[d]}) {
      const auto count =
          std::count_if(open.begin(), open.end(), [&](Index edge) { return lies_in(edge, d, at); });
      if (count > most) most = count, axis = d, position = at;
    }
  if (most > 0)
    throw InputError(
        fmt::format("the radiating surface is open at the plane {} = {:.6g} m, where {} ends: for far fields "
                    "declare what is beyond it by [[symmetry]] with axis = \"{}\", position and type = "
                    "{}",
                    "xyz"[axis], position, mesh.name, "xyz"[axis], types));
}

}  // namespace curlew::fem
