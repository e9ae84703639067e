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

#include <cstdint>
#include <vector>

#include "mesh/size_field.hpp"

namespace curlew::mesh {

/// Cells in which the field is smooth may get elements of order 3 instead: their share then all but vanishes.
/// Where that alone leaves less than is wanted, the mesh stays and all of them rise. Else
/// cells above a threshold of the share rise or are cut. Unknowns of a cell grow 2.9 times from order 2 to 3
/// (a mesh of many tetrahedra has 1.2 edges and 2 faces for each), those of a cell that is cut r^3 times;
/// near the threshold a cell that is cut wins 0.4 of its share for as many unknowns as it has, one of a
/// higher order 0.5.
struct SizesAndOrders {
  std::vector<double> sizes;        ///< [cells] lengths of edges [m]
  std::vector<std::int8_t> orders;  ///< [cells]
};

/// Smooth is where the part of level 3 is less than this of that of level 2. At edges, where the error of
/// order p falls as 1/p², it is 0.19.
inline constexpr double smooth_decay = 0.08;

/// @param errors [cells] >= 0 @param orders [cells] 1 to 3
/// @param is_smooth [cells] of order 2: may become 3
/// @param growth > 1: unknowns of the next mesh over those of this one, about
/// @param wanted share of the errors that may be left
SizesAndOrders refined_sizes_and_orders(const Mesh& mesh, const std::vector<double>& errors,
                                        const std::vector<std::int8_t>& orders,
                                        const std::vector<char>& is_smooth, double growth, double wanted);

/// True if the sizes are those of the mesh: none of its cells is cut.
bool keeps_mesh(const SizeField& field);

/// @param errors [elements] >= 0
/// @param growth > 1: elements of the next mesh over those of this one
/// @returns [elements] lengths of edges [m]
std::vector<double> refined_sizes(const Mesh& mesh, const std::vector<double>& errors, double growth,
                                  MeshUse use = MeshUse::volumes);

}  // namespace curlew::mesh
