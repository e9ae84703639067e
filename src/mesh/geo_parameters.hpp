// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parameters of a .geo script and the files that it reads, found without running it. Gmsh
// ignores a number for a name that the script does not declare, so a misspelt parameter would go unnoticed.

#include <set>
#include <string>
#include <vector>

namespace curlew::mesh {

/// Names declared in DefineConstant[...] or queried by Exists(...), without comments, also in included files.
/// @throws InputError if the script cannot be read
std::set<std::string> geo_parameters(const std::string& path);

/// True if the script sets sizes at points: Point(..) = {x, y, z, size} or MeshSize {..} = size.
bool geo_sizes_points(const std::string& path);

/// True if the script starts other programs: SystemCall, NonBlockingSystemCall, OnelabRun. Files with
/// computed names are not searched.
bool geo_runs_commands(const std::string& path);

/// True if the script reads environment variables: GetEnv. Files as above.
bool geo_asks_environment(const std::string& path);

/// The script, and the files named by Include, Merge and ShapeFromFile in it and in those, each once. Missing
/// files are left out: Gmsh will report them.
/// @throws InputError if the script itself cannot be read
std::vector<std::string> geo_files(const std::string& path);

}  // namespace curlew::mesh
