// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What tells one content of a file, and one build of a program, from another: results that are kept know by
// it what they were made of.

#include <string>
#include <vector>

#include "io/config.hpp"

namespace curlew::run {

/// Of a program or library the build id that its linker gave it, of other files a hash of their content.
/// A file whose size and times have not changed is read once.
/// @throws InputError if it cannot be read
std::string file_identity(const std::string& path);

/// Of this build of a program: the same for NAME and NAME-mpi, which continue with each other's solutions.
std::string build_identity(const std::string& program);

/// The files that a config names and a run reads: of the mesh and of contours, with the scripts that a .geo
/// includes by name, and tables of materials and walls. Only those that are there.
std::vector<std::string> named_files(const io::Config& config);

}  // namespace curlew::run
