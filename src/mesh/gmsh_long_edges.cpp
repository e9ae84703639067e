// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_long_edges.hpp"

#include <gmsh.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/log.hpp"
#include "base/vec3.hpp"
#include "mesh/gmsh_curvature.hpp"

namespace curlew::mesh {
namespace {

constexpr int triangle = 2;  // Gmsh's numbers of element types and algorithms
constexpr int mesh_adapt = 1;
/// Length of an edge over its size: frontal triangles of a cylinder have up to 1.4, as have those of
/// MeshAdapt.
constexpr double long_ratio = 1.5;
/// Triangles of a surface that are made again in some seconds.
constexpr std::size_t many_triangles = 4000;

std::unordered_map<std::size_t, Vec3<double>> nodes_of(int surface) {
  std::vector<std::size_t> tags;
  std::vector<double> x, parameters;
  gmsh::model::mesh::getNodes(tags, x, parameters, 2, surface, true, false);
  std::unordered_map<std::size_t, Vec3<double>> nodes;
  for (std::size_t i = 0; i < tags.size(); ++i) nodes[tags[i]] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  return nodes;
}

bool has_long_edges(int surface, const AskedSize& asked) {
  std::vector<std::size_t> tags, corners;
  gmsh::model::mesh::getElementsByType(triangle, tags, corners, surface);
  if (tags.size() > many_triangles) return false;
  const auto nodes = nodes_of(surface);
  for (std::size_t t = 0; t < corners.size(); t += 3)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = nodes.at(corners[t + i]), b = nodes.at(corners[t + (i + 1) % 3]), m = 0.5 * (a + b);
      if (norm(b - a) > long_ratio * asked(2, surface, m.x, m.y, m.z)) return true;
    }
  return false;
}

}  // namespace

void remake_long_edges(GmshSession& session, const std::string& path, const AskedSize& asked) {
  gmsh::vectorpair surfaces;
  gmsh::model::getEntities(surfaces, 2);
  std::erase_if(surfaces,
                [&](const auto& s) { return !is_curved(2, s.second) || !has_long_edges(s.second, asked); });
  if (surfaces.empty()) return;
  log::debug("{}: {} curved surfaces have edges of more than {} sizes and are meshed again by local changes",
             path, surfaces.size(), long_ratio);
  for (const auto& s : surfaces) gmsh::model::mesh::setAlgorithm(2, s.second, mesh_adapt);
  session.run(path, "meshing", [] {
    gmsh::model::mesh::clear();
    gmsh::model::mesh::generate(2);
  });
}

}  // namespace curlew::mesh
