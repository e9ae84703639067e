// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mesh that a config names: read from mesh.h5, or made by em-mesh out of a geometry and kept for the next
// run.

#include <string>
#include <vector>

#include "io/config.hpp"
#include "mesh/check.hpp"
#include "mesh/mesh.hpp"
#include "mesh/node_velocity.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// Reads the [mesh] table: file, and for geometry files unit, size or wavelength_fraction, order, parameters.
/// Where no size is given, wavelength_fraction is 1/4, if there is a frequency.
/// With wavelength_fraction it also reads [frequency] (or analysis.target) and region, epsilon_r and mu_r of
/// every [[material]]. Beside a finished mesh.h5 these keys must agree with what the file says. Geometry is
/// converted by the em-mesh beside the running program; the mesh is kept in the folder .mesh-cache beside the
/// output folder, which the points of a sweep share (converted_file.hpp). A dry run keeps nothing. Adds the
/// sizes of the mesh to the summary.
/// @param config the whole document
/// @param use what the program works on: check_mesh refuses a mesh without it
/// @param surround what else em-mesh is told, see its --surround; a finished mesh then goes through em-mesh
/// too
/// @return a mesh that check_mesh has accepted; its name is mesh.file as the config states it
/// @throws InputError with the place in the config: keys, geometry, unsound mesh
mesh::Mesh load_mesh(const io::Config& config, Run& run, mesh::MeshUse use = mesh::MeshUse::volumes,
                     const std::vector<std::string>& surround = {});

/// The geometry of [mesh] meshed again, with the sizes that a file asks for (mesh/size_field.hpp) beside
/// those of the config. Nothing is kept.
/// @param surround as load_mesh has it
/// @throws InputError as load_mesh
mesh::Mesh remesh(const io::Config& config, Run& run, const std::string& size_field,
                  mesh::MeshUse use = mesh::MeshUse::volumes, const std::vector<std::string>& surround = {});

/// How the nodes of a mesh on surfaces move with numbers of [mesh] parameters, 0 inside [numbers].
/// @throws InputError as load_mesh
std::vector<mesh::Velocity> surface_velocities(const io::Config& config, Run& run, const mesh::Mesh& mesh,
                                               const std::vector<std::string>& numbers);

/// Whether [mesh] file is a geometry, which can be meshed again, and no finished mesh.
bool is_geometry(const io::Config& config);

/// Whether the config says how fine the mesh is: mesh.size, wavelength_fraction or a finished mesh.
bool has_stated_size(const io::Config& config);

/// Where smaller elements come from, for messages: "mesh.size or wavelength_fraction", or, once a finished
/// mesh is loaded, the program that made it.
std::string source_of_sizes(Run& run);

/// [m] of one unit of the coordinates in a config: that of [mesh] unit, 1 without it.
/// @throws InputError for a word that is no unit
double length_unit(const io::Config& config);

}  // namespace curlew::run
