// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sound files of every kind that programs read back, small, and their readers.

#include <array>
#include <cstddef>
#include <functional>
#include <string>

namespace curlew::fuzz {

struct FileKind {
  const char* name;
  std::function<void(const std::string&)> write;
  /// As programs read it: accepted data must be valid for a computation.
  std::function<void(const std::string&)> read;
};

/// mesh.h5, system.h5, curves.h5, points of em-ngim, a mesh with sizes, velocities of nodes, a frequency of a
/// sweep and passes of a refinement, kept for --resume.
const std::array<FileKind, 8>& file_kinds();
/// The kind of file by an input's first byte.
std::size_t kind_of(unsigned char first);
/// The bytes of a sound file of that kind, which is written once a process.
const std::string& sound_file(std::size_t kind);

}  // namespace curlew::fuzz
