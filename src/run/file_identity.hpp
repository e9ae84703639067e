// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Identifiers of the content of a file and of the build of a program, by which saved results record their
// inputs.

#include <string>
#include <vector>

#include "io/config.hpp"

namespace curlew::run {

/// The linker's build id of a program or library, for other files a hash of their content. A file is read
/// again only if its size or times changed.
/// @throws InputError if it cannot be read
std::string file_identity(const std::string& path);

/// Identifier of this build of a program: the same for NAME and NAME-mpi, which can resume each other's runs.
std::string build_identity(const std::string& program);

/// The files that a config names and a run reads: of the mesh and of contours, with the scripts that a .geo
/// includes by name, and tables of materials and walls. Only existing files.
std::vector<std::string> named_files(const io::Config& config);

}  // namespace curlew::run
