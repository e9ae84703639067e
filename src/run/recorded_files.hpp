// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What em-mesh has read, as the mesh that it made states it.

#include <string>
#include <vector>

namespace curlew::run {

inline constexpr const char* absent = "absent";    ///< a file that was looked for and not there
inline constexpr const char* present = "present";  ///< one that was looked for and not read

struct RecordedFile {
  std::string path, identity;
};

/// Of the dataset read_files: lines "IDENTITY PATH", IDENTITY that of run::file_identity or one of the words
/// above.
/// @throws InputError if a mesh or file of curves records none
std::vector<RecordedFile> recorded_files(const std::string& path);

/// Whether all are as they were.
bool are_unchanged(const std::vector<RecordedFile>& files);

}  // namespace curlew::run
