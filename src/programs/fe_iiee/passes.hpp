// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of fe-iiee: S and impedances by the ports' own solutions as dual problem, as in fem-solve;
// cross sections and gains by the same shares of the wave's or port's own solution.

#include <functional>
#include <string>

#include "job/refinement.hpp"
#include "programs/fe_iiee/job.hpp"

namespace curlew::fe_iiee {

/// Why a problem cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const TruncatedCase& c);
/// @throws InputError for targets without ports or waves
void require_target(const job::Refinement& refinement, const TruncatedCase& c, const io::Config& config);

/// @param read reads the config for a mesh
/// @returns the mesh of the last pass
mesh::Mesh refine_truncated(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                            const std::function<TruncatedCase(const mesh::Mesh&)>& read, run::Run& run);

}  // namespace curlew::fe_iiee
