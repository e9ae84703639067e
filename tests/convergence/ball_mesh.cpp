// SPDX-License-Identifier: BSD-3-Clause
#include "ball_mesh.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "mesh/ordering.hpp"

namespace curlew::test {
namespace {

using Lattice = std::array<int, 3>;

struct Builder {
  int n;
  mesh::Mesh mesh;
  std::map<Lattice, Index> vertex_at;                  // by signed lattice position |x| + |y| + |z| <= n
  std::map<std::pair<Index, Index>, Index> middle_of;  // by the edge's vertices, ascending

  Index vertex(const Lattice& p) {
    const auto [at, added] = vertex_at.try_emplace(p, Index(mesh.nodes.size()));
    if (!added) return at->second;
    const Vec3<double> x{double(p[0]) / n, double(p[1]) / n, double(p[2]) / n};
    const double length = norm(x), shell = std::abs(x.x) + std::abs(x.y) + std::abs(x.z);
    mesh.nodes.push_back(length > 0 ? (shell / length) * x : x);
    return at->second;
  }

  bool on_sphere(Index v) const { return norm(mesh.nodes[std::size_t(v)]) > 1 - 1e-12; }

  /// @param on_surface the edge lies on the sphere
  Index middle(Index a, Index b, bool on_surface) {
    const auto [at, added] = middle_of.try_emplace(std::minmax(a, b), Index(mesh.nodes.size()));
    if (!added) return at->second;
    const Vec3<double> x = 0.5 * (mesh.nodes[std::size_t(a)] + mesh.nodes[std::size_t(b)]);
    mesh.nodes.push_back(on_surface ? normalized(x) : x);
    return at->second;
  }

  void add_cell(const std::array<Index, 4>& v, int geometry_order) {
    mesh.cells.insert(mesh.cells.end(), v.begin(), v.end());
    // An edge between two vertices of the sphere lies on it: a chord would need a cell with all vertices
    // there.
    if (geometry_order == 2)
      for (const auto [i, j] : mesh::cell_edge_vertices)
        mesh.cells.push_back(middle(v[std::size_t(i)], v[std::size_t(j)],
                                    on_sphere(v[std::size_t(i)]) && on_sphere(v[std::size_t(j)])));
    for (const auto& f : mesh::cell_face_vertices) {
      const std::array<Index, 3> t{v[std::size_t(f[0])], v[std::size_t(f[1])], v[std::size_t(f[2])]};
      if (!std::all_of(t.begin(), t.end(), [&](Index i) { return on_sphere(i); })) continue;
      mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
      if (geometry_order == 2)
        for (const auto [i, j] : mesh::triangle_edge_vertices)
          mesh.triangles.push_back(middle(t[std::size_t(i)], t[std::size_t(j)], true));
    }
  }
};

/// Tetrahedra of Kuhn's subdivision of the cubes in n >= a >= b >= c >= 0; x = a - b, y = b - c, z = c are
/// then a subdivision of the simplex x + y + z <= n.
std::vector<std::array<Lattice, 4>> simplex_cells(int n) {
  std::vector<std::array<Lattice, 4>> cells;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b <= a; ++b)
      for (int c = 0; c <= b; ++c) {
        std::array<int, 3> order{0, 1, 2};
        do {
          std::array<Lattice, 4> cell;
          Lattice p{a, b, c};
          bool inside = true;
          for (std::size_t i = 0; i < 4; ++i) {
            inside = inside && p[0] >= p[1] && p[1] >= p[2];
            cell[i] = {p[0] - p[1], p[1] - p[2], p[2]};
            if (i < 3) ++p[std::size_t(order[i])];
          }
          if (inside) cells.push_back(cell);
        } while (std::next_permutation(order.begin(), order.end()));
      }
  return cells;
}

}  // namespace

mesh::Mesh make_ball(int n, int geometry_order) {
  Builder builder{n, {}, {}, {}};
  builder.mesh.name = "ball";
  builder.mesh.geometry_order = geometry_order;
  for (int octant = 0; octant < 8; ++octant)
    for (const auto& cell : simplex_cells(n)) {
      std::array<Index, 4> v;
      for (std::size_t i = 0; i < 4; ++i) {
        Lattice p = cell[i];
        for (std::size_t d = 0; d < 3; ++d)
          if (octant >> d & 1) p[d] = -p[d];
        v[i] = builder.vertex(p);
      }
      builder.add_cell(v, geometry_order);
    }
  mesh::Mesh mesh = std::move(builder.mesh);
  mesh.volumes = {{"ball", std::vector<Index>(std::size_t(mesh.num_cells()))}};
  mesh.surfaces = {{"sphere", std::vector<Index>(std::size_t(mesh.num_triangles()))}};
  std::iota(mesh.volumes[0].entities.begin(), mesh.volumes[0].entities.end(), 0);
  std::iota(mesh.surfaces[0].entities.begin(), mesh.surfaces[0].entities.end(), 0);
  mesh::sort_vertices(mesh);
  return mesh;
}

}  // namespace curlew::test
