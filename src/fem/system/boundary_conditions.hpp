// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Surface terms of a model's boundary conditions.

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// a += jk0 Z0/Zs int (n x W_a).(n x W_b) dS over impedance and absorbing boundaries at a frequency [Hz],
/// coupling between the two faces of layers, and the curl term of absorbing boundaries of order 2; their
/// divergence term has another pattern. Complex frequencies are those of decaying modes.
void add_boundary_conditions(const Model& model, const NedelecSpace& space, Complex frequency,
                             linalg::Csr<Complex>& a);

/// @param what excludes it, "an adaptive sweep"
/// @throws InputError if an absorbing boundary is of order 2
void require_first_order(const Model& model, const char* what);

}  // namespace curlew::fem
