// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies as configs state them.

#include <string_view>
#include <vector>

#include "io/config.hpp"

namespace curlew::io {

/// Whether a list of frequencies may hold the static limit.
enum class Lowest { above_zero, zero };

/// [Hz] of [frequency]: `values = [..]`, or `start`, `stop`, `points` evenly spaced with both ends.
/// Ascending, however they are given: so are the steps and rows of every file.
/// @param config the whole document
/// @throws InputError unless every frequency is finite, > 0 (>= 0 with Lowest::zero) and given once, in
/// exactly one of the two forms
std::vector<double> frequencies(const Config& config, Lowest lowest = Lowest::above_zero);

/// The same where [frequency] is there; else what modes are sought near, analysis.target, alone; empty
/// without either. The last one is the highest: cells, layers and models of a config are made for it.
std::vector<double> stated_frequencies(const Config& config);

/// The same of a key that holds a list or a table { start, stop, points }.
std::vector<double> frequency_list(const Config& table, std::string_view key);

}  // namespace curlew::io
