// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/pass_shares.hpp"

#include <algorithm>

#include "mesh/rims.hpp"

namespace curlew::programs {

namespace {

/// Cells with an edge or a vertex at a sharp edge of a conductor [num_cells].
std::vector<char> cells_at_sharp_edges(const fem::NedelecSpace& space, const fem::Model& model) {
  const mesh::Mesh& mesh = *space.mesh;
  const auto sharp =
      mesh::rims(mesh, *space.topology, fem::conductor_triangles(model.boundaries, mesh), mesh::sharp_angle);
  std::vector<char> is_vertex(mesh.nodes.size()), is_cell(std::size_t(mesh.num_cells()));
  for (std::size_t e = 0; e < sharp.size(); ++e)
    if (sharp[e])
      for (const Index v : space.topology->edges[e]) is_vertex[std::size_t(v)] = 1;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    is_cell[std::size_t(c)] =
        std::any_of(mesh.cell(c), mesh.cell(c) + 4, [&](Index v) { return is_vertex[std::size_t(v)] != 0; });
  return is_cell;
}

}  // namespace

bool has_reciprocal_media(const fem::Model& model) {
  return std::ranges::all_of(model.materials, [](const fem::RegionMaterial& m) {
    return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
  });
}

void add_shares(const fem::SurplusErrors& found, const fem::NedelecSpace& space, const fem::Model& model,
                Pass& pass) {
  const auto add = [](std::vector<double>& sum, const std::vector<double>& more) {
    sum.resize(more.size());
    for (std::size_t c = 0; c < more.size(); ++c) sum[c] += more[c];
  };
  add(pass.errors, found.cells), add(pass.second, found.second), add(pass.third, found.third);
  if (pass.at_sharp_edge.empty()) pass.at_sharp_edge = cells_at_sharp_edges(space, model);
  pass.orders.resize(found.cells.size());
  for (std::size_t c = 0; c < pass.orders.size(); ++c)
    pass.orders[c] = std::int8_t(space.cell_order(Index(c)));
}

}  // namespace curlew::programs
