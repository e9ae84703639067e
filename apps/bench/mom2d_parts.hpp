// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the CPU and the GPU part of `em-bench mom2d`.

#include "bench/cases.hpp"
#include "mom2d/problem.hpp"

namespace curlew::bench {

/// A conducting circle with n unknowns, ten nodes per cell, 20 unknowns per wavelength, TM.
mom2d::Problem circle_of(int n, mom2d::Equation equation);

/// Fill, LU and triangular solves on the GPU beside cuSOLVER's Zgetrf and Zgetrs in the same run.
void mom2d_gpu(const Options& options, Report& report);

}  // namespace curlew::bench
