// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/inverted_cells.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "mesh/check.hpp"
#include "mesh/straighten.hpp"

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

Mesh straight_where_folded(Mesh mesh) {
  if (mesh.geometry_order == 1) return mesh;
  try {
    check_mesh(mesh, mesh.cells.empty() ? MeshUse::surfaces : MeshUse::volumes);
  } catch (const InputError& e) {
    log::info("{}: straight cells, as curved ones fold over: {}", mesh.name, e.what());
    return corners_only(mesh, mesh.nodes);
  }
  return mesh;
}

}  // namespace curlew::mesh
