// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A dense system that a PanelMachine, or several members, factor.

#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"
#include "linalg/dense/shared_lu.hpp"

namespace curlew::linalg {

/// As solve_dense in double precision; A becomes the factors of PanelLu, except the columns of panels that
/// stay on the machine. @param machine has the matrix `a`, the layout, and memory for num_rhs right-hand
/// sides
/// @throws NumericalError if the matrix is singular or holds NaN
LuReport solve_by_panels(PanelMachine& machine, const DenseMatrix& a, PanelLayout layout, Complex* b,
                         int num_rhs, bool with_condition);

/// The same for a matrix [n, n] that the machine computes. The residual uses all rows; the matrix is computed
/// again for it.
LuReport solve_formed_by_panels(PanelMachine& machine, Offset n, PanelLayout layout, Complex* b, int num_rhs,
                                bool with_condition);

/// The same of a matrix that members share. @param lu not factored yet; its members have room for num_rhs
LuReport solve_shared(SharedLu& lu, Offset n, Complex* b, int num_rhs, bool with_condition);

}  // namespace curlew::linalg
