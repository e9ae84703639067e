// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How well the polynomials of the cells resolve the unknowns of a solution, and how fast it converges.

#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// The last two Legendre coefficients of u and v on the cell where they are greatest, relative to the root
/// mean square of the unknown on all contours; the greatest of all waves. 1 for fewer than four nodes per
/// cell.
double unresolved(const Solution& s);

/// The error that remains after the last halving of all cells, as a fraction of the change by it, at most 1:
/// q coefficients that fall as t^q leave t^2q, the order of the rule and of the stencils (Stencil), in the
/// far field. 1 where a contour has corners or edges, at which the cells' polynomials do not converge
/// geometrically. Source: Trefethen (2013), Approximation Theory and Approximation Practice, chapters 8 and
/// 19.
double left_by_halving(const Solution& s, double now, double before);

}  // namespace curlew::mom2d
