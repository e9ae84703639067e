// SPDX-License-Identifier: BSD-3-Clause
#include "fem/assembly_plan.hpp"

#include <algorithm>
#include <limits>
#include <parallel/algorithm>

#include "base/morton.hpp"
#include "fem/cell_dissection.hpp"
#include "fem/sparsity.hpp"

namespace curlew::fem {
namespace {

struct Bounds {
  Vec3<double> low, high;
};
Bounds bounds_of(const mesh::Mesh& mesh) {
  constexpr double huge = std::numeric_limits<double>::max();
  Bounds bounds{{huge, huge, huge}, {-huge, -huge, -huge}};
  for (const auto& x : mesh.nodes)
    for (int i = 0; i < 3; ++i) {
      bounds.low[i] = std::min(bounds.low[i], x[i]);
      bounds.high[i] = std::max(bounds.high[i], x[i]);
    }
  return bounds;
}

/// The cells of one share along the curve, distributed to threads in equal parts.
std::vector<std::uint16_t> threads_of_cells(const CellOrder& order, Index share, std::size_t threads) {
  const auto is_here = [&](Index cell) {
    return order.share.empty() || order.share[std::size_t(cell)] == share;
  };
  const auto count = std::size_t(std::ranges::count_if(order.curve, is_here));
  std::vector<std::uint16_t> thread(order.curve.size(), AssemblyPlan::elsewhere);
  std::size_t place = 0;
  for (const Index cell : order.curve)
    if (is_here(cell)) thread[std::size_t(cell)] = std::uint16_t(place++ * threads / count);
  return thread;
}

/// Gives each entity to the lowest share among its cells, and there to the thread of the first of these.
void find_owners(const NedelecSpace& space, const CellOrder& order, RowShare share, AssemblyPlan& plan) {
  const auto entities = std::size_t(num_entities(space));
  const auto thread = threads_of_cells(order, share.index, std::size_t(plan.num_threads()));
  plan.owner.assign(entities, AssemblyPlan::elsewhere);
  plan.first_cell.assign(entities, -1);
  std::vector<char> is_lower(order.share.empty() ? 0 : entities, 0);  // of a share before this one
  Index local[11];
  for (const Index cell : order.curve) {
    cell_entities(space, cell, local);
    for (int j = 0; j < num_local_entities(space.order); ++j) {
      if (local[j] < 0) continue;
      const auto e = std::size_t(local[j]);
      if (plan.first_cell[e] < 0) plan.first_cell[e] = cell;
      if (plan.owner[e] == AssemblyPlan::elsewhere) plan.owner[e] = thread[std::size_t(cell)];
      if (!is_lower.empty() && order.share[std::size_t(cell)] < share.index) is_lower[e] = 1;
    }
  }
  for (std::size_t e = 0; e < is_lower.size(); ++e)
    if (is_lower[e] != 0) plan.owner[e] = AssemblyPlan::elsewhere;
}

}  // namespace

std::vector<Index> cells_along_curve(const mesh::Mesh& mesh) {
  const Bounds bounds = bounds_of(mesh);
  const Vec3<double> extent = bounds.high - bounds.low;
  const double scale = double(1 << 21) / std::max({extent.x, extent.y, extent.z, 1e-300}) * (1 - 1e-12);
  std::vector<std::pair<std::uint64_t, Index>> keys(std::size_t(mesh.num_cells()));
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    Vec3<double> centre;
    for (int i = 0; i < 4; ++i) centre += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])];
    const Vec3<double> x = scale * (centre - bounds.low);
    keys[std::size_t(c)] = {spread_bits(std::uint64_t(x.x)) | spread_bits(std::uint64_t(x.y)) << 1 |
                                spread_bits(std::uint64_t(x.z)) << 2,
                            c};
  }
  __gnu_parallel::sort(keys.begin(), keys.end());
  std::vector<Index> curve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) curve[i] = keys[i].second;
  return curve;
}

CellOrder order_cells(const NedelecSpace& space, int shares) {
  CellOrder order{cells_along_curve(*space.mesh), {}};
  if (shares > 1) order.share = halves_of_cells(*space.topology, shares);
  return order;
}

AssemblyPlan plan_assembly(const NedelecSpace& space, const CellOrder& order, int num_threads,
                           RowShare share) {
  AssemblyPlan plan;
  plan.cells.resize(std::clamp<std::size_t>(std::size_t(std::max(num_threads, 1)), 1,
                                            std::max<std::size_t>(order.curve.size(), 1)));
  find_owners(space, order, share, plan);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < plan.cells.size(); ++part) {
    Index entities[11];
    for (const Index cell : order.curve) {
      cell_entities(space, cell, entities);
      const bool touched =
          std::any_of(entities, entities + num_local_entities(space.order),
                      [&](Index entity) { return entity >= 0 && plan.owner[std::size_t(entity)] == part; });
      if (touched) plan.cells[part].push_back(cell);
    }
  }
  return plan;
}

}  // namespace curlew::fem
