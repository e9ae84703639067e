// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU of a matrix that several GPUs of this machine share (shared_lu.hpp). Only in builds with CUDA.

#include <vector>

#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_machine.hpp"

namespace curlew::linalg {

/// As solve_dense in double precision.
/// @param devices one for each member; a device may occur more than once
/// @param forms [devices] columns on each, called in a separate thread with the device current
/// @param width columns of a panel, as shared_width
/// @throws NumericalError if the matrix is singular or holds NaN; ResourceError if a device's memory does not
/// suffice
LuReport solve_on_devices(Offset n, const std::vector<int>& devices, std::vector<FormColumns> forms,
                          Offset width, Complex* b, int num_rhs, bool with_condition);

}  // namespace curlew::linalg
