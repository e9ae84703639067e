// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files that are complete or absent: written under a temporary name in the same folder, then renamed.

#include <string>
#include <string_view>

namespace curlew::io {

/// Refuses to replace a device such as /dev/null by a file. @throws InputError if the path exists and is
/// neither a file nor a folder, ResourceError if its folder is missing or read-only
void require_replaceable(const std::string& path);

/// Write to part(), then commit(). The destructor removes a part that was not committed.
class AtomicFile {
 public:
  /// @throws Error as require_replaceable
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::string& path() const { return path_; }
  /// NAME.part-PID in the same folder; not created by this call.
  const std::string& part() const { return part_; }
  /// Renames the part; an older file of the name is replaced.
  /// @throws ResourceError if that fails
  void commit();

 private:
  std::string path_, part_;
};

/// Writes a text file whole.
/// @throws ResourceError if it cannot be written (with the system's reason)
void write_text_file(const std::string& path, std::string_view text);

/// @throws InputError if it cannot be read
std::string read_text_file(const std::string& path);

/// Removes NAME.part-PID files of this folder whose process is gone (killed, so that it could not clean up).
void remove_stale_parts(const std::string& folder);
/// The same for parts of this one file; others in the folder are not read.
void remove_stale_parts_of(const std::string& path);

/// For a copy of a process (fork): the parts belong to the parent.
void forget_all_parts() noexcept;

/// Removes the parts of this process at once, from a signal handler if need be.
void remove_all_parts() noexcept;

}  // namespace curlew::io
