// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/surround.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "mesh/closed_surface.hpp"
#include "mesh/extrude_layers.hpp"
#include "mesh/ordering.hpp"
#include "mesh/region_boundary.hpp"
#include "mesh/regions.hpp"
#include "mesh/rounded_box.hpp"

namespace curlew::mesh {
namespace {

/// Nodes at the middle of edges: existing ones, and straight ones made at their first use.
class Middles {
 public:
  explicit Middles(Mesh& mesh) : mesh_(mesh) {
    for (Index t = 0; t < mesh.num_triangles(); ++t)
      for (std::size_t e = 0; e < 3; ++e) {
        const auto [i, j] = triangle_edge_vertices[e];
        set(mesh.triangle(t)[i], mesh.triangle(t)[j], mesh.triangle(t)[3 + e]);
      }
  }
  void set(Index a, Index b, Index middle) { middle_[std::minmax(a, b)] = middle; }
  Index operator()(Index a, Index b) {
    const auto [at, added] = middle_.try_emplace(std::minmax(a, b), Index(mesh_.nodes.size()));
    if (added) mesh_.nodes.push_back(0.5 * (mesh_.nodes[std::size_t(a)] + mesh_.nodes[std::size_t(b)]));
    return at->second;
  }

 private:
  Mesh& mesh_;
  std::map<std::pair<Index, Index>, Index> middle_;
};

/// Adds elements with the nodes at the middle of their edges.
template <std::size_t N, class Edges>
void append(const std::array<Index, N>& corners, const Edges& edges, Middles* middles,
            std::vector<Index>& list) {
  list.insert(list.end(), corners.begin(), corners.end());
  if (middles == nullptr) return;
  for (const auto& [i, j] : edges)
    list.push_back((*middles)(corners[std::size_t(i)], corners[std::size_t(j)]));
}

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> all(std::size_t(end - begin));
  std::iota(all.begin(), all.end(), begin);
  return all;
}

/// The outer surface of the space to be filled as triangles of the mesh. @return its first new triangle
Index add_grid(const RoundedBox& box, const SurfaceGrid& grid, Mesh& mesh, Middles* middles) {
  const Index first_node = Index(mesh.nodes.size()), first = mesh.num_triangles();
  mesh.nodes.insert(mesh.nodes.end(), grid.vertices.begin(), grid.vertices.end());
  for (const auto& t : grid.triangles) {
    const std::array<Index, 3> corners{t[0] + first_node, t[1] + first_node, t[2] + first_node};
    append(corners, triangle_edge_vertices, middles, mesh.triangles);
    for (std::size_t e = 0; middles != nullptr && e < 3; ++e) {
      Vec3<double>& x = mesh.nodes[std::size_t(mesh.triangles[mesh.triangles.size() - 3 + e])];
      x = box.project(x);
    }
  }
  return first;
}

/// Cells between the outer surface (triangles from first_outer) and the pieces of the body's boundary.
void add_filling(const std::vector<std::vector<Index>>& pieces, Index first_outer, const Filler& fill,
                 Mesh& mesh, Middles* middles) {
  std::vector<Index> place(mesh.nodes.size(), -1), origin;
  std::vector<Vec3<double>> nodes;
  std::vector<std::vector<std::array<Index, 3>>> surfaces;
  auto all = pieces;
  all.insert(all.begin(), range(first_outer, mesh.num_triangles()));
  for (const auto& piece : all) {
    auto& surface = surfaces.emplace_back();
    for (const Index t : piece) {
      std::array<Index, 3> corners;
      for (std::size_t i = 0; i < 3; ++i) {
        const Index node = mesh.triangle(t)[i];
        Index& p = place[std::size_t(node)];
        if (p < 0)
          p = Index(nodes.size()), origin.push_back(node), nodes.push_back(mesh.nodes[std::size_t(node)]);
        corners[i] = p;
      }
      surface.push_back(corners);
    }
  }
  const Filling filling = fill(nodes, surfaces);
  for (std::size_t i = origin.size(); i < filling.nodes.size(); ++i) {
    origin.push_back(Index(mesh.nodes.size()));
    mesh.nodes.push_back(filling.nodes[i]);
  }
  for (const auto& cell : filling.cells) {
    std::array<Index, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) corners[i] = origin[std::size_t(cell[i])];
    append(corners, cell_edge_vertices, middles, mesh.cells);
  }
}

void check_names(const Mesh& mesh, const Surround& options) {
  for (const auto& name : {options.volume, options.inner, options.outer})
    if (find_region(mesh.volumes, name) != nullptr || find_region(mesh.surfaces, name) != nullptr)
      throw InputError(
          fmt::format("{}: the mesh has a region \"{}\" already: name it as the surface to use, "
                      "or leave out distance",
                      mesh.name, name));
}

