// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/surface_facets.hpp"

#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

SurfaceFacet named_facet(const Mesh& mesh, Index t) {
  const Index* n = mesh.triangle(t);
  SurfaceFacet facet{{n[0], n[1], n[2]}};
  if (mesh.geometry_order == 2) facet.middle = {n[3], n[4], n[5]};
  return facet;
}

SurfaceFacet cell_facet(const Mesh& mesh, Index cell, int face) {
  const Index* n = mesh.cell(cell);
  const auto& v = cell_face_vertices[std::size_t(face)];
  SurfaceFacet facet{{n[v[0]], n[v[1]], n[v[2]]}};
  if (mesh.geometry_order == 1) return facet;
  std::size_t count = 0;  // edges of a cell without face's vertex come in the order of triangle_edge_vertices
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    if (a != face && b != face) facet.middle[count++] = n[4 + e];  // face f is opposite vertex f
  }
  return facet;
}

}  // namespace

std::vector<SurfaceFacet> surface_facets(const Mesh& mesh) {
  std::vector<SurfaceFacet> facets;
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

}  // namespace curlew::mesh
