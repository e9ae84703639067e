// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Folders for files that nobody keeps. One whose process was killed is removed when the next one is made.

#include <string>

namespace curlew {

/// A new folder curlew-run-NAME-XXXXXX where the system keeps temporary files; gone with all in it when this
/// ends. The process holds a lock on it: those of this user that nobody holds are removed first.
class TemporaryFolder {
 public:
  /// @param name what it is for
  /// @throws ResourceError if there is no place for temporary files
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace curlew