/// Largest triangles of the two surfaces, in units of the gap: the field of a source varies over lengths of
/// the order of its distance.
/// Triangles of four gaps around a patch antenna put its resonance 2.8 % off, which no refinement inside
/// mends.
constexpr double largest_in_gaps = 2;

/// About how many cells of a size fill the box, and the layer of prisms around it.
double predicted_cells(const RoundedBox& box, double size, const Surround& options) {
  const auto [a, b, c] = std::array{box.core[0], box.core[1], box.core[2]};
  const double r = box.radius, sides = 8 * (a * b + b * c + c * a), edges = a + b + c;
  const double volume = 8 * a * b * c + sides * r + 2 * M_PI * edges * r * r + 4 * M_PI / 3 * r * r * r;
  const double surface = sides + 4 * M_PI * edges * r + 4 * M_PI * r * r;
  constexpr double regular = 0.118;  // volume of a tetrahedron with edges of length 1
  const double layers = options.gap > 0 ? std::max(1.0, options.distance / size) : 0;
  return volume / (regular * size * size * size) + 3 * layers * 2 * surface / (size * size);
}

/// Small cells on a large distance, as of a fraction of the wavelength at a low frequency, exceed any memory.
/// @throws ResourceError with their number
void require_affordable(const RoundedBox& box, double size, const Surround& options,
                        const std::string& name) {
  constexpr double bytes_per_cell = 600;  // of Gmsh and of the mesh
  const double cells = predicted_cells(box, size, options);
  log::info("{}: about {:.1e} cells of {:.3g} m around the body", name, cells, size);
  if (cells * bytes_per_cell > double(available_memory()))
    throw ResourceError(
        fmt::format("{}: about {:.1e} cells of {:.3g} m around the body, {:.1e} GiB: give greater "
                    "cells (mesh.size or wavelength_fraction) or a smaller distance",
                    name, cells, size, cells * bytes_per_cell / (1 << 30)));
}

void grow_outer_layer(Index first, double size, const RoundedBox& box, const Surround& options, Mesh& mesh) {
  sort_vertices(mesh);
  LayerExtrusion extrusion{.thickness = options.distance,
                           .layers = std::max(1, int(std::lround(options.distance / size))),
                           .volume = "layer",
                           .back = options.outer};
  extrusion.outward = [&](Vec3<double> x, double share) {
    RoundedBox further = box;
    further.radius += share * options.distance;
    return further.project(x);
  };
  extrude_layers(mesh, range(first, mesh.num_triangles()), extrusion);
  auto& filled = *(mesh.volumes.end() - 2);
  const auto& layer = mesh.volumes.back().entities;
  filled.entities.insert(filled.entities.end(), layer.begin(), layer.end());
  mesh.volumes.pop_back();
}

}  // namespace

Mesh surround(const Mesh& mesh, const Surround& options, const Filler& fill) {
  Body body = keep_body(mesh, options.body, options.hollow);
  Mesh& made = body.mesh;
  check_names(made, options);
  const auto pieces = outer_pieces(made, body.boundary);
  std::vector<Index> boundary;
  for (const auto& piece : pieces) boundary.insert(boundary.end(), piece.begin(), piece.end());
  std::sort(boundary.begin(), boundary.end());

  std::vector<Vec3<double>> points;
  for (const Index t : boundary)
    for (int i = 0; i < made.nodes_per_triangle(); ++i)
      points.push_back(made.nodes[std::size_t(made.triangle(t)[i])]);
  const bool has_gap = options.gap > 0;
  const double stated = options.size.value_or(mean_edge(made, boundary));
  const double size = has_gap ? std::min(stated, largest_in_gaps * options.gap) : stated;
  const RoundedBox box = rounded_box_around(points, has_gap ? options.gap : options.distance);

  require_affordable(box, size, options, mesh.name);
  const Index first_cell = made.num_cells();
  std::optional<Middles> middles;
  if (made.geometry_order == 2) middles.emplace(made);
  Middles* const curved = middles ? &*middles : nullptr;
  const Index first = add_grid(box, triangulate(box, size), made, curved);
  add_filling(pieces, first, fill, made, curved);
  made.volumes.push_back({options.volume, range(first_cell, made.num_cells())});
  made.surfaces.push_back({options.inner, has_gap ? range(first, made.num_triangles()) : boundary});
  if (has_gap)
    grow_outer_layer(first, size, box, options, made);
  else
    made.surfaces.push_back({options.outer, range(first, made.num_triangles())});
  order_along_curve(made);
  return std::move(made);
}

}  // namespace curlew::mesh
