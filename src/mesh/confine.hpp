// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A .geo is a program: Gmsh lets it run commands and write files. These limits hold for the rest of this
// process.

#include <string>
#include <vector>

namespace curlew::mesh {

/// No other program is started (seccomp), files are made, changed or removed only below these folders
/// (Landlock, where the kernel has it), and no more memory is taken than the machine has free.
void confine(const std::vector<std::string>& writable_folders);

}  // namespace curlew::mesh
