// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rims that two ports share. A port's modes are those of its own cross-section, so it must be separated from
// its neighbour: common edges that belong to no boundary are metal. With the natural condition they would be
// a magnetic wall, and the conductors would float, each with an additional line mode. Palace and HFSS take
// the rims of ports as metal as well.

#include <vector>

#include "fem/constrained_space.hpp"
#include "fem/model/model.hpp"

namespace curlew::fem {

/// Edges of two waveguide ports and of no boundary.
struct SharedRim {
  std::size_t first, second;  ///< indices in model.ports
  std::vector<Index> edges;   ///< ascending
};

/// Lumped ports have none: adjacent ones drive one uniform field, which metal would short.
std::vector<SharedRim> shared_rims(const Model& model, const mesh::Mesh& mesh,
                                   const mesh::Topology& topology);

/// Logs a line for each of them.
void state_shared_rims(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology);

/// The space of a model with ports: without unknowns on perfect conductors and shared rims.
NedelecSpace make_model_space(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology,
                              const CellOrders& cell_orders);

}  // namespace curlew::fem
