// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The residual of a solution whose matrix is computed again, strip by strip, where it was factorised.

#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

struct FormedResidual {
  double residual = 0;  ///< largest ||b - A x||_2/||b||_2 of all columns
  double norm = 0;      ///< ||A||_1
};

/// @param machine computes its matrix; its expected transfers are consumed @param x, b [n, num_rhs]
/// @throws NumericalError if matrix or solution are not finite
FormedResidual formed_residual(PanelMachine& machine, Offset n, PanelLayout layout, const Complex* x,
                               const Complex* b, int num_rhs);

}  // namespace curlew::linalg
