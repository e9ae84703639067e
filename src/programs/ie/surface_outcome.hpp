// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a surface problem says at a frequency, as numbers that are compared between meshes, and their error
// bars.

#include "fields/pattern_error.hpp"
#include "programs/ie/surface_solve.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

struct SurfaceOutcome {
  fields::Quantities waves;    ///< wave_quantities
  fields::Quantities sources;  ///< of the dipoles together and of each driven port: pattern, radiated power
  fields::Quantities ports;    ///< S by columns, then the input impedances [ohm]
};
SurfaceOutcome outcome_of(const SurfaceConfig& config, const SurfaceSolution& solution);

/// What these change by on other meshes.
struct SurfaceChanges {
  fields::Changes waves, sources, ports;
};
/// @param finer of halved elements @param moved of elements on the surface, may be empty
SurfaceChanges changes_of(const SurfaceOutcome& before, const SurfaceOutcome& finer,
                          const SurfaceOutcome& moved);

/// fields::left_after of all: the error falls as 1/unknowns, of smooth bodies with h², and at edges that the
/// passes cut more finely than the rest. @param growth of the unknowns
SurfaceChanges left_after(const SurfaceOutcome& now, const SurfaceOutcome& before, double growth);

/// The greater of these and of those of the pass before: along thin strips changes fall irregularly, and one
/// may be small by chance. @param earlier of the pass before; empty: none
SurfaceChanges greater(const SurfaceChanges& last, const SurfaceChanges& earlier);

/// Rows of all that the run states of the frequency.
void add_bars(const SurfaceConfig& config, const SurfaceSolution& solution, const SurfaceOutcome& outcome,
              const SurfaceChanges& changes, results::ErrorReport& report);

}  // namespace curlew::programs
