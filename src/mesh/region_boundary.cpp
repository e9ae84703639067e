// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/region_boundary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mesh/closed_surface.hpp"
#include "mesh/ordering.hpp"
#include "mesh/regions.hpp"

namespace curlew::mesh {
namespace {

using Corners = std::array<Index, 3>;  ///< ascending

/// Nodes of a face of a cell in the order of a triangle's: vertices, then the middles of its edges.
std::vector<Index> face_nodes(const Mesh& mesh, Index cell, std::size_t face) {
  const Index* n = mesh.cell(cell);
  const auto& corner = cell_face_vertices[face];
  std::vector<Index> nodes{n[corner[0]], n[corner[1]], n[corner[2]]};
  for (const auto& [i, j] : triangle_edge_vertices)
    for (std::size_t e = 0; mesh.geometry_order == 2 && e < 6; ++e)
      if (cell_edge_vertices[e] == std::array{corner[std::size_t(i)], corner[std::size_t(j)]})
        nodes.push_back(n[4 + e]);
  return nodes;
}

/// Triangles by their corners: each is in the mesh once.
class Triangles {
 public:
  explicit Triangles(Mesh& mesh) : mesh_(mesh) {}
  Index add(const std::vector<Index>& nodes) {
    const auto [at, added] = number_.try_emplace({nodes[0], nodes[1], nodes[2]}, mesh_.num_triangles());
    if (added) mesh_.triangles.insert(mesh_.triangles.end(), nodes.begin(), nodes.end());
    return at->second;
  }

 private:
  Mesh& mesh_;
  std::map<Corners, Index> number_;
};

enum class Fate : char { dropped, kept, hollow };

/// Number of cells of each kind at a face.
struct Sides {
  int kept = 0, hollow = 0;
  std::vector<Index> nodes;
};

std::vector<Fate> fates(const Mesh& mesh, const std::vector<std::string>& names,
                        const std::vector<std::string>& hollow) {
  std::vector<Fate> fate(std::size_t(mesh.num_cells()), Fate::dropped);
  for (const auto& [list, value] : {std::pair{&names, Fate::kept}, std::pair{&hollow, Fate::hollow}})
    for (const auto& name : *list)
      if (const Region* volume = find_region(mesh.volumes, name))
        for (const Index c : volume->entities) fate[std::size_t(c)] = value;
  return fate;
}

using Faces = std::map<Corners, Sides>;

Faces faces_of(const Mesh& mesh, const std::vector<Fate>& fate) {
  Faces faces;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    if (fate[std::size_t(c)] == Fate::dropped) continue;
    for (std::size_t f = 0; f < 4; ++f) {
      auto nodes = face_nodes(mesh, c, f);
      Sides& sides = faces[{nodes[0], nodes[1], nodes[2]}];
      ++(fate[std::size_t(c)] == Fate::kept ? sides.kept : sides.hollow);
      sides.nodes = std::move(nodes);
    }
  }
  return faces;
}

void copy_cells(const Mesh& mesh, const std::vector<Fate>& fate, Mesh& made) {
  std::vector<Index> new_cell(std::size_t(mesh.num_cells()), -1);
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    if (fate[std::size_t(c)] != Fate::kept) continue;
    new_cell[std::size_t(c)] = made.num_cells();
    made.cells.insert(made.cells.end(), mesh.cell(c), mesh.cell(c) + mesh.nodes_per_cell());
  }
  for (const auto& volume : mesh.volumes) {
    Region region{volume.name, {}};
    for (const Index c : volume.entities)
      if (new_cell[std::size_t(c)] >= 0) region.entities.push_back(new_cell[std::size_t(c)]);
    if (!region.entities.empty()) made.volumes.push_back(std::move(region));
  }
}

/// The named surfaces on the body's cells and on its boundary; those named as the body are boundary.
void copy_surfaces(const Mesh& mesh, const std::vector<std::string>& names, const Faces& faces,
                   Triangles& triangles, Body& body) {
  for (const auto& surface : mesh.surfaces) {
    const bool is_body = std::find(names.begin(), names.end(), surface.name) != names.end();
    Region region{surface.name, {}};
    for (const Index t : surface.entities) {
      const Index* n = mesh.triangle(t);
      const auto face = faces.find({n[0], n[1], n[2]});
      const bool is_known = face != faces.end();
      if (!is_known && !is_body) continue;
      if (is_known && face->second.kept == 0 && face->second.hollow != 1) continue;  // inside of metal
      region.entities.push_back(triangles.add({n, n + mesh.nodes_per_triangle()}));
      if (!is_known) body.boundary.push_back(region.entities.back());
    }
    if (!region.entities.empty()) body.mesh.surfaces.push_back(std::move(region));
  }
}

