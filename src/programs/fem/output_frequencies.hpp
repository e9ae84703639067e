// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [output] frequencies: where fields, patterns and unknowns are written.

#include <vector>

#include "io/config.hpp"

namespace curlew::programs {

/// [Hz], ascending: the list or { start, stop, points } of the config. Without the key all of `frequencies`;
/// of an adaptive sweep over more than five the first, the middle and the last one, and without anything that
/// would be drawn there (`fields_asked`) the ends alone, which the sweep solves anyway.
/// @param frequencies [Hz] of the sweep, ascending
/// @throws InputError with file and line for a frequency outside of the band of the sweep
std::vector<double> output_frequencies(const io::Config& config, const std::vector<double>& frequencies,
                                       bool adaptive, bool fields_asked);

}  // namespace curlew::programs
