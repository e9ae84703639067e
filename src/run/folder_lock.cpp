// SPDX-License-Identifier: BSD-3-Clause
#include "run/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "base/error.hpp"

namespace curlew::run {
namespace {

constexpr std::chrono::seconds patience(10);

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

std::string content(int file) {
  std::array<char, 512> text{};
  const ssize_t count = pread(file, text.data(), text.size() - 1, 0);
  return count > 0 ? std::string(text.data(), std::size_t(count)) : "another run";
}

/// False if the holder removed the file between opening and locking it.
bool is_still_there(int file, const std::string& path) {
  struct stat own {
  }, named{};
  return fstat(file, &own) == 0 && stat(path.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, const std::string& owner, bool resumes)
    : path_(folder + "/.lock"),
      deadline_(std::chrono::steady_clock::now() + (resumes ? patience : std::chrono::seconds(0))) {
  while (!take(folder)) check_interrupt();
  if (file_ < 0) return;
  const std::string text = fmt::format("{}, process {} on {}", owner, getpid(), host_name());
  if (ftruncate(file_, 0) != 0 || pwrite(file_, text.data(), text.size(), 0) < 0) {
    // A full disk: the lock is valid without the owner's name.
  }
}

bool FolderLock::take(const std::string& folder) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0)
    throw ResourceError(fmt::format("--output {}: cannot be written ({})", folder, std::strerror(errno)));
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) {
    if (is_still_there(file_, path_)) return true;
    close(file_);
    return false;
  }
  const int fault = errno;
  const std::string holder = content(file_);
  close(file_);
  file_ = -1;
  if (fault == EINTR) return false;
  if (fault != EWOULDBLOCK) return true;  // no locks on this file system
  if (std::chrono::steady_clock::now() < deadline_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return false;
  }
  throw InputError(
      fmt::format("--output {}: in use by {}: wait for it, or give another folder", folder, holder));
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  unlink(path_.c_str());  // before the lock is released, so that a waiting process notices
  close(file_);
}

}  // namespace curlew::run
