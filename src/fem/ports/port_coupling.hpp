// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "fem/ports/port_solution.hpp"

namespace curlew::fem {

/// K of some ports, with modes numbered consecutively; the columns ∫ W·e_m dS of dispersive ports follow
/// those of all modes, in the same order. Outside the modes the exact port keeps c_ref: c_ref (I - Q)ᵀ B (I -
/// Q), Q = Σ e_m f_mᵀ, is c_ref B + K's part.
Eigen::MatrixXcd coupling_of(const std::vector<PortSolution>& ports);

}  // namespace curlew::fem
