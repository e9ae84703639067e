// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_pattern.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/atomic_bound.hpp"
#include "base/huge_pages.hpp"
#include "base/threads.hpp"

namespace curlew::fem {
namespace {

/// Cells around each node, in any order: cells[begin[i] .. begin[i + 1]).
struct NodeCells {
  std::vector<Offset> begin;
  std::vector<Index> cells;
};

NodeCells cells_of_nodes(const LagrangeSpace& space) {
  const int dim = lagrange_dim(space.order);
  const Index num_cells = space.mesh->num_cells();
  NodeCells result;
  result.begin.assign(std::size_t(space.num_nodes) + 1, 0);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < num_cells; ++c) {
    Index nodes[max_lagrange_dim];
    space.cell_nodes(c, nodes);
    for (int a = 0; a < dim; ++a) {
#pragma omp atomic
      ++result.begin[std::size_t(nodes[a]) + 1];
    }
  }
  for (std::size_t i = 1; i < result.begin.size(); ++i) result.begin[i] += result.begin[i - 1];
  resize_huge(result.cells, std::size_t(result.begin.back()));
  std::vector<Offset> next(result.begin.begin(), result.begin.end() - 1);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < num_cells; ++c) {
    Index nodes[max_lagrange_dim];
    space.cell_nodes(c, nodes);
    for (int a = 0; a < dim; ++a) {
      Offset place = 0;
#pragma omp atomic capture
      place = next[std::size_t(nodes[a])]++;
      result.cells[std::size_t(place)] = c;
    }
  }
  return result;
}

/// Appends the columns of one row, ascending, each once. @param last [num_nodes] last row of each column so
/// far
void append_row(const LagrangeSpace& space, const NodeCells& around, Index row, std::vector<Index>& last,
                std::vector<Index>& columns) {
  const int dim = lagrange_dim(space.order);
  const auto start = Offset(columns.size());
  Index nodes[max_lagrange_dim];
  for (Offset k = around.begin[std::size_t(row)]; k < around.begin[std::size_t(row) + 1]; ++k) {
    space.cell_nodes(around.cells[std::size_t(k)], nodes);
    for (int a = 0; a < dim; ++a)
      if (std::exchange(last[std::size_t(nodes[a])], row) != row) columns.push_back(nodes[a]);
  }
  std::sort(columns.begin() + start, columns.end());
}

}  // namespace

ScalarPattern build_scalar_pattern(const LagrangeSpace& space) {
  const NodeCells around = cells_of_nodes(space);
  constexpr Index chunk_rows = 4096;
  const Index num_chunks = (space.num_nodes + chunk_rows - 1) / chunk_rows;
  std::vector<std::vector<Index>> chunks{std::size_t(num_chunks)};
  ScalarPattern pattern;
  pattern.row_offsets.assign(std::size_t(space.num_nodes) + 1, 0);
#pragma omp parallel num_threads(num_threads())
  {
    std::vector<Index> last(std::size_t(space.num_nodes), -1);
#pragma omp for schedule(dynamic)
    for (Index chunk = 0; chunk < num_chunks; ++chunk) {
      auto& columns = chunks[std::size_t(chunk)];
      const Index end = std::min(space.num_nodes, (chunk + 1) * chunk_rows);
      for (Index row = chunk * chunk_rows; row < end; ++row) {
        const std::size_t before = columns.size();
        append_row(space, around, row, last, columns);
        pattern.row_offsets[std::size_t(row) + 1] = Offset(columns.size() - before);
      }
      columns.shrink_to_fit();
    }
  }
  for (std::size_t i = 1; i < pattern.row_offsets.size(); ++i)
    pattern.row_offsets[i] += pattern.row_offsets[i - 1];
  require_memory(std::size_t(pattern.nnz()) * sizeof(Index), "the pattern of the sparse matrix");
  resize_huge(pattern.columns, std::size_t(pattern.nnz()));
#pragma omp parallel for schedule(dynamic) num_threads(num_threads())
  for (Index chunk = 0; chunk < num_chunks; ++chunk) {
    auto& columns = chunks[std::size_t(chunk)];
    std::ranges::copy(columns,
                      pattern.columns.begin() + pattern.row_offsets[std::size_t(chunk) * chunk_rows]);
    std::vector<Index>().swap(columns);
  }
  return pattern;
}

RowPlan plan_rows(const LagrangeSpace& space, const std::vector<Index>& curve, int num_threads) {
  constexpr auto unowned = std::numeric_limits<std::uint16_t>::max();
  const std::size_t num_cells = curve.size();
  const int dim = lagrange_dim(space.order);
  RowPlan plan;
  plan.cells.resize(std::clamp<std::size_t>(std::size_t(std::max(num_threads, 1)), 1, num_cells));
  const std::size_t parts = plan.cells.size();
  plan.owner.assign(std::size_t(space.num_nodes), unowned);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < num_cells; ++i) {
    Index nodes[max_lagrange_dim];
    space.cell_nodes(curve[i], nodes);
    for (int a = 0; a < dim; ++a)
      lower_to(plan.owner[std::size_t(nodes[a])], std::uint16_t(i * parts / num_cells));
  }
#pragma omp parallel for schedule(static, 1)
  for (std::size_t part = 0; part < parts; ++part) {
    Index local[max_lagrange_dim];
    // A row belongs to the part of its first cell: cells before this part hold none of its rows.
    for (std::size_t i = (num_cells * part + parts - 1) / parts; i < num_cells; ++i) {
      space.cell_nodes(curve[i], local);
      if (std::any_of(local, local + dim, [&](Index n) { return plan.owner[std::size_t(n)] == part; }))
        plan.cells[part].push_back(curve[i]);
    }
  }
  return plan;
}

}  // namespace curlew::fem
