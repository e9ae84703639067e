// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of waves and dipoles in open space, for the greatest cross-section or gain.
//
// The amplitude F [V] of a far field in a direction and polarisation p is bᵀ E / 4π by reciprocity, b the
// right-hand side of the wave that arrives from there with p: the dual problem is solved with the same
// factors, and F changes by mu_r rᵀ C⁻¹ r / 4π (fem/adaptive/surplus.hpp). Source: Monk and Suli (1998), SIAM
// J. Numer. Anal. 36(1).

#include <functional>
#include <optional>
#include <string>

#include "fields/pattern_error.hpp"
#include "job/refinement.hpp"
#include "programs/fem/open_job.hpp"

namespace curlew::programs {

/// Why a problem cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const OpenCase& c);

/// Error bars on one mesh of the greatest far field of each excitation, and of the power of sources. The
/// error of flat facets is not included.
std::vector<fields::PatternError> peak_errors(const OpenCase& c, fem::OpenProblem& problem,
                                              const fem::OpenSolution& solution, run::Run& run);

/// @param read reads the config for a mesh @returns the mesh of the last pass
mesh::Mesh refine_open(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                       const std::function<OpenCase(mesh::Mesh)>& read, run::Run& run);

}  // namespace curlew::programs
