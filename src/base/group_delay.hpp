// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The delay of a transmission, the same in tables and charts.

#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace curlew {

/// Group delays -dφ/dω [s] of S at ascending frequencies [Hz]: parabolas through the phases of three
/// neighbours. Empty if S is 0, if its phase differs by more than 135 degrees from a neighbour's (ambiguous),
/// or with a single frequency.
std::vector<std::optional<double>> group_delays(std::span<const double> frequencies,
                                                std::span<const Complex> s);

}  // namespace curlew
