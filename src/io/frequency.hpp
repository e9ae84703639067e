// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frequencies as configs state them.

#include <optional>
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
/// without either.
std::vector<double> stated_frequencies(const Config& config);
/// The last of these, which cells, layers and models of a config are made for.
std::optional<double> highest_frequency(const Config& config);

/// The same of a key that holds a list or a table { start, stop, points }.
std::vector<double> frequency_list(const Config& table, std::string_view key);

/// Full solutions at a few frequencies of a band, and a model between them.
struct AdaptiveSweep {
  double tolerance = 1e-3;  ///< greatest error between full solutions, of S and relative of fields
  int max_solutions = 40;   ///< full solutions at most
  /// By the config. Otherwise it is the default, and a band that it does not reach is solved at every
  /// frequency.
  bool is_stated = false;
};

/// [frequency] adaptive_tolerance and max_solutions. Without the first an adaptive sweep is the default from
/// twelve frequencies of a band on, no two neighbours of which are more than an octave apart; its tolerance
/// is a tenth of [accuracy] tolerance or [refinement] tolerance, at most 1e-3.
/// @param frequencies [Hz] ascending
/// @returns nothing where every frequency is solved
std::optional<AdaptiveSweep> adaptive_sweep(const Config& config, const std::vector<double>& frequencies);

}  // namespace curlew::io
