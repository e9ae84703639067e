// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Meshes that em-mesh makes of a geometry, cached for the next run.

#include <functional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "run/needed_regions.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// Reads a file that em-mesh, from the folder of the running program, made of a geometry. It is cached in the
/// folder .mesh-cache next to the output folder, which the points of a sweep share, named by a hash of the
/// geometry's content and place, the options and em-mesh's build. It is used again if all files that em-mesh
/// read are unchanged and no other user can have written it. A dry run caches nothing.
/// @param kept false for a file that no other run needs: not cached
/// @param table that has the key `file`, for messages
/// @param arguments of em-mesh, without the names of the two files
/// @param read reads the file at a path; its InputError means that the file is damaged
/// @param needed regions that the geometry must have
/// @throws InputError with the place of `file`, or of the region that is missing
void with_converted(const io::Config& table, const std::string& geometry, std::vector<std::string> arguments,
                    Run& run, const std::function<void(const std::string&)>& read,
                    const std::vector<NeededRegion>& needed = {}, bool kept = true);

}  // namespace curlew::run
