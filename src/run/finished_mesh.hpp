// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks keys for a geometry (size, order, ...) in a config whose mesh is a finished mesh.h5.

#include <string>

#include "io/config.hpp"
#include "mesh/mesh_file.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// Compares unit, order and parameters of [mesh], and size or wavelength_fraction if no new cells are made,
/// with those that the file records; values that agree have no effect, which one warning says. `unit` still
/// is that of the lengths in the config. A mesh finer than wavelength_fraction asks for also agrees. A
/// time_limit gives a warning if nothing is meshed. @param made recorded in the file
/// @param by_wavelength [m] greatest size by wavelength_fraction; 0: not given
/// @param makes_cells em-mesh adds cells around the mesh, to which size applies
/// @throws InputError with the place of a key that differs from the file's, or that the file does not record
void check_finished_mesh(const io::Config& mesh_table, const std::string& path, const mesh::MeshOrigin& made,
                         double by_wavelength, bool makes_cells, Run& run);

}  // namespace curlew::run