/// The surface of a hollow volume as a region of its name.
void add_metal_surface(const Mesh& mesh, const std::string& name, const Faces& faces, Triangles& triangles,
                       Mesh& made) {
  const Region* volume = find_region(mesh.volumes, name);
  if (volume == nullptr) return;
  Region region{name, {}};
  for (const Index c : volume->entities)
    for (std::size_t f = 0; f < 4; ++f) {
      const auto nodes = face_nodes(mesh, c, f);
      if (faces.at({nodes[0], nodes[1], nodes[2]}).hollow == 1)
        region.entities.push_back(triangles.add(nodes));
    }
  made.surfaces.push_back(std::move(region));
}

void make_unique(std::vector<Index>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void check_names(const Mesh& mesh, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto* list : {&mesh.volumes, &mesh.surfaces})
    for (const auto& region : *list) known.push_back(region.name);
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("{}: \"{}\" of the body is not a region of the mesh ({})", mesh.name, name,
                                   fmt::join(known, ", ")));
}

/// Removes unused nodes.
void compress_nodes(Mesh& mesh) {
  std::vector<Index> number(mesh.nodes.size(), -1);
  std::vector<Vec3<double>> nodes;
  for (auto* list : {&mesh.cells, &mesh.triangles})
    for (Index& n : *list) {
      Index& to = number[std::size_t(n)];
      if (to < 0) to = Index(nodes.size()), nodes.push_back(mesh.nodes[std::size_t(n)]);
      n = to;
    }
  mesh.nodes = std::move(nodes);
  sort_vertices(mesh);
}

/// Sides of the surface of the body. @throws InputError if it is not closed, as thin metal is not
std::vector<int> sides_of_body(const Mesh& mesh, const std::vector<Index>& boundary) {
  try {
    return outward_sides(mesh, boundary, "the body's surface");
  } catch (const InputError& e) {
    throw InputError(fmt::format(
        "{}: \"S_prime\" must enclose the body. Thin metal alone encloses nothing: ie-solve computes it, and "
        "fem-solve in a volume of air around it, with [[pml]] or an absorbing [[boundary]]",
        e.what()));
  }
}

bool encloses(const Mesh& mesh, const std::vector<Index>& triangles, Vec3<double> point) {
  const auto sides = sides_of_body(mesh, triangles);
  return solid_angle(mesh, triangles, sides, point) > 2 * pi;
}

}  // namespace

Body keep_body(const Mesh& mesh, std::vector<std::string> names, const std::vector<std::string>& hollow) {
  check_names(mesh, names);
  check_names(mesh, hollow);
  if (names.empty())
    for (const auto& region : mesh.num_cells() > 0 ? mesh.volumes : mesh.surfaces)
      names.push_back(region.name);
  const auto fate = fates(mesh, names, hollow);
  const auto faces = faces_of(mesh, fate);
  Body body;
  body.mesh.name = mesh.name;
  body.mesh.geometry_order = mesh.geometry_order;
  body.mesh.nodes = mesh.nodes;
  copy_cells(mesh, fate, body.mesh);
  Triangles triangles(body.mesh);
  for (const auto& [corners, sides] : faces)
    if (sides.kept + sides.hollow == 1) body.boundary.push_back(triangles.add(sides.nodes));
  copy_surfaces(mesh, names, faces, triangles, body);
  for (const auto& name : hollow) add_metal_surface(mesh, name, faces, triangles, body.mesh);
  for (auto& region : body.mesh.surfaces) make_unique(region.entities);
  make_unique(body.boundary);
  if (body.boundary.empty()) throw InputError(fmt::format("{}: the body has no surface", mesh.name));
  compress_nodes(body.mesh);
  return body;
}

std::vector<std::vector<Index>> outer_pieces(const Mesh& mesh, const std::vector<Index>& boundary) {
  sides_of_body(mesh, boundary);  // closed, or an error
  // Triangles that share a vertex belong to one connected component.
  std::vector<Index> root(mesh.nodes.size());
  std::iota(root.begin(), root.end(), 0);
  const auto top = [&](Index n) {
    while (root[std::size_t(n)] != n) n = root[std::size_t(n)] = root[std::size_t(root[std::size_t(n)])];
    return n;
  };
  for (const Index t : boundary)
    for (int i = 1; i < 3; ++i) root[std::size_t(top(mesh.triangle(t)[i]))] = top(mesh.triangle(t)[0]);
  std::map<Index, std::vector<Index>> by_root;
  for (const Index t : boundary) by_root[top(mesh.triangle(t)[0])].push_back(t);
  std::vector<std::vector<Index>> outer;
  for (const auto& [a, piece] : by_root) {
    const Vec3<double> x = mesh.nodes[std::size_t(mesh.triangle(piece[0])[0])];
    const bool is_inside = std::any_of(by_root.begin(), by_root.end(), [&, a = a](const auto& other) {
      return other.first != a && encloses(mesh, other.second, x);
    });
    if (!is_inside) outer.push_back(piece);
  }
  return outer;
}

}  // namespace curlew::mesh
