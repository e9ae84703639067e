// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [frequency] of a program with ports, and [output] frequencies: where fields, patterns and unknowns are
// written.

#include <optional>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "io/config.hpp"

namespace curlew::programs {

/// What a solution, or S of the reduced model of an adaptive sweep, is to the results.
struct SweepStep {
  bool is_stated = true;   ///< S is a result
  bool is_solved = true;   ///< S is of a full solution
  bool is_written = true;  ///< so are the fields, which are there
};

struct SweepRequest {
  std::vector<double> frequencies;            ///< [Hz] ascending
  std::optional<fem::FastSweepOptions> fast;  ///< of an adaptive sweep
  /// [Hz] ascending: the list or { start, stop, points } of the config. Without the key all of `frequencies`;
  /// of an adaptive sweep over more than five the first, the middle and the last one, and without anything
  /// that would be drawn there the ends alone, which the sweep solves anyway.
  std::vector<double> written;

  /// [Hz] those of the sweep and those written, ascending.
  std::vector<double> all() const;
  bool is_written(double frequency) const;
  /// Of a solution.
  SweepStep step(double frequency) const;
};

/// @param frequencies [Hz] of the sweep, ascending
/// @param fields_asked anything is drawn at the written ones
/// @param has_excitation waves or sources, beside ports or without: every frequency is solved and written
/// then
/// @param noise what iterations leave in S: an adaptive sweep is no default near it
/// @throws InputError with file and line for a frequency outside of the band of the sweep, and for what an
/// excitation does not go with
SweepRequest read_sweep(const io::Config& config, std::vector<double> frequencies, bool fields_asked,
                        bool has_excitation, double noise = 0);

}  // namespace curlew::programs
