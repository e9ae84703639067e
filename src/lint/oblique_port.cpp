// SPDX-License-Identifier: BSD-3-Clause
// Ports whose face is not normal to the guide. Modes of a port are those of a guide along the face's normal;
// on an oblique face they are reflected in proportion to the square of the angle, on every mesh, so that
// error bars do not show it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/constants.hpp"
#include "lint/rules.hpp"
#include "mesh/regions.hpp"

namespace curlew::lint {
namespace {

using Rim = std::pair<Index, Index>;

/// An edge of a face's outline and the wall adjacent to it.
struct LeaningWall {
  double length;         ///< [m] of the edge
  Vec3<double> outward;  ///< unit vector in the face, normal to the edge
  double lean;           ///< tangent of the angle between wall and face normal, positive outward
};

Vec3<double> node(const mesh::Mesh& mesh, Index n) {
  return mesh.nodes[std::size_t(n)];
}

/// Vector in a triangle from an edge to the third vertex, normal to the edge.
Vec3<double> away_from_edge(const mesh::Mesh& mesh, const Rim& edge, const Index* t) {
  const Vec3<double> a = node(mesh, edge.first), along = normalized(node(mesh, edge.second) - a);
  for (int i = 0; i < 3; ++i)
    if (t[i] != edge.first && t[i] != edge.second) {
      const Vec3<double> arm = node(mesh, t[i]) - a;
      return arm - dot(arm, along) * along;
    }
  return {};
}

template <class Visit>
void each_edge_of(const Index* t, const Visit& visit) {
  for (const auto& [i, j] : mesh::triangle_edge_vertices) visit(Rim(std::minmax(t[i], t[j])));
}

/// Edges that one triangle of the face has alone, with that triangle.
std::map<Rim, Index> outline_of(const mesh::Mesh& mesh, const std::vector<Index>& triangles) {
  std::map<Rim, Index> outline;
  std::set<Rim> inside;
  for (const Index t : triangles)
    each_edge_of(mesh.triangle(t), [&](const Rim& edge) {
      if (!outline.try_emplace(edge, t).second) inside.insert(edge);
    });
  for (const Rim& edge : inside) outline.erase(edge);
  return outline;
}

/// All surfaces that end at the outline, except those in the plane of the face.
std::vector<LeaningWall> walls_at(const mesh::Mesh& mesh, const std::vector<Index>& face) {
  constexpr double in_plane = 0.1;
  const auto outline = outline_of(mesh, face);
  const std::set<Index> own(face.begin(), face.end());
  std::vector<LeaningWall> walls;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (own.count(t) > 0) continue;
    each_edge_of(mesh.triangle(t), [&](const Rim& edge) {
      const auto found = outline.find(edge);
      if (found == outline.end()) return;
      const Vec3<double> outward = -normalized(away_from_edge(mesh, edge, mesh.triangle(found->second)));
      const Vec3<double> way = away_from_edge(mesh, edge, mesh.triangle(t));
      const double across = dot(way, outward),
                   along = std::sqrt(std::max(0.0, dot(way, way) - across * across));
      if (along < in_plane * norm(way)) return;
      walls.push_back({norm(node(mesh, edge.second) - node(mesh, edge.first)), outward, across / along});
    });
  }
  return walls;
}

/// The tilt τ of the guide's axis in the plane of the face, lean = τ·outward on all walls, by least squares.
/// @returns empty for walls on one side only, or other shapes: flares, single ramps, the facets of a round
/// guide
std::optional<double> tilt_of(const std::vector<LeaningWall>& walls) {
  constexpr double explained = 0.6;  // a ramp on one of two sides has half
  if (walls.empty()) return std::nullopt;
  const Vec3<double> u = walls.front().outward;
  Vec3<double> v{}, sum{};
  double total = 0, leans = 0;
  for (const LeaningWall& w : walls) {
    if (norm(cross(w.outward, u)) > norm(v)) v = w.outward - dot(w.outward, u) * u;
    sum += w.length * w.outward, total += w.length, leans += w.length * w.lean * w.lean;
  }
  if (norm(sum) > 0.5 * total || leans == 0) return std::nullopt;
  v = norm(v) > 0 ? normalized(v) : v;
  double uu = 0, uv = 0, vv = 0, bu = 0, bv = 0;
  for (const LeaningWall& w : walls) {
    const double a = dot(w.outward, u), b = dot(w.outward, v);
    uu += w.length * a * a, uv += w.length * a * b, vv += w.length * b * b;
    bu += w.length * w.lean * a, bv += w.length * w.lean * b;
  }
  const double determinant = uu * vv - uv * uv;
  const bool is_plane = determinant < 1e-6 * total * total;  // two parallel walls: no tilt along them
  const double x = is_plane ? bu / uu : (bu * vv - bv * uv) / determinant,
               y = is_plane ? 0 : (bv * uu - bu * uv) / determinant;
  if (x * bu + y * bv < explained * leans) return std::nullopt;
  return std::hypot(x, y);
}

}  // namespace

void oblique_port(const Model& model, Findings& found) {
  constexpr double least = 1;  // degree: the error of S is 1e-4, below most error bars
  for (const auto& port : model.config.tables("port")) {
    if (text_or(port, "type", "waveguide") != "waveguide") continue;
    const auto* region = mesh::find_region(model.mesh->surfaces, text_or(port, "region", ""));
    if (region == nullptr) continue;
    const auto tilt = tilt_of(walls_at(*model.mesh, region->entities));
    const double angle = std::atan(tilt.value_or(0)) * 180 / pi;
    if (angle < least) continue;
    found.add(
        port, "region",
        fmt::format("the guide's axis is {:.2g} degrees off the normal of the port's face, which therefore "
                    "reflects, and no error bar contains that; cut the guide at a right angle to its walls",
                    angle));
  }
}

}  // namespace curlew::lint
