// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mesh that a config names: read from mesh.h5, or made by em-mesh from a geometry and cached for the next
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
/// every [[material]]. With a finished mesh.h5 these keys must agree with those that the file records. A
/// geometry is meshed by em-mesh from the folder of the running program; the mesh is cached in the folder
/// .mesh-cache next to the output folder, which the points of a sweep share (converted_file.hpp). A dry run
/// caches nothing. Adds the sizes of the mesh to the summary.
/// @param config the whole document
/// @param use elements that the program needs: check_mesh refuses a mesh without them @param surround option
/// --surround of em-mesh; a finished mesh then goes through em-mesh too
/// @return a mesh that check_mesh has accepted; its name is mesh.file as the config states it
/// @throws InputError with the place in the config: keys, geometry, unsound mesh
mesh::Mesh load_mesh(const io::Config& config, Run& run, mesh::MeshUse use = mesh::MeshUse::volumes,
                     const std::vector<std::string>& surround = {});

/// The geometry of [mesh] meshed again, with the sizes of a file (mesh/size_field.hpp) in addition to those
/// of the config. Nothing is cached.
/// @param surround as load_mesh has it
/// @throws InputError as load_mesh
mesh::Mesh remesh(const io::Config& config, Run& run, const std::string& size_field,
                  mesh::MeshUse use = mesh::MeshUse::volumes, const std::vector<std::string>& surround = {});

/// Velocities of the nodes on surfaces with respect to [mesh] parameters, 0 inside. @return [numbers]
/// @throws InputError as load_mesh
std::vector<mesh::Velocity> surface_velocities(const io::Config& config, Run& run, const mesh::Mesh& mesh,
                                               const std::vector<std::string>& numbers);

/// Whether [mesh] file is a geometry, which can be meshed again, and no finished mesh.
bool is_geometry(const io::Config& config);

/// Whether the config determines the element sizes: mesh.size, wavelength_fraction or a finished mesh.
bool has_stated_size(const io::Config& config);

inline constexpr const char* keys_of_sizes = "mesh.size or wavelength_fraction";

/// What sets element sizes, for messages: keys_of_sizes; once a finished mesh is loaded, the program that
/// made it; after adaptive passes, their tolerance or the limit that ended them.
std::string source_of_sizes(Run& run);

/// [m] of one unit of the coordinates in a config: that of [mesh] unit, 1 without it.
/// @throws InputError for a word that is no unit
double length_unit(const io::Config& config);

}  // namespace curlew::run
