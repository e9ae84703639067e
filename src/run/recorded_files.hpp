// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The files that em-mesh read, as recorded in the mesh that it made.

#include <string>
#include <vector>

namespace curlew::run {

inline constexpr const char* absent = "absent";    ///< a file that was looked for and not there
inline constexpr const char* present = "present";  ///< one that was looked for and not read

struct RecordedFile {
  std::string path, identity;
};

/// The entries of the dataset read_files: lines "IDENTITY PATH", IDENTITY that of run::file_identity or one
/// of the words above.
/// @throws InputError if a mesh or file of curves records none
std::vector<RecordedFile> recorded_files(const std::string& path);

/// Whether all files are unchanged.
bool are_unchanged(const std::vector<RecordedFile>& files);

}  // namespace curlew::run
