// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of the next mesh's elements from the errors of this one's.
//
// An element of d dimensions that is cut r times along every edge becomes r^d elements, and its share of the
// error r^-q of what it was. The least error with a given number of elements has r ~ share^(1/(q + d)). The
// elements that decide lie at edges, where fields grow as r^(α-1) and q = 2α whatever the order of the
// elements; where fields are smooth and q greater, the same exponent cuts too much at once and later passes
// cut elsewhere. Elements are not made larger.
// Source: Oñate and Bugeda (1993), Engineering Computations 10(4), mesh optimality criteria.

#include <vector>

#include "mesh/size_field.hpp"

namespace curlew::mesh {

/// @param errors [elements] >= 0
/// @param growth > 1: elements of the next mesh over those of this one
/// @returns [elements] lengths of edges [m]
std::vector<double> refined_sizes(const Mesh& mesh, const std::vector<double>& errors, double growth,
                                  MeshUse use = MeshUse::volumes);

}  // namespace curlew::mesh
