// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a run of mom2d refines, writes and reports.

#include <map>
#include <memory>

#include "fields/pattern_error.hpp"
#include "job/job.hpp"
#include "mom2d/run/case.hpp"
#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// For every wave the far-field amplitude as one component, zero as the other, and 1 in the place of power.
/// Back and forward directions follow those of the config.
fields::Quantities amplitudes_of(const Mom2dCase& c, const Solution& s);

/// Bars of the far field of a wave from changes of the amplitudes, no less than rounding errors.
/// @param amplitudes, changes as amplitudes_of
fields::PatternError wave_error(const Mom2dCase& c, const Solution& s, std::size_t wave,
                                const fields::Quantities& amplitudes, const fields::Changes& changes);

/// fields::Changes::least_ratio of halved cells: wedge_ratio where a closed conductor or impedance has
/// corners. At an outer angle γ the current is as r^(π/γ - 1), in TE a constant with r^(π/γ), and the far
/// field converges as the innermost cells' h^(π/γ), of which h^(1/2) is the slowest (a knife). On open sheets
/// it converges as h.
double least_ratio(const Problem& problem);

/// Above it far fields have errors of some tenths of a decibel.
inline constexpr double most_inside = 0.03;
/// The greatest field inside closed conductors, where it should be 0, relative to the incident wave; 0 of the
/// CFIE, which has no resonances. The condition number does not distinguish these from tiny cells at corners.
double field_inside(const Solution& s);

/// Remaining errors of these after the last two passes, by frequency [Hz].
using ContourBars = std::map<double, fields::Changes>;

struct RefinedContours {
  ContourBars bars{};                      ///< of the last pass
  std::map<double, Solution> solutions{};  ///< of the last pass, by frequency [Hz], where memory allows
};
/// Passes: all cells are cut in two, errors are estimated by what changes from pass to pass. Sets the
/// halvings of the last pass. @param problem solves the case unchanged
RefinedContours refine_contours(Mom2dCase& c, job::SampledProblem<Solution>& problem, run::Run& run);

/// Files, tables and error bars, in the order in which they close.
/// @param passes empty: there were none @note all arguments outlive them
job::Sinks<Solution> mom2d_sinks(const Mom2dCase& c, const ContourBars& passes, run::Run& run);
/// Error bars of echo widths, of the same problem with every cell cut in two, in passes or for the bars.
std::unique_ptr<job::Sink<Solution>> mom2d_errors(const Mom2dCase& c, const ContourBars& passes,
                                                  run::Run& run);

}  // namespace curlew::mom2d
