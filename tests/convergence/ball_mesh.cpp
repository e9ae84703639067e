// SPDX-License-Identifier: BSD-3-Clause
#include "ball_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "mesh/ordering.hpp"

namespace curlew::test {
namespace {

using Lattice = std::array<int, 3>;

int shell_of(const Lattice& p) {
  return std::abs(p[0]) + std::abs(p[1]) + std::abs(p[2]);
}

struct Builder {
  const Shells& shells;
  mesh::Mesh mesh;
  std::map<Lattice, Index> vertex_at;
  std::vector<int> vertex_shell;
  std::map<std::pair<Index, Index>, Index> middle_of;  // by the edge's vertices, ascending
  std::vector<int> triangle_shell, cell_shell;         // cell: the outer of its two shells

  double radius(int shell) const { return shells.radius[std::size_t(shell - shells.first)]; }

  Index vertex(const Lattice& p) {
    const auto [at, added] = vertex_at.try_emplace(p, Index(mesh.nodes.size()));
    if (!added) return at->second;
    const Vec3<double> x{double(p[0]), double(p[1]), double(p[2])};
    const double length = norm(x);
    mesh.nodes.push_back(length > 0 ? (radius(shell_of(p)) / length) * x : x);
    vertex_shell.push_back(shell_of(p));
    return at->second;
  }

  /// An edge between two vertices of a shell lies on its sphere, the others are straight.
  Index middle(Index a, Index b) {
    const auto [at, added] = middle_of.try_emplace(std::minmax(a, b), Index(mesh.nodes.size()));
    if (!added) return at->second;
    const Vec3<double> x = 0.5 * (mesh.nodes[std::size_t(a)] + mesh.nodes[std::size_t(b)]);
    const int shell = vertex_shell[std::size_t(a)];
    const bool curved = shell == vertex_shell[std::size_t(b)] && is_kept(shell);
    mesh.nodes.push_back(curved ? radius(shell) * normalized(x) : x);
    vertex_shell.push_back(shell);
    return at->second;
  }
  bool is_kept(int shell) const {
    return std::any_of(shells.surfaces.begin(), shells.surfaces.end(),
                       [&](const auto& s) { return s.second == shell; });
  }

  void add_triangle(const std::array<Index, 3>& t) {
    mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    if (shells.geometry_order == 2)
      for (const auto [i, j] : mesh::triangle_edge_vertices)
        mesh.triangles.push_back(middle(t[std::size_t(i)], t[std::size_t(j)]));
    triangle_shell.push_back(vertex_shell[std::size_t(t[0])]);
  }

  void add_cell(const std::array<Index, 4>& v) {
    mesh.cells.insert(mesh.cells.end(), v.begin(), v.end());
    if (shells.geometry_order == 2)
      for (const auto [i, j] : mesh::cell_edge_vertices)
        mesh.cells.push_back(middle(v[std::size_t(i)], v[std::size_t(j)]));
    int outer = 0;
    for (const Index i : v) outer = std::max(outer, vertex_shell[std::size_t(i)]);
    cell_shell.push_back(outer);
    for (const auto& f : mesh::cell_face_vertices) {
      const std::array<Index, 3> t{v[std::size_t(f[0])], v[std::size_t(f[1])], v[std::size_t(f[2])]};
      const int shell = vertex_shell[std::size_t(t[0])];
      const bool flat =
          std::all_of(t.begin(), t.end(), [&](Index i) { return vertex_shell[std::size_t(i)] == shell; });
      // Seen from inside, but for the innermost shell, which has cells outside only.
      if (flat && is_kept(shell) && (shell < outer ? shell == shells.first : true)) add_triangle(t);
    }
  }

  void name_regions() {
    for (const auto& [name, shell] : shells.surfaces) {
      mesh.surfaces.push_back({name, {}});
      for (std::size_t t = 0; t < triangle_shell.size(); ++t)
        if (triangle_shell[t] == shell) mesh.surfaces.back().entities.push_back(Index(t));
    }
    int from = shells.first;
    for (const auto& [name, shell] : shells.volumes) {
      mesh.volumes.push_back({name, {}});
      for (std::size_t c = 0; c < cell_shell.size(); ++c)
        if (cell_shell[c] > from && cell_shell[c] <= shell) mesh.volumes.back().entities.push_back(Index(c));
      from = shell;
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

mesh::Mesh make_shells(const Shells& shells) {
  const int last = shells.first + int(shells.radius.size()) - 1;
  Builder builder{shells, {}, {}, {}, {}, {}, {}};
  builder.mesh.name = "ball";
  builder.mesh.geometry_order = shells.geometry_order;
  for (int octant = 0; octant < 8; ++octant)
    for (const auto& cell : simplex_cells(last)) {
      if (std::any_of(cell.begin(), cell.end(), [&](const Lattice& p) { return shell_of(p) < shells.first; }))
        continue;
      std::array<Index, 4> v;
      for (std::size_t i = 0; i < 4; ++i) {
        Lattice p = cell[i];
        for (std::size_t d = 0; d < 3; ++d)
          if (octant >> d & 1) p[d] = -p[d];
        v[i] = builder.vertex(p);
      }
      builder.add_cell(v);
    }
  builder.name_regions();
  mesh::sort_vertices(builder.mesh);
  return std::move(builder.mesh);
}

mesh::Mesh make_ball(int n, int geometry_order) {
  Shells shells{0, {}, {{"sphere", n}}, {{"ball", n}}, geometry_order};
  for (int m = 0; m <= n; ++m) shells.radius.push_back(double(m) / n);
  return make_shells(shells);
}

double volume_between_corners(const mesh::Mesh& mesh) {
  double volume = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto v = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
    volume += std::abs(dot(v(3) - v(0), cross(v(1) - v(0), v(2) - v(0)))) / 6;
  }
  return volume;
}

}  // namespace curlew::test
