// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of ie-solve: the problem is solved again with elements of half the size, their new nodes on the
// curved surface (mesh/refine.hpp), and where that is quadratic once more on elements moved off it. Currents
// of lowest order and flat facets both leave errors of O(h²) in far fields and impedances of smooth bodies,
// O(h) at edges: twice the change covers both.

#include <functional>
#include <vector>

#include "fields/pattern_error.hpp"
#include "ie/model/config.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/far_fields.hpp"
#include "job/refinement.hpp"
#include "results/error_report.hpp"

namespace curlew::ie {

/// How error bars were obtained, and how to reduce them.
inline constexpr const char* halved = "from elements of half the size";
inline constexpr const char* smaller_elements = "take smaller elements ({})";
/// Whether the estimate is wanted, decided when the run's own memory is planned, also in dry runs.
/// @param unknowns of the finer mesh @param growth of their number
/// @param cost of the estimate at one frequency, called if it is wanted
bool is_estimate_wanted(const IeConfig& config, long unknowns, double growth,
                        const std::function<SolveCost()>& cost, results::ErrorReport& report, run::Run& run);

/// Cost of two solves in sequence.
SolveCost operator+(const SolveCost& a, const SolveCost& b);
/// E of every wave: its directions' theta and phi components, and a 1 in the place of power.
fields::Quantities wave_quantities(const IeConfig& config, bool monostatic, const FarFields& far,
                                   const Complex* x);
/// Number of directions of each wave in these.
std::size_t directions_in(const fields::Quantities& q, std::size_t waves);
/// Errors of each wave's directions by changes. @param q wave_quantities of the run
std::vector<fields::PatternError> wave_errors(const fields::Quantities& q, const fields::Changes& changes,
                                              std::size_t waves);
/// Adds rows of error bars of the waves. @param errors [waves]
void add_wave_bars(const IeConfig& config, bool monostatic, double frequency,
                   const std::vector<fields::PatternError>& errors, results::ErrorReport& report);
/// The smallest cross-section distinguishable from zero [m^2]. @param k of the space around [1/m]
double least_section(double k);
/// Target of passes: the greatest cross-section of each wave; backscattering relative to the greatest of
/// its polarisation. @param errors [waves] @param least least_section
std::vector<mesh::Pass::Quantity> cross_sections(const IeConfig& config, bool monostatic,
                                                 const std::vector<fields::PatternError>& errors,
                                                 double least);

}  // namespace curlew::ie
