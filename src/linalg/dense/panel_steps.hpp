// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Steps of a blocked LU with one panel, or a strip of one. Rows of factored panels are not exchanged again;
// each panel's exchanges come before its elimination, as in LINPACK's factors:
// A = P_0' L_0 P_1' L_1 ... U.

#include <vector>

#include "linalg/dense/panel_machine.hpp"

namespace curlew::linalg {

/// @param below rows [first, n) of the panel @param[out] pivots [columns] rows of the matrix, from 1
/// @returns its moves @throws NumericalError if a pivot is zero
std::vector<RowMove> factor_panel(PanelArithmetic& machine, PanelView below, Offset first, int* pivots);

/// x = L_k^-1 x, or L_k^-H x if `adjoint`. @param lower rows [first, n) of the factors @param x whole columns
void solve_lower(PanelArithmetic& machine, bool adjoint, PanelView lower, Offset first, PanelView x);

/// A step of x = U^-1 x, from below, or of U^-H x, from above, if `adjoint`. @param upper rows [0, first +
/// its columns) of the factors
void solve_upper(PanelArithmetic& machine, bool adjoint, PanelView upper, Offset first, PanelView x);

}  // namespace curlew::linalg
