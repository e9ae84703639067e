// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One run at a time in a folder of results: two would mix their files without either of them seeing it.

#include <string>

namespace curlew::run {

/// Holds FOLDER/.lock for as long as it lives. The lock is the kernel's: one whose process was killed is
/// free, whatever file it left.
class FolderLock {
 public:
  /// @param owner what the file says of its holder, beside process and host
  /// @throws InputError if another run holds it, naming that run
  FolderLock(const std::string& folder, const std::string& owner);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  bool take(const std::string& folder);

  std::string path_;
  int file_ = -1;  // -1: the file system knows no locks
};

}  // namespace curlew::run
