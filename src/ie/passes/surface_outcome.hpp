// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of a surface problem at a frequency, which are compared between meshes, and their error bars.

#include <map>

#include "fields/pattern_error.hpp"
#include "ie/results/band_far_fields.hpp"
#include "ie/solved/surface_solve.hpp"
#include "results/error_report.hpp"

namespace curlew::ie {

struct SurfaceOutcome {
  fields::Quantities waves;    ///< wave_quantities
  fields::Quantities sources;  ///< pattern and radiated power of the dipoles together and of each driven port
  fields::Quantities ports;    ///< S by columns, then the input impedances [ohm]
  fields::Changes at_rims{};   ///< of these by what the currents lack at rims (admittance_at_rims)
};
/// @param radiated SweepRadiation::of the solution
SurfaceOutcome outcome_of(const SurfaceConfig& config, const SurfaceSolution& solution,
                          const RadiatedFields& radiated);

/// Changes of these on other meshes.
struct SurfaceChanges {
  fields::Changes waves, sources, ports;
};
/// Changes between the last two passes, by frequency [Hz].
using PassBars = std::map<double, SurfaceChanges>;
/// @param finer on elements of half the size @param moved on elements moved to the surface, may be empty
SurfaceChanges changes_of(const SurfaceOutcome& before, const SurfaceOutcome& finer,
                          const SurfaceOutcome& moved);

/// Remaining errors by fields::left_after. The error falls as 1/unknowns: with h² on smooth bodies, and at
/// edges since passes refine there. @param growth ratio of the numbers of unknowns
SurfaceChanges left_after(const SurfaceOutcome& now, const SurfaceOutcome& before, double growth);

/// The greater of these and the previous pass's: along thin strips changes fall irregularly, and one
/// may be small by chance. @param earlier of the previous pass; empty: none
SurfaceChanges greater(const SurfaceChanges& last, const SurfaceChanges& earlier);

/// These, of ports at least by what their currents lack at rims, which neither passes nor halved triangles
/// show while strips are one triangle wide.
SurfaceChanges raised_at_rims(SurfaceChanges changes, const SurfaceOutcome& outcome);

/// Raises bars of the power and field of a port to the bar of 1 - Σ|S_mi|² from those of S: an error of the
/// current at the feed is in all of them, and may show in the changes of one only.
/// @param ports of SurfaceOutcome
void raise_by_ports(const fields::Quantities& ports, const fields::Changes& changes, std::size_t port,
                    fields::PatternError& error);

/// Adds rows of error bars for all results at the frequency.
void add_bars(const SurfaceConfig& config, const SurfaceSolution& solution, const SurfaceOutcome& outcome,
              const SurfaceChanges& changes, results::ErrorReport& report);

}  // namespace curlew::ie
