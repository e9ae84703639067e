// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Keys of a geometry beside a finished mesh.h5, as a config has them where its mesh.h5 stands in the place of
// a .geo.

#include <string>

#include "io/config.hpp"
#include "mesh/mesh_file.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// unit, order and parameters of [mesh], and size or wavelength_fraction where no new cells are made: what
/// agrees with what the file says of its making is warned of, in one line. `unit` still is that of the
/// lengths in the config. A share of the wavelength, which depends on the frequency, is kept by finer meshes
/// too. A time_limit is warned of where nothing is meshed.
/// @param made what the file says
/// @param by_wavelength [m] greatest size by wavelength_fraction; 0: not stated
/// @param makes_cells em-mesh adds cells around the mesh, to which size applies
/// @throws InputError with the place of a key that differs from the file's, or that the file says nothing of
void check_finished_mesh(const io::Config& mesh_table, const std::string& path, const mesh::MeshOrigin& made,
                         double by_wavelength, bool makes_cells, Run& run);

}  // namespace curlew::run
