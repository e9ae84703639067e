// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A dense system whose matrix stays in the host's memory while a PanelMachine factors it.

#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

/// As solve_dense in double precision; A becomes its factors, as PanelLu leaves them.
/// @param machine knows the matrix `a`, and has room for num_rhs right-hand sides
/// @throws NumericalError if the matrix is singular or holds NaN
LuReport solve_by_panels(PanelMachine& machine, const DenseMatrix& a, PanelWidths widths, Complex* b,
                         int num_rhs, bool with_condition);

}  // namespace curlew::linalg
