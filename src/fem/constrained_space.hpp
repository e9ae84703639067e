// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The Nedelec space with metal edges in addition to metal faces: the rim of a port may be metal without an
// adjacent metal face.

#include <vector>

#include "fem/space.hpp"

namespace curlew::fem {

/// Where n x E = 0.
struct ConstrainedParts {
  std::vector<Index> triangles;  ///< of the mesh, with their edges; repetitions are fine
  std::vector<Index> edges;      ///< of the topology, alone
};

/// As make_space (space.hpp).
NedelecSpace make_constrained_space(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                                    const ConstrainedParts& constrained, const CellOrders& cell_orders = {});

}  // namespace curlew::fem
