// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/straighten.hpp"

#include <algorithm>
#include <set>

#include "mesh/check.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

/// A curved triangle: nodes of its corners, and the sum over its edges from their chord's to their own
/// middle.
struct Facet {
  std::array<Index, 3> corner;
  Point arcs{};
};

Point arc(const Mesh& mesh, Index a, Index b, Index middle) {
  return mesh.nodes[middle] - 0.5 * (mesh.nodes[a] + mesh.nodes[b]);
}

Facet named_facet(const Mesh& mesh, Index t) {
  const Index* n = mesh.triangle(t);
  Facet facet{{n[0], n[1], n[2]}};
  for (int e = 0; e < 3; ++e)
    facet.arcs += arc(mesh, n[triangle_edge_vertices[e][0]], n[triangle_edge_vertices[e][1]], n[3 + e]);
  return facet;
}

Facet cell_facet(const Mesh& mesh, Index cell, int face) {
  const Index* n = mesh.cell(cell);
  const auto& v = cell_face_vertices[face];
  Facet facet{{n[v[0]], n[v[1]], n[v[2]]}};
  for (int e = 0; e < 6; ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    if (a != face && b != face) facet.arcs += arc(mesh, n[a], n[b], n[4 + e]);  // face f is opposite vertex f
  }
  return facet;
}

/// Named triangles, faces between cells of different regions and outer faces; each once.
std::vector<Facet> surface_facets(const Mesh& mesh) {
  std::vector<Facet> facets;
  facets.reserve(std::size_t(mesh.num_triangles()));
  for (Index t = 0; t < mesh.num_triangles(); ++t) facets.push_back(named_facet(mesh, t));
  if (mesh.cells.empty()) return facets;
  const Topology topology = build_topology(mesh);
  std::vector<char> done(std::size_t(topology.num_faces()), 0);
  for (const Index f : topology.triangle_face) done[f] = 1;
  std::vector<std::size_t> region(std::size_t(mesh.num_cells()), mesh.volumes.size());
  for (std::size_t r = 0; r < mesh.volumes.size(); ++r)
    for (const Index c : mesh.volumes[r].entities) region[c] = r;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    for (int i = 0; i < 4; ++i) {
      const Index f = topology.cell_faces[c][i];
      const auto [one, other] = topology.face_cells[f];
      if (done[f] || (other >= 0 && region[one] == region[other])) continue;
      done[f] = 1;
      facets.push_back(cell_facet(mesh, c, i));
    }
  }
  return facets;
}

/// The least-squares problem of one node: columns of the matrix sum A n n^T, and the right side sum A h n,
/// where h is the height that a facet lacks.
struct Balance {
  Point column[3]{}, wanted{};

  void add(double area, Point normal, double height) {
    for (int i = 0; i < 3; ++i) column[i] += (area * normal[i]) * normal;
    wanted += (area * height) * normal;
  }
  Point times(Point d) const { return d.x * column[0] + d.y * column[1] + d.z * column[2]; }

  /// Tikhonov's regularisation, iterated: on a smooth surface the facets around a node say little of a shift
  /// along it.
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

/// Leaves the corners of cells and triangles, and of the nodes what they use.
Mesh corners_only(const Mesh& curved, const std::vector<Point>& nodes) {
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

/// That of the cell with straight edges. A curved cell of the other sign is inside out as a whole.
double straight_determinant(const Mesh& mesh, Index c) {
  const auto corner = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
  return dot(cross(corner(1) - corner(0), corner(2) - corner(0)), corner(3) - corner(0));
}

}  // namespace

Mesh straighten(const Mesh& mesh) {
  if (mesh.geometry_order == 1) return mesh;
  std::vector<Balance> balance(mesh.nodes.size());
  for (const Facet& f : surface_facets(mesh)) {
    const auto& [a, b, c] = f.corner;
    const Point twice = cross(mesh.nodes[b] - mesh.nodes[a], mesh.nodes[c] - mesh.nodes[a]);
    const Point normal = normalized(twice);
    for (const Index n : f.corner) balance[n].add(0.5 * norm(twice), normal, dot(normal, f.arcs) / 3);
  }
  std::vector<Point> nodes = mesh.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] += balance[i].solve();
  return corners_only(mesh, nodes);
}

std::vector<Index> inverted_cells(const Mesh& mesh) {
  std::vector<char> is_bad(std::size_t(mesh.num_cells()));
#pragma omp parallel for
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto [least, greatest] = jacobian_range(mesh, c);
    is_bad[std::size_t(c)] = least / greatest < 0.05 || greatest * straight_determinant(mesh, c) < 0;
  }
  std::vector<Index> bad;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (is_bad[std::size_t(c)]) bad.push_back(c);
  return bad;
}

Index straighten_inverted_cells(Mesh& mesh) {
  if (mesh.geometry_order == 1) return 0;
  std::set<Index> straight;
  for (std::vector<Index> bad = inverted_cells(mesh); !bad.empty(); bad = inverted_cells(mesh)) {
    const auto known = straight.size();
    straight.insert(bad.begin(), bad.end());
    if (straight.size() == known) break;  // flat as they are: check_mesh says so
    for (const Index c : bad) {
      const Index* n = mesh.cell(c);
      for (int e = 0; e < 6; ++e)
        mesh.nodes[std::size_t(n[4 + e])] = 0.5 * (mesh.nodes[std::size_t(n[cell_edge_vertices[e][0]])] +
                                                   mesh.nodes[std::size_t(n[cell_edge_vertices[e][1]])]);
    }
  }
  return Index(straight.size());
}

}  // namespace curlew::mesh
