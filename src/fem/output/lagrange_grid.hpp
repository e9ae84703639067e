// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh as Lagrange cells for ParaView, each with separate points.
//
// VTK looks for a point in the linear pieces between a cell's nodes, and vtkProbeFilter rejects a cell that
// maps the position found there to a point further than 1e-3 of the cell's size away. Curved cells have a
// higher order, so that the pieces are that close to them.

#include <array>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "io/vtkhdf.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

class LagrangeGrid {
 public:
  /// @param order 1 to 3 of straight cells
  LagrangeGrid(const mesh::Mesh& mesh, int order);

  const io::VtkGrid& grid() const { return grid_; }
  static constexpr int highest_order = 10;  ///< 286 points: for strongly curved edges
  int order(Index cell) const { return order_[std::size_t(cell)]; }
  Offset first_point(Index cell) const { return first_point_[std::size_t(cell)]; }
  /// Nodes of cells of an order in the unit tetrahedron, in the order of the points from first_point on;
  /// empty if no cell has that order.
  const std::vector<Vec3<double>>& positions(int order) const { return kinds_[std::size_t(order)].positions; }

 private:
  struct Kind {
    std::vector<Vec3<double>> positions;
    std::array<std::vector<int>, 2> nodes;  // in VTK's order, of right-handed and of mirrored cells
  };
  const Kind& kind(int order);
  void set_cell(const mesh::Mesh& mesh, Index cell);

  std::vector<Kind> kinds_;  // by order
  std::vector<signed char> order_;
  std::vector<Offset> first_point_;
  io::VtkGrid grid_;
};

}  // namespace curlew::fem
