// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The files that Gmsh reads. A .geo names them by any expression, so they are not known in advance, but a
// cached mesh must list them. recorded_files.cpp therefore replaces the calls of the C library that open a
// file or query one, in em-mesh and all libraries that it loads.

#include <string>

namespace curlew::programs {

/// Records while it exists. A .geo whose last line has no newline, of which Gmsh would ignore a part, is
/// given one.
class FileRecord {
 public:
  FileRecord();
  ~FileRecord();
  FileRecord(const FileRecord&) = delete;
  FileRecord& operator=(const FileRecord&) = delete;
};

/// All recorded files and the loaded Gmsh library, as run::recorded_files reads them: a line "IDENTITY PATH"
/// each.
std::string recorded_files();

}  // namespace curlew::programs
