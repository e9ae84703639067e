// SPDX-License-Identifier: BSD-3-Clause
// Source: man 3 dlsym, RTLD_NEXT. A program's symbols come before those of the libraries that it loads.
#include "programs/mesh/recorded_files.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>

#include "base/error.hpp"
#include "run/file_identity.hpp"
#include "run/recorded_files.hpp"

namespace {

using namespace curlew;

std::atomic<bool> is_recording = false;
thread_local bool is_inside = false;  // calls from this file are not recorded

std::mutex record_mutex;
std::map<std::string, std::string>& record() {
  static std::map<std::string, std::string> files;
  return files;
}

enum class Asked { content, presence };

/// System files and settings of Gmsh's window library are not part of a geometry.
bool is_of_the_system(std::string_view path) {
  const char* home = std::getenv("HOME");
  return path.find("/fltk.org") != std::string_view::npos || path.find("/.fltk") != std::string_view::npos ||
         (home != nullptr && path == home) || path.starts_with("/proc/") || path.starts_with("/sys/") ||
         path.starts_with("/dev/");
}

std::string state_of(const std::string& path, Asked asked) {
  std::error_code fault;
  if (!std::filesystem::exists(path, fault)) return run::absent;
  if (asked == Asked::presence || std::filesystem::is_directory(path, fault)) return run::present;
  try {
    return run::file_identity(path);
  } catch (const InputError&) {
    return run::absent;
  }
}

/// Called before the file is read. The first record counts, except that content replaces existence.
void note(const char* name, Asked asked) {
  if (!is_recording || is_inside || name == nullptr || *name == '\0') return;
  is_inside = true;
  std::error_code fault;
  const std::string path = std::filesystem::absolute(name, fault).lexically_normal().string();
  if (!is_of_the_system(path)) {
    const std::string state = state_of(path, asked);
    const std::lock_guard lock(record_mutex);
    auto& known = record()[path];
    if (known.empty() || known == run::present) known = state;
  }
  is_inside = false;
}

bool reads(int flags) {
  return (flags & O_ACCMODE) != O_WRONLY && (flags & O_TRUNC) == 0;
}

/// A copy of a script with the end of line that it lacks; null if it lacks none.
std::FILE* ended_copy(const char* name, const char* mode, std::FILE* file) {
  if (!is_recording || file == nullptr || mode[0] != 'r' || !std::string_view(name).ends_with(".geo"))
    return nullptr;
  const bool has_end = std::fseek(file, -1, SEEK_END) != 0 || std::fgetc(file) == '\n';
  std::rewind(file);
  if (has_end) return nullptr;
  const int copy = memfd_create("geo", MFD_CLOEXEC);
  std::FILE* const out = copy < 0 ? nullptr : fdopen(copy, "w+");
  if (out == nullptr) return nullptr;
  for (int c; (c = std::fgetc(file)) != EOF;) std::fputc(c, out);
  std::fputc('\n', out);
  std::fflush(out);
  std::rewind(out);
  return out;
}

/// The C library's function of a name.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::FILE* open_stream(const char* function, const char* name, const char* mode) {
  if (mode != nullptr && (mode[0] == 'r' || mode[0] == 'a')) note(name, Asked::content);
  std::FILE* const file = next<std::FILE*(const char*, const char*)>(function)(name, mode);
  std::FILE* const copy = ended_copy(name, mode, file);
  if (copy == nullptr) return file;
  std::fclose(file);
  return copy;
}

/// The mode that follows the flags of a file that may be made.
mode_t mode_after(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? mode_t(va_arg(arguments, int)) : mode_t(0);
}

}  // namespace

// Replaces functions by their linker names: the headers of the C library define some of them inline.
#define CURLEW_REPLACES(name) __asm__(name) __attribute__((visibility("default"), used))
extern "C" {
std::FILE* recorded_fopen(const char* name, const char* mode) CURLEW_REPLACES("fopen");
std::FILE* recorded_fopen64(const char* name, const char* mode) CURLEW_REPLACES("fopen64");
int recorded_open(const char* name, int flags, ...) CURLEW_REPLACES("open");
int recorded_open64(const char* name, int flags, ...) CURLEW_REPLACES("open64");
int recorded_open_2(const char* name, int flags) CURLEW_REPLACES("__open_2");
int recorded_open64_2(const char* name, int flags) CURLEW_REPLACES("__open64_2");
int recorded_openat(int folder, const char* name, int flags, ...) CURLEW_REPLACES("openat");
int recorded_openat64(int folder, const char* name, int flags, ...) CURLEW_REPLACES("openat64");
int recorded_stat(const char* name, struct stat* out) CURLEW_REPLACES("stat");
int recorded_stat64(const char* name, struct stat64* out) CURLEW_REPLACES("stat64");
int recorded_access(const char* name, int mode) CURLEW_REPLACES("access");

std::FILE* recorded_fopen(const char* name, const char* mode) {
  return open_stream("fopen", name, mode);
}
std::FILE* recorded_fopen64(const char* name, const char* mode) {
  return open_stream("fopen64", name, mode);
}
#define CURLEW_OPEN(function, original)                                   \
  int function(const char* name, int flags, ...) {                        \
    va_list arguments;                                                    \
    va_start(arguments, flags);                                           \
    const mode_t mode = mode_after(flags, arguments);                     \
    va_end(arguments);                                                    \
    if (reads(flags)) note(name, Asked::content);                         \
    return next<int(const char*, int, ...)>(original)(name, flags, mode); \
  }
CURLEW_OPEN(recorded_open, "open")
CURLEW_OPEN(recorded_open64, "open64")
#undef CURLEW_OPEN
#define CURLEW_OPENAT(function, original)                                              \
  int function(int folder, const char* name, int flags, ...) {                         \
    va_list arguments;                                                                 \
    va_start(arguments, flags);                                                        \
    const mode_t mode = mode_after(flags, arguments);                                  \
    va_end(arguments);                                                                 \
    if (reads(flags) && folder == AT_FDCWD) note(name, Asked::content);                \
    return next<int(int, const char*, int, ...)>(original)(folder, name, flags, mode); \
  }
CURLEW_OPENAT(recorded_openat, "openat")
CURLEW_OPENAT(recorded_openat64, "openat64")
#undef CURLEW_OPENAT
int recorded_open_2(const char* name, int flags) {
  return recorded_open(name, flags);
}
int recorded_open64_2(const char* name, int flags) {
  return recorded_open64(name, flags);
}
int recorded_stat(const char* name, struct stat* out) {
  note(name, Asked::presence);
  return next<int(const char*, struct stat*)>("stat")(name, out);
}
int recorded_stat64(const char* name, struct stat64* out) {
  note(name, Asked::presence);
  return next<int(const char*, struct stat64*)>("stat64")(name, out);
}
int recorded_access(const char* name, int mode) {
  note(name, Asked::presence);
  return next<int(const char*, int)>("access")(name, mode);
}
}

namespace curlew::programs {

FileRecord::FileRecord() {
  is_recording = true;
}
FileRecord::~FileRecord() {
  is_recording = false;
}

std::string recorded_files() {
  std::string text;
  for (const auto& [path, state] : record())
    if (path.find('\n') == std::string::npos) text += state + " " + path + "\n";
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* out) {
        const std::string path = object->dlpi_name;
        if (path.find("libgmsh") != std::string::npos)
          *static_cast<std::string*>(out) += run::file_identity(path) + " " + path + "\n";
        return 0;
      },
      &text);
  return text;
}

}  // namespace curlew::programs
