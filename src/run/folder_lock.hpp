// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One run at a time in a folder of results: two runs would mix their files unnoticed.

#include <chrono>
#include <string>

namespace curlew::run {

/// Holds FOLDER/.lock while it exists. The kernel frees the lock when its process ends for any reason, even
/// if the file remains.
class FolderLock {
 public:
  /// @param owner description of the holder, written to the file with process and host
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
  int file_ = -1;  // -1: the file system has no locks
};

}  // namespace curlew::run
