// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What em-mesh makes of a geometry, kept for the next run.

#include <functional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "run/needed_regions.hpp"
#include "run/run.hpp"

namespace curlew::run {

/// Reads a file that the em-mesh beside the running program made of a geometry. It is kept in the folder
/// .mesh-cache beside the output folder, which the points of a sweep share, named by a hash of the geometry's
/// content and place, the options and em-mesh's build. It is used where all files that em-mesh has read are
/// as they were, and nobody else can have written it. A dry run keeps nothing.
/// @param kept false for a file that no other run would ask for: made again every time
/// @param table that has the key `file`, for messages
/// @param arguments of em-mesh, without the names of the two files
/// @param read takes what it needs of the file at a path; an InputError says that it is damaged
/// @param needed regions without which em-mesh does not begin
/// @throws InputError with the place of `file`, or of the region that is missing
void with_converted(const io::Config& table, const std::string& geometry, std::vector<std::string> arguments,
                    Run& run, const std::function<void(const std::string&)>& read,
                    const std::vector<NeededRegion>& needed = {}, bool kept = true);

}  // namespace curlew::run
