// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Temporary folders. Those of killed processes are removed when the next one is made.

#include <string>

namespace curlew {

/// A new folder curlew-run-NAME-XXXXXX in the system's folder for temporary files, removed with its content
/// by the destructor. The process locks it: unlocked ones of this user are removed first.
class TemporaryFolder {
 public:
  /// @param name its purpose
  /// @throws ResourceError if no folder for temporary files is writable
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
