// SPDX-License-Identifier: BSD-3-Clause
#include "coax_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/box.hpp"
#include "mesh/ordering.hpp"

namespace curlew::test {

mesh::Mesh make_coax(double a, double b, double length, std::array<int, 3> blocks, int geometry_order) {
  const double turn = 2 * std::numbers::pi;
  mesh::Mesh tube = mesh::make_box(
      {.lo = {a, 0, 0}, .hi = {b, turn, length}, .blocks = blocks, .geometry_order = geometry_order});
  // nodes at φ = 2π are those at φ = 0
  std::vector<Index> number(tube.nodes.size());
  std::vector<Vec3<double>> nodes;
  const auto key = [&](Vec3<double> p) {
    return Vec3<double>{p.x, p.y > turn * (1 - 1e-9) ? 0.0 : p.y, p.z};
  };
  for (std::size_t i = 0; i < tube.nodes.size(); ++i) {
    if (key(tube.nodes[i]).y != tube.nodes[i].y) continue;
    number[i] = Index(nodes.size());
    nodes.push_back(tube.nodes[i]);
  }
  for (std::size_t i = 0; i < tube.nodes.size(); ++i) {
    const auto k = key(tube.nodes[i]);
    if (k.y == tube.nodes[i].y) continue;
    const auto same = std::find_if(nodes.begin(), nodes.end(), [&](Vec3<double> p) {
      return std::abs(p.y) < 1e-9 && std::abs(p.x - k.x) < 1e-9 * b && std::abs(p.z - k.z) < 1e-9 * length;
    });
    number[i] = Index(same - nodes.begin());
  }
  for (Index& c : tube.cells) c = number[std::size_t(c)];
  for (Index& t : tube.triangles) t = number[std::size_t(t)];
  for (auto& p : nodes) p = {p.x * std::cos(p.y), p.x * std::sin(p.y), p.z};
  tube.nodes = std::move(nodes);
  std::vector<mesh::Region> kept;
  for (auto& s : tube.surfaces) {
    if (s.name == "x0") s.name = "inner", kept.push_back(s);
    if (s.name == "x1") s.name = "outer", kept.push_back(s);
    if (s.name == "z0" || s.name == "z1") kept.push_back(s);
  }
  tube.surfaces = kept;
  tube.volumes[0].name = "fill";
  mesh::sort_vertices(tube);
  return tube;
}

}  // namespace curlew::test
