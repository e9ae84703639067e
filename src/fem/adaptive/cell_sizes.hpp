// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of the next mesh's cells from the errors of this one's.
//
// A cell cut r times along every edge becomes r³ cells, and its share of an error that falls with h^2p per
// volume becomes r^-2p of what it was (both errors of the product r_iᵀ C⁻¹ r_j fall with h^p). The least
// error with a given number of cells has r ~ share^(1/(2p + 3)); where fields are singular the rate is less,
// and later passes cut again. Cells are not made larger, and cut no more than `max_cut` times at once, as
// shares of a coarse mesh do not say more. Source: Oñate and Bugeda (1993), Engineering Computations 10(4),
// mesh optimality criteria.

#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::fem {

/// @param errors [num_cells] >= 0
/// @param growth > 1: cells of the next mesh over those of this one
/// @param order p of the elements
/// @returns [num_cells] lengths of edges [m]
std::vector<double> refined_sizes(const mesh::Mesh& mesh, const std::vector<double>& errors, double growth,
                                  int order);

}  // namespace curlew::fem
