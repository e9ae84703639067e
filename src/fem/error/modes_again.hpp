// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes of two solutions as one list of pairs, and lower bounds of their changes.

#include <functional>
#include <vector>

#include "fields/pattern_error.hpp"

namespace curlew::fem {

/// Modes [Hz] above a target [Hz], ascending: at least `count` where there are so many.
using FindModes = std::function<fields::Quantities(double target, int count)>;

/// The modes at another order or on another mesh that belong to those reported (both ascending by their real
/// parts): in order, with the least sum of differences. They are looked for from below the first one
/// reported, as some lie lower there.
/// @param target of the run [Hz]; 0: the lowest modes
/// @throws NumericalError if fewer are found
fields::Quantities modes_again(const fields::Quantities& reported, double target, const FindModes& find);

/// Sizes of changes by the order, none below a share of what the others say: a change that passes through 0
/// by chance is no accuracy. Errors of frequencies grow as f^(2p+1) on a mesh (Boffi (2010), Acta Numerica
/// 19), so sizes over that are compared with their median; at order 3 that of |d_3| / |d_2|, as f^2, counts,
/// too.
/// @param before |d_2| at order 3, else empty @param frequencies [Hz] of the modes
std::vector<double> believed_changes(std::vector<double> changes, const std::vector<double>& before,
                                     const std::vector<double>& frequencies, int order);

}  // namespace curlew::fem
