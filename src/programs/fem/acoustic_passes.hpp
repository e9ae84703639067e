// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [refinement] of driven sound, for the pressures at probes, or without them the input power.

#include <functional>
#include <memory>
#include <string>

#include "fem/acoustics/acoustic_surplus.hpp"
#include "job/refinement.hpp"
#include "programs/fem/acoustic_case.hpp"

namespace curlew::programs {

/// Why an acoustic problem cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const fem::AcousticModel& model);

/// What elements of one more order change. The first column is the solution, then the duals of the probes.
/// @param finer the problem with those elements @param weights of fem::acoustic_surplus
fem::AcousticSurplus changes_by_next_order(const fem::AcousticProblem& finer, const fem::LagrangeSpace& space,
                                           const fem::AcousticSolution& solution,
                                           const Eigen::MatrixXd& weights);

/// @param read reads the config for a mesh @returns the mesh of the last pass
mesh::Mesh refine_sound(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                        const std::function<std::unique_ptr<AcousticCase>(mesh::Mesh)>& read, run::Run& run);

}  // namespace curlew::programs
