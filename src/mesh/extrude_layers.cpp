// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/extrude_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "mesh/ordering.hpp"

namespace curlew::mesh {
namespace {

/// Maps a point of the surface to a point in the layers.
class OutwardMap {
 public:
  OutwardMap(const Mesh& mesh, std::span<const Index> triangles, const LayerExtrusion& extrusion)
      : extrusion_(extrusion) {
    if (extrusion.outward) return;
    lo_ = hi_ = mesh.nodes[std::size_t(mesh.triangle(triangles[0])[0])];
    for_vertices(mesh, triangles, [&](Vec3<double> x) {
      for (int i = 0; i < 3; ++i) lo_[i] = std::min(lo_[i], x[i]), hi_[i] = std::max(hi_[i], x[i]);
    });
    const double size = norm(hi_ - lo_);
    const double radius = norm(mesh.nodes[std::size_t(mesh.triangle(triangles[0])[0])] - extrusion.center);
    for_vertices(mesh, triangles, [&](Vec3<double> x) {
      double off = extrusion.spherical ? std::abs(norm(x - extrusion.center) - radius) : size;
      for (int i = 0; !extrusion.spherical && i < 3; ++i)
        off = std::min({off, std::abs(x[i] - lo_[i]), std::abs(x[i] - hi_[i])});
      if (off > 1e-4 * size)
        throw InputError(fmt::format(
            "the surface to grow a layer on is not a {}: its node ({:.4g}, {:.4g}, {:.4g}) m is {:.2g} m "
            "off; {}",
            extrusion.spherical ? fmt::format("sphere around ({:.4g}, {:.4g}, {:.4g}) m", extrusion.center.x,
                                              extrusion.center.y, extrusion.center.z)
                                : "box along the axes",
            x.x, x.y, x.z, off,
            extrusion.spherical ? "set center to the middle of the sphere; on a box, leave it out"
                                : "on a sphere, give its center"));
    });
  }

  /// @param share 0 on the surface, 1 on the back of the layers
  Vec3<double> operator()(Vec3<double> x, double share) const {
    if (extrusion_.outward) return extrusion_.outward(x, share);
    if (extrusion_.spherical) {
      const Vec3<double> r = x - extrusion_.center;
      return x + (share * extrusion_.thickness / norm(r)) * r;
    }
    for (int i = 0; i < 3; ++i) {
      const double middle = 0.5 * (lo_[i] + hi_[i]), half = 0.5 * (hi_[i] - lo_[i]);
      x[i] += share * extrusion_.thickness * (x[i] - middle) / half;
    }
    return x;
  }

 private:
  template <class Visit>
  static void for_vertices(const Mesh& mesh, std::span<const Index> triangles, Visit visit) {
    for (const Index t : triangles)
      for (int i = 0; i < 3; ++i) visit(mesh.nodes[std::size_t(mesh.triangle(t)[i])]);
  }
  const LayerExtrusion& extrusion_;
  Vec3<double> lo_, hi_;
};

/// Nodes of the layers, made at their first use. A vertex is named by its node on the surface and its level.
class ExtrudedNodes {
 public:
  using Vertex = std::pair<Index, int>;  // node on the surface, level

  ExtrudedNodes(Mesh& mesh, const OutwardMap& outward, int layers)
      : mesh_(mesh), outward_(outward), layers_(layers) {}

  /// The node in the middle of an edge of the surface, on curved meshes.
  void set_middle(Index a, Index b, Index middle) { surface_middle_[std::minmax(a, b)] = middle; }

  Index vertex(const Vertex& v) {
    if (v.second == 0) return v.first;
    const auto [at, added] = vertices_.try_emplace(v, Index(mesh_.nodes.size()));
    if (added) mesh_.nodes.push_back(position(v.first, v.second));
    return at->second;
  }
  Index middle(const Vertex& a, const Vertex& b) {
    const auto key = std::minmax(a, b);
    if (a.second == 0 && b.second == 0) return surface_middle_.at(std::minmax(a.first, b.first));
    const auto [at, added] =
        middles_.try_emplace(std::pair(key.first, key.second), Index(mesh_.nodes.size()));
    if (added) mesh_.nodes.push_back(0.5 * (base(a, b, a.second) + base(a, b, b.second)));
    return at->second;
  }

