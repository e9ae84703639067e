// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/inverted_cells.hpp"

#include <set>

#include "mesh/check.hpp"

namespace curlew::mesh {
namespace {

/// That of the cell with straight edges. A curved cell of the other sign is inside out as a whole.
double straight_determinant(const Mesh& mesh, Index c) {
  const auto corner = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
  return dot(cross(corner(1) - corner(0), corner(2) - corner(0)), corner(3) - corner(0));
}

}  // namespace

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
