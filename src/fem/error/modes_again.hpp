// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes of two solutions as one list of pairs, and lower bounds of their changes.

#include <functional>
#include <vector>

#include "fields/pattern_error.hpp"

namespace curlew::fem {

/// Modes [Hz] above a target [Hz], ascending: at least `count` if there are as many.
using FindModes = std::function<fields::Quantities(double target, int count)>;

/// The modes at another order or on another mesh that belong to those reported (both ascending by their real
/// parts): in order, with the least sum of differences. The search starts below the first reported mode,
/// since frequencies may be lower there.
/// @param target of the run [Hz]; 0: the lowest modes
/// @throws NumericalError if fewer are found
fields::Quantities modes_again(const fields::Quantities& reported, double target, const FindModes& find);

/// Magnitudes of changes by the order, none below a fraction of the typical one: a change that is 0 by chance
/// does not show accuracy. Errors of frequencies grow as f^(2p+1) on a mesh (Boffi (2010), Acta Numerica 19),
/// so magnitudes divided by that are compared with their median; at order 3 also the median of |d_3| / |d_2|,
/// which grows as f^2, is used.
/// @param before |d_2| at order 3, else empty @param frequencies [Hz] of the modes
std::vector<double> believed_changes(std::vector<double> changes, const std::vector<double>& before,
                                     const std::vector<double>& frequencies, int order);

}  // namespace curlew::fem
