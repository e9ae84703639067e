// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One run at a time in a folder of results: two would mix their files without either of them seeing it.

#include <chrono>
#include <string>

namespace curlew::run {

/// Holds FOLDER/.lock for as long as it lives. The lock is the kernel's: one whose process was killed is
/// free, whatever file it left.
class FolderLock {
 public:
  /// @param owner what the file says of its holder, beside process and host
  /// @param resumes waits up to ten seconds for the holder: a run that was killed has its folder until the
  ///   system has freed its memory
  /// @throws InputError if another run holds it then, naming that run; Interrupted by a signal meanwhile
  FolderLock(const std::string& folder, const std::string& owner, bool resumes = false);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  bool take(const std::string& folder);

  std::string path_;
  std::chrono::steady_clock::time_point deadline_;
  int file_ = -1;  // -1: the file system knows no locks
};

}  // namespace curlew::run
