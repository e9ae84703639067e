// SPDX-License-Identifier: BSD-3-Clause
#include "io/atomic_file.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::io {
namespace {

// Names of the parts of this process, in plain memory that a signal handler may read.
struct Slot {
  std::atomic<bool> used = false;
  std::array<char, 4096> name{};
};
std::array<Slot, 64> slots;

void remember(const std::string& name) {
  for (auto& slot : slots) {
    bool expected = false;
    if (name.size() >= slot.name.size() || !slot.used.compare_exchange_strong(expected, true)) continue;
    std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
    return;
  }
}

void forget(const std::string& name) {
  for (auto& slot : slots) {
    if (slot.used && name == slot.name.data()) {
      slot.name[0] = '\0';
      slot.used = false;
    }
  }
}

struct File {
  explicit File(const std::string& name, const char* mode) : handle(std::fopen(name.c_str(), mode)) {}
  ~File() {
    if (handle != nullptr) std::fclose(handle);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool close() { return std::fclose(std::exchange(handle, nullptr)) == 0; }
  std::FILE* handle;
};

/// Largest number of bytes read from a pipe; the size of a file is known in advance.
constexpr std::size_t longest_of_a_pipe = std::size_t(64) << 20;

struct stat status_of(std::FILE* file) {
  struct stat status {};
  fstat(fileno(file), &status);
  return status;
}
bool is_regular(std::FILE* file) {
  return S_ISREG(status_of(file).st_mode);
}

/// @throws InputError for a device, which may never end (/dev/zero), ResourceError for more than memory can
/// hold
void require_end(std::FILE* file, const std::string& path) {
  const struct stat status = status_of(file);
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    throw InputError(fmt::format("{}: is a device: must be a file", path));
  constexpr off_t always_fits = off_t(64) << 20;
  if (S_ISREG(status.st_mode) && status.st_size > always_fits)
    require_memory(std::size_t(status.st_size), path.c_str());
}

/// Whether a process has ended. A killed one keeps its number until its parent waits for it, which may never
/// happen.
bool is_gone(pid_t process) {
  if (::kill(process, 0) != 0) return errno == ESRCH;
  std::string state;
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::getline(file, state);
  const auto after_name = state.rfind(") ");
  return after_name != std::string::npos && (state[after_name + 2] == 'Z' || state[after_name + 2] == 'X');
}

/// @param of name of a file; empty: all files
void remove_parts(const std::string& folder, const std::string& of) {
  std::error_code fault;
  constexpr std::string_view mark = ".part-";
  for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
    const std::string name = entry.path().filename().string();
    const auto at = name.rfind(mark);
    if (at == std::string::npos || (!of.empty() && name.substr(0, at) != of)) continue;
    const char *first = name.data() + at + mark.size(), *last = name.data() + name.size();
    pid_t process = 0;
    const auto [end, bad] = std::from_chars(first, last, process);
    if (bad == std::errc() && end == last && process > 0 && is_gone(process)) ::unlink(entry.path().c_str());
  }
}

}  // namespace

void require_replaceable(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    throw InputError(fmt::format("{}: is a device or a pipe: name a file, which may be a new one", path));
  const auto folder = std::filesystem::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    throw ResourceError(fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
}

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)), part_(fmt::format("{}.part-{}", path_, getpid())) {
  require_replaceable(path_);
  remember(part_);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), part_(std::exchange(other.part_, {})) {}

AtomicFile::~AtomicFile() {
  if (part_.empty()) return;
  ::unlink(part_.c_str());
  forget(part_);
}

void AtomicFile::commit() {
  require_replaceable(path_);
  if (std::rename(part_.c_str(), path_.c_str()) != 0) {
    throw ResourceError(
        fmt::format("{}: the finished file cannot be renamed to this ({})", path_, std::strerror(errno)));
  }
  forget(part_);
  part_.clear();
}

void write_text_file(const std::string& path, std::string_view text) {
  AtomicFile target(path);
  File file(target.part(), "wb");
  if (file.handle == nullptr)
    throw ResourceError(fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
  const bool written = std::fwrite(text.data(), 1, text.size(), file.handle) == text.size();
  if (!file.close() || !written)
    throw ResourceError(fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
  target.commit();
}

std::string read_text_file(const std::string& path) {
  File file(path, "rb");
  if (file.handle == nullptr)
    throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  require_end(file.handle, path);
  std::string text;
  std::array<char, 1 << 16> block{};
  for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), file.handle)) > 0;) {
    text.append(block.data(), n);
    if (text.size() > longest_of_a_pipe && !is_regular(file.handle))
      throw InputError(fmt::format("{}: does not end within {} MiB", path, longest_of_a_pipe >> 20));
    check_interrupt();
  }
  if (std::ferror(file.handle) != 0)
    throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  return text;
}

void remove_stale_parts(const std::string& folder) {
  remove_parts(folder, {});
}

void remove_stale_parts_of(const std::string& path) {
  const std::filesystem::path file(path);
  const auto folder = file.parent_path();
  remove_parts(folder.empty() ? "." : folder.string(), file.filename().string());
}

void forget_all_parts() noexcept {
  for (auto& slot : slots) slot.name[0] = '\0', slot.used = false;
}

void remove_all_parts() noexcept {
  for (const auto& slot : slots) {
    if (slot.used && slot.name[0] != '\0') ::unlink(slot.name.data());
  }
}

}  // namespace curlew::io
