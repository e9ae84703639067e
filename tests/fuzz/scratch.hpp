// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the fuzz targets: their input as a text or a file, and the errors that are correct results.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"

namespace curlew::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A folder that is removed with this process; in memory if the system has such a folder.
class Scratch {
 public:
  Scratch() {
    const std::filesystem::path memory = "/dev/shm";
    folder_ = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    folder_ /= "curlew-fuzz-" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// The path of a new file with this content.
  std::string file(const std::string& name, std::string_view content) const {
    const std::string place = path(name);
    std::remove(place.c_str());  // HDF5 knows files by their numbers in the system
    std::FILE* out = std::fopen(place.c_str(), "wb");
    if (out == nullptr || std::fwrite(content.data(), 1, content.size(), out) != content.size()) std::abort();
    std::fclose(out);
    return place;
  }

 private:
  std::filesystem::path folder_;
};

inline const Scratch& scratch() {
  static const Scratch only;
  return only;
}

/// Runs a reader: it accepts its input, or refuses it by one of our errors. Any other exception is a
/// finding.
/// @return true if it accepted
template <class Reader>
bool accepts(Reader&& read) {
  // One thread: inputs are small, and threads that wait for the next loop take the processor from it.
  static const bool is_calm = (log::start("fuzz", log::Verbosity::quiet), set_num_threads(1), true);
  static_cast<void>(is_calm);
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace curlew::fuzz
