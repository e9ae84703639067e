// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh as Lagrange cells for ParaView, with separate points or shared ones.
//
// VTK looks for a point in the linear pieces between a cell's nodes, and vtkProbeFilter rejects a cell that
// maps the position found there to a point further than 1e-3 of the cell's size away. Curved cells have a
// higher order, so that the pieces are that close to them.

#include <array>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/output/shared_points.hpp"
#include "io/vtkhdf.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

class LagrangeGrid {
 public:
  /// Every cell has separate points, its slots. @param order 1 to 3 of straight cells
  LagrangeGrid(const mesh::Mesh& mesh, int order);
  /// Cells of one group share points. @param groups [num_cells] >= 0
  LagrangeGrid(const mesh::Mesh& mesh, const mesh::Topology& topology, int order, std::vector<int> groups);

  const io::VtkGrid& grid() const { return grid_; }
  const CellSlots& slots() const { return slots_; }
  const SharedPoints& shared() const { return shared_; }  ///< empty: separate points
  static constexpr int highest_order = 10;                ///< 286 points: for strongly curved edges
  int order(Index cell) const { return slots_.order[std::size_t(cell)]; }
  Offset first_slot(Index cell) const { return slots_.first[std::size_t(cell)]; }
  /// Nodes of cells of an order in the unit tetrahedron, in the order of the slots from first_slot on; empty
  /// if no cell has that order.
  const std::vector<Vec3<double>>& positions(int order) const { return kinds_[std::size_t(order)].positions; }

 private:
  struct Kind {
    std::vector<Vec3<double>> positions;
    std::array<std::vector<int>, 2> nodes;  // in VTK's order, of right-handed and of mirrored cells
  };
  void set_orders(const mesh::Mesh& mesh, int order);
  void set_cells(const mesh::Mesh& mesh);
  void set_cell(const mesh::Mesh& mesh, Index cell);

  std::vector<Kind> kinds_;  // by order
  CellSlots slots_;
  SharedPoints shared_;
  io::VtkGrid grid_;
};

}  // namespace curlew::fem
