// SPDX-License-Identifier: BSD-3-Clause
#include "fem/assembly_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fem/sparsity.hpp"

namespace curlew::fem {
namespace {

/// Spreads the low 21 bits of x to every third bit.
std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

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

/// First place on the curve of a thread's part of a share. Where shares meet does not depend on the threads.
std::size_t first_place(std::size_t num_cells, RowShare share, std::size_t thread, std::size_t threads) {
  const std::size_t parts = threads * std::size_t(share.count),
                    part = threads * std::size_t(share.index) + thread;
  return (num_cells * part + parts - 1) / parts;
}

/// Gives each entity to the part of its first cell on the curve.
void find_owners(const NedelecSpace& space, const std::vector<Index>& curve, RowShare share,
                 AssemblyPlan& plan) {
  plan.owner.assign(std::size_t(num_entities(space)), AssemblyPlan::elsewhere);
  plan.first_cell.assign(plan.owner.size(), -1);
  const std::size_t threads = std::size_t(plan.num_threads()), parts = threads * std::size_t(share.count),
                    first_part = threads * std::size_t(share.index);
  Index entities[11];
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const std::size_t part = i * parts / curve.size();
    const bool is_here = part >= first_part && part < first_part + threads;
    cell_entities(space, curve[i], entities);
    for (int j = 0; j < num_local_entities(space.order); ++j) {
      if (entities[j] < 0 || plan.first_cell[std::size_t(entities[j])] >= 0) continue;
      if (is_here) plan.owner[std::size_t(entities[j])] = std::uint16_t(part - first_part);
      plan.first_cell[std::size_t(entities[j])] = curve[i];
    }
  }
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
  std::sort(keys.begin(), keys.end());
  std::vector<Index> curve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) curve[i] = keys[i].second;
  return curve;
}

AssemblyPlan plan_assembly(const NedelecSpace& space, const std::vector<Index>& curve, int num_threads,
                           RowShare share) {
  const std::size_t num_cells = curve.size();
  AssemblyPlan plan;
  plan.cells.resize(
      std::clamp<std::size_t>(std::size_t(std::max(num_threads, 1)), 1, std::max<std::size_t>(num_cells, 1)));
  const std::size_t parts = plan.cells.size();
  find_owners(space, curve, share, plan);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part) {
    Index entities[11];
    // Entities belong to the part of their first cell: earlier parts hold none of this one's.
    for (std::size_t i = first_place(num_cells, share, part, parts); i < num_cells; ++i) {
      cell_entities(space, curve[i], entities);
      const bool touched =
          std::any_of(entities, entities + num_local_entities(space.order),
                      [&](Index entity) { return entity >= 0 && plan.owner[std::size_t(entity)] == part; });
      if (touched) plan.cells[part].push_back(curve[i]);
    }
  }
  return plan;
}

}  // namespace curlew::fem
