// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of the surface equations: triangles are refined where currents jump
// (ie/surface/current_jumps.hpp), errors are estimated from changes between passes.

#include <optional>

#include "ie/passes/surface_outcome.hpp"
#include "ie/solved/surface_sweep.hpp"
#include "job/refinement.hpp"

namespace curlew::ie {

/// @throws InputError with file and line: as read_refinement; targets without waves or ports; dipoles
std::optional<job::Refinement> read_surface_refinement(const io::Config& document,
                                                       const SurfaceConfig& config, run::Run& run);

struct RefinedSurfaces {
  mesh::Mesh mesh;  ///< of the last pass
  PassBars bars{};  ///< of its results
  KnownColumns solved{};
};
/// @param first the mesh as read, not straightened
RefinedSurfaces refine_surfaces(const job::Refinement& refinement, const io::Config& document,
                                const SurfaceConfig& config, mesh::Mesh first, run::Run& run);

}  // namespace curlew::ie
