// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "fem/error/shape_variant.hpp"
#include "results/mesh_resolution.hpp"
#include "run/mesh_input.hpp"

namespace curlew::fem {

void check_resolution(const mesh::Mesh& mesh, const Model& model, double frequency, run::Run& run) {
  const auto materials = materials_at(model, mesh, frequency);
  std::vector<double> indices;
  for (const auto& material : materials.materials) indices.push_back(refractive_index(material));
  double worst = 0, edge = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const double index =
        indices[materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[c])];
    const Index* n = mesh.cell(c);
    for (const auto& [a, b] : mesh::cell_edge_vertices) {
      const double length = norm(mesh.nodes[n[a]] - mesh.nodes[n[b]]), share = length * index;
      if (share > worst) worst = share, edge = length;
    }
  }
  worst *= frequency / speed_of_light;
  results::state_resolution({frequency, edge, worst}, run);
  if (worst > 0.5 * model.order)
    run.warn(fmt::format(
        "{}: the longest edge, {:.3g} m, is {:.2g} wavelengths of its material, while {} "
        "suffice for elements of order {}: take smaller cells ({}) or a higher space.order",
        hertz(frequency), edge, worst, 0.5 * model.order, model.order, run::source_of_sizes(run)));
}

void check_facets(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model, run::Run& run) {
  constexpr double worth_a_word = 3e-3;
  if (model.order < 2) return;
  const auto variant = shape_variant(mesh, topology, model);
  if (!variant) return;
  double gaps = 0, extent = 0;
  std::size_t count = 0, first = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const double moved = norm(variant->mesh.nodes[i] - mesh.nodes[i]);
    if (moved == 0) continue;
    if (count++ == 0) first = i;
    gaps += moved / variant->share;
    extent = std::max(extent, norm(mesh.nodes[i] - mesh.nodes[first]));
  }
  const double share = gaps / double(count) / (0.5 * extent);
  if (share < worth_a_word) return;
  run.warn(fmt::format(
      "straight cells: the distance of their facets from the curved surfaces is {:.2g} of half the extent of "
      "these surfaces, and results have an error of about that size at any order: {}smaller cells ({})",
      share, mesh.geometry_order == 1 ? "[mesh] order = 2, or " : "", run::source_of_sizes(run)));
}

}  // namespace curlew::fem
