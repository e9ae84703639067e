// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [frequency] of a program with ports, and [output] frequencies: frequencies at which fields, patterns and
// unknowns are written.

#include <optional>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "io/config.hpp"

namespace curlew::fem {

/// How results use a solution, or S of the reduced model of an adaptive sweep.
struct SweepStep {
  bool is_stated = true;   ///< S is written
  bool is_solved = true;   ///< S comes from a full solution
  bool is_written = true;  ///< fields are written
};

struct SweepRequest {
  std::vector<double> frequencies;       ///< [Hz] ascending
  std::optional<FastSweepOptions> fast;  ///< of an adaptive sweep
  /// [Hz] ascending: the list or { start, stop, points } of the config. Without the key all of `frequencies`;
  /// of an adaptive sweep over more than five the first, the middle and the last one, and if no fields or
  /// patterns are requested the ends only, which the sweep solves anyway.
  std::vector<double> written;

  /// [Hz] those of the sweep and those written, ascending.
  std::vector<double> all() const;
  /// Number of full solutions; for an adaptive sweep a typical number, in addition to frequencies whose
  /// fields are written.
  int expected_solutions() const;
  bool is_written(double frequency) const;
  /// [Hz] where gains have error bars. Needs one written frequency.
  double middle_written() const { return written[(written.size() - 1) / 2]; }
  /// The step with a solution.
  SweepStep step(double frequency) const;
};

/// @param frequencies [Hz] of the sweep, ascending
/// @param fields_asked fields or patterns are requested
/// @param has_excitation waves or sources, beside ports or without: then every frequency is solved and
/// written @param noise error of S from iterative solutions: no adaptive sweep by default if its tolerance is
/// close to it
/// @throws InputError with file and line for a frequency outside of the band of the sweep, and for keys that
/// exclude an excitation
SweepRequest read_sweep(const io::Config& config, std::vector<double> frequencies, bool fields_asked,
                        bool has_excitation, double noise = 0);

}  // namespace curlew::fem
