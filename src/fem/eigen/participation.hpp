// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Share of a mode's electric energy in each region (participation).

#include <string>
#include <utility>
#include <vector>

#include "fem/eigen/cavity.hpp"

namespace curlew::fem {

/// Share of every region in the electric energy ∫ ε'|E|² dV; PML are left out. Negative where ε' is (below a
/// plasma frequency); the shares add up to 1.
/// @param x [num_dofs] @param frequency [Hz] of the mode
std::vector<std::pair<std::string, double>> participation(const NedelecSpace& space, const Model& model,
                                                          const std::vector<Complex>& x, Complex frequency);

/// ¼ ε0 ∫ ε'|E|² dV [J] over all regions except PML, peak phasors.
double electric_energy(const NedelecSpace& space, const Model& model, const std::vector<Complex>& x,
                       Complex frequency);

}  // namespace curlew::fem
