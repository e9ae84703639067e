// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Points that neighbouring cells of a file share. A cell has a lattice of nodes (CellSubdivision), its slots;
// slots at one vertex, or at one place of an edge or a face, of cells of equal order and group are one point.

#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

struct CellSlots {
  std::vector<int> order;        ///< [num_cells] pieces of every edge of the lattice, >= 1
  std::vector<int> group;        ///< [num_cells] >= 0; cells of different groups share no point
  std::vector<Offset> first{0};  ///< [num_cells + 1] slot of every cell's first node

  /// Sets `first` by the orders.
  void count();
};

/// Node of a cell's lattice.
struct CellNode {
  Index cell;
  int node;
  bool operator==(const CellNode&) const = default;
};

struct SharedPoints {
  std::vector<Offset> point;     ///< [slots] the point of each
  std::vector<CellNode> nodes;   ///< those of one point are contiguous, by ascending cell
  std::vector<Offset> first{0};  ///< [points + 1] into nodes

  std::size_t size() const { return first.size() - 1; }
  std::span<const CellNode> nodes_of(std::size_t i) const {
    return std::span(nodes).subspan(std::size_t(first[i]), std::size_t(first[i + 1] - first[i]));
  }
};

SharedPoints share_points(const mesh::Mesh& mesh, const mesh::Topology& topology, const CellSlots& cells);

}  // namespace curlew::fem
