// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Element sizes of the next mesh from the errors of this one.
//
// An element of d dimensions divided into r parts along every edge becomes r^d elements, and its error
// contribution falls by r^-q. The least error with a given number of elements has r ~ contribution^(1/(q +
// d)). The largest contributions are at edges, where fields grow as r^(α-1) and q = 2α for any order of
// elements; where fields are smooth and q is greater, this exponent refines too much at once, which later
// passes balance. Source: Oñate and Bugeda (1993), Engineering Computations 10(4), mesh optimality criteria.

#include <cstdint>
#include <vector>

#include "mesh/size_field.hpp"

namespace curlew::mesh {

/// Whether elements with little of the error become larger: only a mesher that limits sizes to those of the
/// first mesh can make them so.
enum class Widening { no, yes };

/// Cells in which the field is smooth may get elements of order 3 instead: their contribution then nearly
/// vanishes. If this suffices, the mesh is unchanged and all of them get order 3. Else cells above a
/// threshold of the contribution get order 3 or are refined, and cells that got order 3 and have so little of
/// it that order 2 suffices fall back to it. Unknowns of a cell grow 2.9 times from order 2
/// to 3 (a mesh of many tetrahedra has 1.2 edges and 2 faces for each), those of a refined cell r^3 times;
/// near the threshold refinement removes 0.4 of the contribution per number of unknowns of the cell, a higher
/// order 0.5.
struct SizesAndOrders {
  std::vector<double> sizes;        ///< [cells] lengths of edges [m]
  std::vector<std::int8_t> orders;  ///< [cells]
};

/// The field is smooth if the part of order 3 is smaller than this times that of order 2. At edges, where the
/// error of order p falls as 1/p², the ratio is 0.19.
inline constexpr double smooth_decay = 0.08;

/// @param errors [cells] >= 0 @param orders [cells] 1 to 3
/// @param is_free [cells] order 2 may become 3, or 3 become 2
/// @param growth > 1: approximate ratio of the unknowns of the next mesh to those of this one @param most the
/// same if only orders rise, at most @param wanted fraction of the errors that may remain
SizesAndOrders refined_sizes_and_orders(const Mesh& mesh, const std::vector<double>& errors,
                                        const std::vector<std::int8_t>& orders,
                                        const std::vector<char>& is_free, double growth, double most,
                                        double wanted, Widening widening);

/// Number of elements of order 2 that have as many unknowns as those of the mesh with its element_orders.
double elements_of_order_two(const Mesh& mesh, MeshUse use);

/// True if the sizes are those of the mesh: no cell is refined.
bool keeps_mesh(const SizeField& field);

/// @param errors [elements] >= 0
/// @param growth > 1: ratio of the elements of the next mesh to those of this one
/// @returns [elements] lengths of edges [m]
std::vector<double> refined_sizes(const Mesh& mesh, const std::vector<double>& errors, double growth,
                                  MeshUse use = MeshUse::volumes, Widening widening = Widening::no);

}  // namespace curlew::mesh
