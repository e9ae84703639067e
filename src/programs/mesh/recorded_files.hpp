// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The files that Gmsh reads. A .geo names them by any expression, so that nobody knows them before; a mesh
// that is kept must know them. Calls of the C library that open a file or ask for one are those of
// recorded_files.cpp in em-mesh and in all libraries that it loads.

#include <string>

namespace curlew::programs {

/// Records for the life of a scope. A .geo whose last line has no end, of which Gmsh would leave out a part,
/// is given one.
class FileRecord {
 public:
  FileRecord();
  ~FileRecord();
  FileRecord(const FileRecord&) = delete;
  FileRecord& operator=(const FileRecord&) = delete;
};

/// What all records hold, and the Gmsh library that is loaded, as run::recorded_files reads it: a line
/// "IDENTITY PATH" each.
std::string recorded_files();

}  // namespace curlew::programs
