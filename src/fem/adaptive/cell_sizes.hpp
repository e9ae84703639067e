// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of the next mesh's cells from the errors of this one's.
//
// A cell cut r times along every edge becomes r³ cells, and its share of the error r^-q of what it was. The
// least error with a given number of cells has r ~ share^(1/(q + 3)). The cells that decide lie at edges,
// where fields grow as r^(α-1) and q = 2α whatever the order of the elements; where fields are smooth, q =
// 2p, the same exponent cuts too much at once and later passes cut elsewhere. Cells are not made larger.
// Source: Oñate and Bugeda (1993), Engineering Computations 10(4), mesh optimality criteria.

#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::fem {

/// @param errors [num_cells] >= 0
/// @param growth > 1: cells of the next mesh over those of this one
/// @returns [num_cells] lengths of edges [m]
std::vector<double> refined_sizes(const mesh::Mesh& mesh, const std::vector<double>& errors, double growth);

}  // namespace curlew::fem
