// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of driven sound, for the pressures at probes, or without them the input power.

#include <functional>
#include <memory>
#include <string>

#include "fem/sound/acoustic_case.hpp"
#include "job/refinement.hpp"

namespace curlew::fem {

/// Why an acoustic problem cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const AcousticModel& model);

/// @param read reads the config for a mesh @returns the mesh of the last pass
mesh::Mesh refine_sound(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                        const std::function<std::unique_ptr<AcousticCase>(mesh::Mesh)>& read, run::Run& run);

}  // namespace curlew::fem
