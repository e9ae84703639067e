// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/coarse_order.hpp"

#include <algorithm>
#include <cmath>

#include "base/log.hpp"
#include "base/wavenumber.hpp"
#include "mesh/quality.hpp"

namespace curlew::fem {
namespace {

// Measured: docs/measured/solvers.md, "Long structures".
constexpr double most_phase = 1;

double relative_error(double kh, int order) {
  return order == 1 ? std::pow(kh, 2) / 150 : std::pow(kh, 4) / 23000;
}

/// Diagonal of the bounding box of the mesh.
double diagonal(const mesh::Mesh& mesh) {
  auto low = mesh.nodes.front(), high = low;
  for (const auto& x : mesh.nodes)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], x[i]), high[i] = std::max(high[i], x[i]);
  return norm(high - low);
}

}  // namespace

double phase_error(const mesh::Mesh& mesh, const Model& model, double frequency, int order) {
  const auto materials = materials_at(model, mesh, frequency);
  double sum = 0, volume = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index* n = mesh.cell(c);
    double edges = 0;
    for (const auto& [a, b] : mesh::cell_edge_vertices) edges += norm(mesh.nodes[n[a]] - mesh.nodes[n[b]]);
    const auto& o = mesh.nodes[n[0]];
    const double six = std::abs(dot(cross(mesh.nodes[n[1]] - o, mesh.nodes[n[2]] - o), mesh.nodes[n[3]] - o));
    const double k = wavenumber(frequency) * refractive_index(materials.of(c));
    sum += six * k * relative_error(k * edges / 6, order), volume += six;
  }
  return volume > 0 ? diagonal(mesh) * sum / volume : 0;
}

void choose_coarse_order(const mesh::Mesh& mesh, const Model& model, double frequency,
                         linalg::SystemOptions& options) {
  if (!options.iterative || options.iterative->coarse_order != 0) return;
  if (model.order < 2 || !model.cell_orders.empty()) return;
  const double wrong = phase_error(mesh, model, frequency, model.order - 1);
  if (wrong <= most_phase) return;
  options.iterative->coarse_order = model.order;
  log::info(
      "waves by elements of order {} have a phase error of {:.2g} rad over the mesh: the coarse level "
      "contains order {}, too",
      model.order - 1, wrong, model.order);
}

}  // namespace curlew::fem
