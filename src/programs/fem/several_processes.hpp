// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fem-solve and fe-iiee on the processes of an MPI run: distribution of the work (linalg/direct/mumps.hpp).

#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "io/config.hpp"
#include "mesh/mesh.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// For a run whose matrices are all on process 0: the other processes join its calls of MUMPS until it ends.
/// @returns false on process 0, which continues
bool serve_whole_matrices(const run::Run& run);

/// The same options for a matrix that all processes share.
fem::DrivenOptions spread(fem::DrivenOptions options);

/// As run::load_mesh for volumes; if several processes run the program, process 0 loads the mesh and
/// sends it.
/// @throws LeaderEnded if process 0 could not
mesh::Mesh load_shared_mesh(const io::Config& config, run::Run& run,
                            const std::vector<std::string>& surround = {});

}  // namespace curlew::programs
