// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rims that two ports share. A port's modes are those of its own cross-section, so something must part it
// from its neighbour: where no boundary reaches the common edges they are metal. Left to the natural
// condition they would be a magnetic wall, and the conductors that it parts float, each with a line's mode of
// its own. Palace and HFSS take the rims of ports as metal as well.

#include <vector>

#include "fem/constrained_space.hpp"
#include "fem/model/model.hpp"

namespace curlew::fem {

/// Edges of two waveguide ports and of no boundary.
struct SharedRim {
  std::size_t first, second;  ///< places in model.ports
  std::vector<Index> edges;   ///< ascending
};

/// Lumped ports have none: they drive one uniform field, side by side too, which metal would short.
std::vector<SharedRim> shared_rims(const Model& model, const mesh::Mesh& mesh,
                                   const mesh::Topology& topology);

/// A line in the log for each of them.
void state_shared_rims(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology);

/// The space of a model with ports: without unknowns on perfect conductors and shared rims.
NedelecSpace make_model_space(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology,
                              const CellOrders& cell_orders);

}  // namespace curlew::fem
