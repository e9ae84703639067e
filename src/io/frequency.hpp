// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies of configs.

#include <optional>
#include <string_view>
#include <vector>

#include "io/config.hpp"

namespace curlew::io {

/// Whether a list of frequencies may contain 0 Hz.
enum class Lowest { above_zero, zero };

/// [Hz] of [frequency]: `values = [..]`, or `start`, `stop`, `points` evenly spaced with both ends.
/// Returned ascending, like the steps and rows of every file.
/// @param config the whole document
/// @throws InputError unless every frequency is finite, > 0 (>= 0 with Lowest::zero) and given once, in
/// exactly one of the two forms
std::vector<double> frequencies(const Config& config, Lowest lowest = Lowest::above_zero);

/// The same if [frequency] exists; else only analysis.target; empty without either.
std::vector<double> stated_frequencies(const Config& config);
/// The highest of these, for which cells, layers and models of a config are made.
std::optional<double> highest_frequency(const Config& config);

/// True if a [[material]] is a fluid, with a speed of sound: then the problem is one of acoustics.
bool has_sound(const Config& config);

/// A key with a list of frequencies above 0 Hz; or with [start, stop, points]: three numbers, the last one
/// whole, from 2 to ten thousand, and below the second, as in no list in ascending order. @returns ascending
std::vector<double> frequency_list(const Config& table, std::string_view key);

/// Full solutions at a few frequencies of a band, and a model between them.
struct AdaptiveSweep {
  double tolerance = 1e-3;  ///< greatest error between full solutions: absolute of S, relative of fields
  int max_solutions = 40;   ///< full solutions at most
  /// Set in the config. Else it is a default: if it misses the tolerance, every frequency is solved.
  bool is_stated = false;
};

/// [frequency] adaptive_tolerance and max_solutions. Without the first an adaptive sweep is the default for
/// twelve frequencies or more, no two neighbours of which are more than an octave apart; its tolerance
/// is a tenth of [accuracy] tolerance or [refinement] tolerance, at most 1e-3.
/// @param frequencies [Hz] ascending
/// @returns empty if every frequency is solved
std::optional<AdaptiveSweep> adaptive_sweep(const Config& config, const std::vector<double>& frequencies);

}  // namespace curlew::io
