// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// refinement.edge_layers: passes that solve on meshes with thin cells at the rims of conductors.

#include "programs/refinement.hpp"

namespace curlew::programs {

/// Adaptive refinement in which every pass solves on its mesh with the requested layers; element sizes refer
/// to the mesh without layers. @returns the mesh of the last pass, with its layers
mesh::Mesh refine_with_layers(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const SolvePass& solve, run::Run& run);

}  // namespace curlew::programs
