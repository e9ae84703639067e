// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/passes.hpp"

#include <algorithm>
#include <cmath>

#include "base/hertz.hpp"
#include "base/log.hpp"
#include "fem/model/model.hpp"
#include "mesh/edge_layers.hpp"
#include "mesh/refined_sizes.hpp"
#include "mesh/rims.hpp"

namespace curlew::fem {
namespace {

/// Cells with an edge or a vertex at a sharp edge of a conductor [num_cells].
std::vector<char> cells_at_sharp_edges(const NedelecSpace& space, const Model& model) {
  const mesh::Mesh& mesh = *space.mesh;
  const auto sharp =
      mesh::rims(mesh, *space.topology, conductor_triangles(model.boundaries, mesh), mesh::sharp_angle);
  std::vector<char> is_vertex(mesh.nodes.size()), is_cell(std::size_t(mesh.num_cells()));
  for (std::size_t e = 0; e < sharp.size(); ++e)
    if (sharp[e])
      for (const Index v : space.topology->edges[e]) is_vertex[std::size_t(v)] = 1;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    is_cell[std::size_t(c)] =
        std::any_of(mesh.cell(c), mesh.cell(c) + 4, [&](Index v) { return is_vertex[std::size_t(v)] != 0; });
  return is_cell;
}

/// Largest rounding error of S caused by default layers: small compared with any tolerance.
constexpr double most_rounding = 1e-3;

mesh::EdgeLayers with_layers(const job::Refinement& refinement, const io::Config& config,
                             const mesh::Mesh& mesh, const RoundingOn& rounding) {
  const auto topology = mesh::build_topology(mesh);
  const auto conductors = conductor_triangles(read_boundaries(config, mesh), mesh);
  const auto rims = mesh::rims(mesh, topology, conductors);
  for (int layers = refinement.edge_layers;; --layers) {
    auto layered = mesh::add_edge_layers(mesh, topology, rims, layers);
    if (refinement.layers_resolve == 0 || layered.mesh.num_cells() == mesh.num_cells()) return layered;
    const double share = rounding(layered.mesh, refinement.layers_resolve);
    if (share <= most_rounding) return layered;
    log::info("{} layers at rims: with {} rounding errors may change S by {:.1e} at {}",
              layers == 1 ? "no" : "fewer", layers, share, hertz(refinement.layers_resolve));
  }
}

/// A cell whose parts at sharp edges have at most this share of its error is not at one itself: its other
/// parts may rise to order 3, which the parts at rims do not.
constexpr double most_at_edge = 0.3;

/// Transfers data from parts of cells to the cells.
void gather(const std::vector<Index>& parents, std::size_t cells, mesh::Pass& pass) {
  const auto sum = [&](std::vector<double>& of) {
    if (of.empty()) return;
    std::vector<double> sums(cells);
    for (std::size_t c = 0; c < parents.size(); ++c) sums[std::size_t(parents[c])] += of[c];
    of = std::move(sums);
  };
  pass.parts.assign(cells, 0);
  for (const Index parent : parents) ++pass.parts[std::size_t(parent)];
  std::vector<double> sharp(cells);
  std::vector<std::int8_t> orders(cells);
  for (std::size_t c = 0; c < parents.size() && !pass.orders.empty(); ++c) {
    const auto parent = std::size_t(parents[c]);
    orders[parent] = std::max(orders[parent], pass.orders[c]);
    if (pass.at_sharp_edge[c]) sharp[parent] += pass.errors[c];
  }
  sum(pass.errors), sum(pass.second), sum(pass.third), sum(pass.of_shape);
  if (pass.orders.empty()) return;
  pass.orders = std::move(orders);
  pass.at_sharp_edge.assign(cells, 0);
  for (std::size_t c = 0; c < cells; ++c) pass.at_sharp_edge[c] = sharp[c] > most_at_edge * pass.errors[c];
}

}  // namespace

bool has_reciprocal_media(const Model& model) {
  return std::ranges::all_of(model.materials, [](const RegionMaterial& m) {
    return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
  });
}

void add_shares(const SurplusErrors& found, const NedelecSpace& space, const Model& model, mesh::Pass& pass) {
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

Eigen::MatrixXcd add_shape(const SolvedForm& form, const SolvedForm::State& state, const mesh::Mesh& mesh,
                           const ShapeVariant& shape, const Eigen::MatrixXd& weights, mesh::Pass& pass) {
  const Eigen::MatrixXcd changes = form.difference(state, mesh, shape.mesh, &weights) / shape.share;
  const auto parts = form.differences_of_cells(state, mesh, shape.mesh, weights);
  const double whole = weights.cwiseProduct(changes.cwiseAbs()).sum();
  double sum = 0;
  for (const Complex& p : parts) sum += std::abs(p);
  pass.of_shape.resize(parts.size());
  for (std::size_t c = 0; c < parts.size() && sum > 0; ++c) {
    const double share = whole * std::abs(parts[c]) / sum;
    pass.errors[c] += share, pass.of_shape[c] += share;
  }
  return changes;
}

mesh::Mesh refine_with_layers(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const job::SolvePass& solve, run::Run& run, const RoundingOn& rounding) {
  if (refinement.edge_layers == 0) return job::refine(refinement, config, std::move(first), solve, run);
  std::optional<mesh::EdgeLayers> last;
  const auto solve_with_layers = [&](const mesh::Mesh& mesh, const std::vector<job::Row>& before) {
    auto layered = with_layers(refinement, config, mesh, rounding);
    mesh::Pass pass = solve(layered.mesh, before);
    pass.elements = layered.mesh.num_cells();
    gather(layered.parents, std::size_t(mesh.num_cells()), pass);
    last = std::move(layered);
    return pass;
  };
  const mesh::Mesh mesh =
      job::refine(refinement, config, std::move(first), solve_with_layers, run, [&](const mesh::Mesh& of) {
        return mesh::elements_of_order_two(with_layers(refinement, config, of, rounding).mesh,
                                           refinement.use);
      });
  if (!last) last = with_layers(refinement, config, mesh, rounding);  // all passes were done before
  run.size("cells", last->mesh.num_cells());
  run.size("nodes", long(last->mesh.nodes.size()));
  return std::move(last->mesh);
}

}  // namespace curlew::fem
