// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of waves and dipoles in open space, for the greatest cross-section or gain.
//
// The amplitude F [V] of a far field in a direction and polarisation p is bᵀ E / 4π over the wave that
// arrives from there with p, by reciprocity: its solution is the dual problem's, from the same factors, and F
// changes by mu_r rᵀ C⁻¹ r / 4π (fem/adaptive/surplus.hpp). Source: Monk and Suli (1998), SIAM J. Numer.
// Anal. 36(1).

#include <functional>
#include <optional>
#include <string>

#include "fields/pattern_error.hpp"
#include "programs/fem/open_job.hpp"
#include "programs/refinement.hpp"

namespace curlew::programs {

/// Why a problem has no passes; empty: it has.
std::string obstacle_to_passes(const OpenCase& c);

/// Bars of a solution on one mesh, of the greatest far field of each excitation with results of its own:
/// field and, of sources, power. Facets are not in them.
std::vector<fields::PatternError> peak_errors(const OpenCase& c, fem::OpenProblem& problem,
                                              const fem::OpenSolution& solution, run::Run& run);

/// @param read what the config says of a mesh @returns the mesh of the last pass
mesh::Mesh refine_open(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                       const std::function<OpenCase(mesh::Mesh)>& read, run::Run& run);

}  // namespace curlew::programs