 private:
  Vec3<double> position(Index node, int level) const {
    return outward_(mesh_.nodes[std::size_t(node)], double(level) / layers_);
  }
  /// The middle of the surface's edge, or its end for a vertical edge, at a level.
  Vec3<double> base(const Vertex& a, const Vertex& b, int level) const {
    return position(a.first == b.first ? a.first : surface_middle_.at(std::minmax(a.first, b.first)), level);
  }

  Mesh& mesh_;
  const OutwardMap& outward_;
  int layers_;
  std::map<Vertex, Index> vertices_;
  std::map<std::pair<Vertex, Vertex>, Index> middles_;
  std::map<std::pair<Index, Index>, Index> surface_middle_;
};

void check_closed(const Mesh& mesh, std::span<const Index> triangles) {
  std::map<std::pair<Index, Index>, int> uses;
  for (const Index t : triangles)
    for (const auto& [i, j] : triangle_edge_vertices)
      ++uses[std::minmax(mesh.triangle(t)[i], mesh.triangle(t)[j])];
  for (const auto& [edge, count] : uses) {
    if (count == 2) continue;
    const Vec3<double> x = mesh.nodes[std::size_t(edge.first)];
    throw InputError(fmt::format(
        "the surface to grow a layer on is not closed: it has an open edge at ({:.4g}, {:.4g}, {:.4g}) m",
        x.x, x.y, x.z));
  }
}

template <std::size_t N, std::size_t M>
void append(std::vector<Index>& list, ExtrudedNodes& nodes, bool curved,
            const std::array<ExtrudedNodes::Vertex, N>& v, const std::array<std::array<int, 2>, M>& edges) {
  for (const auto& vertex : v) list.push_back(nodes.vertex(vertex));
  for (const auto& [i, j] : edges)
    if (curved) list.push_back(nodes.middle(v[std::size_t(i)], v[std::size_t(j)]));
}

}  // namespace

void extrude_layers(Mesh& mesh, std::span<const Index> triangles, const LayerExtrusion& extrusion) {
  if (triangles.empty()) throw InputError("the surface to grow a layer on is empty");
  check_closed(mesh, triangles);
  const OutwardMap outward(mesh, triangles, extrusion);
  ExtrudedNodes nodes(mesh, outward, extrusion.layers);
  const bool curved = mesh.geometry_order == 2;
  for (const Index t : triangles)
    for (int e = 0; curved && e < 3; ++e) {
      const Index* n = mesh.triangle(t);
      const auto& [i, j] = triangle_edge_vertices[std::size_t(e)];
      nodes.set_middle(n[i], n[j], n[3 + e]);
    }
  Region cells{extrusion.volume, {}}, back{extrusion.back, {}};
  for (const Index t : triangles) {
    const std::array<Index, 3> n{mesh.triangle(t)[0], mesh.triangle(t)[1], mesh.triangle(t)[2]};
    for (int l = 0; l < extrusion.layers; ++l) {
      const ExtrudedNodes::Vertex a{n[0], l}, b{n[1], l}, c{n[2], l}, A{n[0], l + 1}, B{n[1], l + 1},
          C{n[2], l + 1};
      for (const auto& tetrahedron :
           {std::array{a, b, c, C}, std::array{a, b, B, C}, std::array{a, A, B, C}}) {
        cells.entities.push_back(mesh.num_cells());
        append(mesh.cells, nodes, curved, tetrahedron, cell_edge_vertices);
      }
    }
    back.entities.push_back(mesh.num_triangles());
    const int last = extrusion.layers;
    append(mesh.triangles, nodes, curved,
           std::array<ExtrudedNodes::Vertex, 3>{{{n[0], last}, {n[1], last}, {n[2], last}}},
           triangle_edge_vertices);
  }
  mesh.volumes.push_back(cells);
  mesh.surfaces.push_back(back);
  sort_vertices(mesh);
}

}  // namespace curlew::mesh
