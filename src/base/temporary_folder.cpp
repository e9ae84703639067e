// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace curlew {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "curlew-run-";

int open_folder(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool is_own(int folder) {
  struct stat found {};
  return fstat(folder, &found) == 0 && found.st_uid == geteuid();
}

/// False if a process has locked it; on file systems without locks always false.
bool is_abandoned(int folder) {
  return is_own(folder) && flock(folder, LOCK_EX | LOCK_NB) == 0;
}

/// The lock is held while a folder is removed: its maker notices.
void remove_abandoned(const fs::path& top) {
  std::error_code fault;
  for (fs::directory_iterator entry(top, fault), end; !fault && entry != end; entry.increment(fault)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const int folder = open_folder(entry->path());
    if (folder < 0) continue;
    std::error_code left;
    if (is_abandoned(folder)) fs::remove_all(entry->path(), left);
    close(folder);
  }
}

/// @return descriptor with the lock, -1 if another process removed the folder before it was locked
int hold(const std::string& path) {
  const int folder = open_folder(path);
  if (folder < 0) return -1;
  const bool is_taken = flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat own {
  }, named{};
  if (!is_taken && fstat(folder, &own) == 0 && stat(path.c_str(), &named) == 0 && own.st_ino == named.st_ino)
    return folder;
  close(folder);
  return -1;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::error_code fault;
  const fs::path top = fs::temp_directory_path(fault);
  if (fault) throw ResourceError("there is no folder for temporary files (TMPDIR): " + fault.message());
  remove_abandoned(top);
  while (lock_ < 0) {
    path_ = (top / (prefix + name + "-XXXXXX")).string();
    if (mkdtemp(path_.data()) == nullptr)
      throw ResourceError(path_ + ": no folder can be made there: " + std::strerror(errno));
    lock_ = hold(path_);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code left;
  fs::remove_all(path_, left);
  close(lock_);
}

}  // namespace curlew
