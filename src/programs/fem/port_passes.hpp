// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of problems with ports.

#include "fem/driven/driven_problem.hpp"
#include "programs/fem/refinement.hpp"

namespace curlew::programs {

/// S against the modes' own impedances, or impedances at lumped ports, at the frequencies of [refinement].
/// @returns the mesh of the last pass
/// @throws InputError for models whose dual problem is not solved with them, and for impedances of ports that
/// are not lumped
mesh::Mesh refine_for_ports(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                            const fem::DrivenOptions& options, run::Run& run);

}  // namespace curlew::programs
