// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The error of results from a second solution: at another order of the elements, and on the mesh with its
// facets moved to the surface.
//
// Order 1 and 2: Q_p+1 - Q_p is the error of Q_p up to that of Q_p+1. At order 3 no higher order is
// available; with d_p = Q_p - Q_p-1 and r = |d_3| / |d_2| a geometric series gives the error d_3 r / (1 - r).
// Source: Ainsworth and Oden (2000), A Posteriori Error Estimation in Finite Element Analysis, section 4
// (hierarchical estimators). Shape: the change on the moved mesh, at one order less, which suffices for a
// first-order sensitivity.

#include <functional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/error/problem_size.hpp"
#include "fem/error/shape_variant.hpp"
#include "fields/pattern_error.hpp"

namespace curlew::fem {

using fields::bar_of, fields::Changes, fields::order_error, fields::Quantities, fields::shape_safety;
using fields::pattern_error, fields::PatternError;
/// Solves on a mesh (of the same topology) at an order.
using SolveAgain = std::function<Quantities(const mesh::Mesh&, int order)>;

/// Makes two lists comparable: a mode's sign is arbitrary. May be empty.
using Align = std::function<void(Quantities& other, const Quantities& reference)>;

/// @param reported the quantities of the run, at `order` on `mesh`
/// @param shape may be null @param least_ratio least accepted ratio r (edge_ratio.hpp)
Changes solve_again(const Quantities& reported, int order, const mesh::Mesh& mesh, const ShapeVariant* shape,
                    const SolveAgain& solve, const Align& align = {},
                    double least_ratio = fields::smooth_ratio);

/// Cost of solve_again. That of a solution is proportional to the entries of its factors, N^(4/3) by nested
/// dissection in three dimensions. Source: George (1973), SIAM J. Numer. Anal. 10(2), and for d = 3 Lipton,
/// Rose and Tarjan (1979), SIAM J. Numer. Anal. 16(2).
struct CheckPrice {
  /// Sizes of a system that is solved, relative to those of the run.
  struct System {
    double unknowns, entries;
  };
  std::vector<System> systems;
  long unknowns = 0;     ///< of the largest system
  double solutions = 0;  ///< cost in units of one solution of the run
};
/// "orders 2 and 3, facets moved to the surface".
std::string describe_check(int order, bool has_shape);
/// @param functions_of numbers of functions of the elements of an order
CheckPrice price_of_check(const mesh::Topology& topology, int order, bool has_shape,
                          ElementFunctions (*functions_of)(int) = nedelec_functions);

}  // namespace curlew::fem
