// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parameters of a .geo script and the files that it reads, found without running it. Gmsh
// ignores a number for a name that the script does not declare, so a misspelt parameter would go unnoticed.

#include <set>
#include <string>
#include <vector>

namespace curlew::mesh {

/// Names declared in DefineConstant[...] or asked for by Exists(...), comments left out. Files that the
/// script includes are looked into as well.
/// @throws InputError if the script cannot be read
std::set<std::string> geo_parameters(const std::string& path);

/// True if the script gives points a size of their own: Point(..) = {x, y, z, size} or MeshSize {..} = size.
bool geo_sizes_points(const std::string& path);

/// True if the script starts other programs: SystemCall, NonBlockingSystemCall, OnelabRun. Files whose names
/// it computes are not seen.
bool geo_runs_commands(const std::string& path);

/// True if the script asks for variables of the environment: GetEnv. Files as above.
bool geo_asks_environment(const std::string& path);

/// The script, and the files named by Include, Merge and ShapeFromFile in it and in those, each once. Names
/// that are not there are left out: Gmsh will say so.
/// @throws InputError if the script itself cannot be read
std::vector<std::string> geo_files(const std::string& path);

}  // namespace curlew::mesh
