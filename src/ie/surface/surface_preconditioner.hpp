// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Preconditioners of surface systems as sparse matrices, before operators are made of them on host or device.

#include "ie/operator/integral_equation.hpp"
#include "ie/surface/near_matrix.hpp"

namespace curlew::ie {

/// @throws InputError for charges, and for loop_star with MFIE, CFIE or impedances, whose identity operators
/// have another order than it is scaled for
void check_preconditioner(const System& system, Preconditioner kind);

/// loop_star if it is applicable and no edge is longer than a 25th of the shortest wavelength, else near: the
/// one with fewer iterations (docs/measured/ie.md). MFIE and CFIE on a GPU: near if factors_pay, else jacobi.
/// @param waves right-hand sides
Preconditioner choose_preconditioner(const System& system, Device device, Index waves);

/// Whether factors of the near part save time: they take as long as some right-hand sides with jacobi, and
/// must be made on the GPU and fit there with recycled directions, which save more on large bodies
/// (docs/measured/ie.md).
/// @param needed bytes, with the operator, the iteration and its directions
bool factors_pay(Index waves, bool on_gpu, std::size_t needed, std::size_t free);

/// @param device that computes the entries @throws InputError as check_preconditioner
Preconditioning make_preconditioning(const System& system, const std::vector<Entry>& loads,
                                     Preconditioner kind, Device device = Device::cpu);

}  // namespace curlew::ie
