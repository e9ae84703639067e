// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/straighten.hpp"

#include "mesh/surface_facets.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

/// The sum over a curved facet's edges of the vector from the chord's midpoint to the middle node.
Point arcs_of(const Mesh& mesh, const SurfaceFacet& f) {
  Point sum{};
  for (std::size_t e = 0; e < 3; ++e) {
    const auto [a, b] = triangle_edge_vertices[e];
    sum += mesh.nodes[f.middle[e]] -
           0.5 * (mesh.nodes[f.corner[std::size_t(a)]] + mesh.nodes[f.corner[std::size_t(b)]]);
  }
  return sum;
}

/// The least-squares problem of one node: columns of the matrix sum A n n^T, and the right side sum A h n,
/// where h is the missing height of a facet.
struct Balance {
  Point column[3]{}, wanted{};

  void add(double area, Point normal, double height) {
    for (int i = 0; i < 3; ++i) column[i] += (area * normal[i]) * normal;
    wanted += (area * height) * normal;
  }
  Point times(Point d) const { return d.x * column[0] + d.y * column[1] + d.z * column[2]; }

  /// Tikhonov's regularisation, iterated: on a smooth surface the facets around a node hardly determine a
  /// shift along it.
  Point solve() const {
    const double trace = column[0].x + column[1].y + column[2].z;
    if (!(trace > 0)) return {};
    Point c[3];
    for (int i = 0; i < 3; ++i) {
      c[i] = column[i];
      c[i][i] += 0.05 * trace;
    }
    const double determinant = dot(c[0], cross(c[1], c[2]));
    Point d{};
    for (int pass = 0; pass < 3; ++pass) {
      const Point left = wanted - times(d);
      d += (1 / determinant) *
           Point{dot(left, cross(c[1], c[2])), dot(left, cross(c[2], c[0])), dot(left, cross(c[0], c[1]))};
    }
    return d;
  }
};

}  // namespace

Mesh corners_only(const Mesh& curved, const std::vector<Vec3<double>>& nodes) {
  Mesh mesh;
  mesh.name = curved.name, mesh.volumes = curved.volumes, mesh.surfaces = curved.surfaces;
  for (Index c = 0; c < curved.num_cells(); ++c)
    mesh.cells.insert(mesh.cells.end(), curved.cell(c), curved.cell(c) + 4);
  for (Index t = 0; t < curved.num_triangles(); ++t)
    mesh.triangles.insert(mesh.triangles.end(), curved.triangle(t), curved.triangle(t) + 3);
  std::vector<Index> number(nodes.size(), -1);
  for (const auto* list : {&mesh.cells, &mesh.triangles})
    for (const Index n : *list) number[n] = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = Index(mesh.nodes.size());
    mesh.nodes.push_back(nodes[i]);
  }
  for (auto* list : {&mesh.cells, &mesh.triangles})
    for (Index& n : *list) n = number[n];
  return mesh;
}

Mesh straighten(const Mesh& mesh) {
  if (mesh.geometry_order == 1) return mesh;
  std::vector<Balance> balance(mesh.nodes.size());
  for (const SurfaceFacet& f : surface_facets(mesh)) {
    const auto& [a, b, c] = f.corner;
    const Point twice = cross(mesh.nodes[b] - mesh.nodes[a], mesh.nodes[c] - mesh.nodes[a]);
    const Point normal = normalized(twice);
    for (const Index n : f.corner)
      balance[n].add(0.5 * norm(twice), normal, dot(normal, arcs_of(mesh, f)) / 3);
  }
  std::vector<Point> nodes = mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] += balance[i].solve();
  return corners_only(mesh, nodes);
}

}  // namespace curlew::mesh
