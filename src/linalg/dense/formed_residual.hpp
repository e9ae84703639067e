// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The residual of a solution whose matrix is computed again, strip by strip, where it was factorised.

#include <functional>

#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

struct FormedResidual {
  double residual = 0;  ///< largest ||b - A x||_2/||b||_2 of all columns
  double norm = 0;      ///< ||A||_1
};

/// @param subtract rest -= A x of x, rest [n, count], count at most right_side_room(num_rhs)/2; returns
/// ||A||_1
/// @param x, b [n, num_rhs] @throws NumericalError if matrix or solution are not finite
FormedResidual formed_residual(
    Offset n, const Complex* x, const Complex* b, int num_rhs,
    const std::function<double(const Complex* x, Complex* rest, int count)>& subtract);

/// The same. @param machine forms its matrix @pre all transfers that it expects are taken and dropped
FormedResidual formed_residual(PanelMachine& machine, Offset n, PanelLayout layout, const Complex* x,
                               const Complex* b, int num_rhs);

}  // namespace curlew::linalg
