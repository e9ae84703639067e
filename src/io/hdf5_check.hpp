// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Check of an HDF5 file of unknown origin: the library loops on some damaged files and crashes on others.

#include <string>

namespace curlew::io::h5 {

/// Opens every object of the file in a child process, so that a crash or an endless loop does not end this
/// one.
/// @throws InputError if it does, if the file cannot be opened, or if it takes data from another file
/// (external links, external storage and virtual datasets could read any file of the user)
void check_file(const std::string& path);

// ---- parts of it, for checks of many files (tests/fuzz) ----

enum Verdict : int { sound, damaged, foreign };
/// Opens every object, in the calling process.
Verdict look_at_file(const std::string& path);
/// @throws InputError unless the verdict is sound
void require_sound(int verdict, const std::string& path);

}  // namespace curlew::io::h5
