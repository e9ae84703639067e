// SPDX-License-Identifier: BSD-3-Clause
#include "base/restart.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "base/blas_kernels.hpp"

namespace curlew {
namespace {

bool is_set(const char* name) {
  return std::getenv(name) != nullptr;
}

/// False under valgrind, which does not follow a restart, and when the command names a loader, which started
/// the program.
bool can_restart() {
  const char* preloaded = std::getenv("LD_PRELOAD");
  const bool has_valgrind =
      preloaded != nullptr && std::string_view(preloaded).find("vgpreload") != std::string_view::npos;
  return !has_valgrind && getauxval(AT_BASE) != 0;
}

/// Not those of a program that runs within another, a test or a host of the library: the other would start
/// again in its place.
bool are_of_process(char** argv) {
  std::ifstream file("/proc/self/cmdline");
  std::string word;
  for (; std::getline(file, word, '\0'); ++argv)
    if (*argv == nullptr || word != *argv) return false;
  return *argv == nullptr;
}

/// Restarts by the path and not by /proc/self/exe, which would become the name of the process. Returns if it
/// cannot be.
void restart(char** argv) {
  std::error_code unreadable;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  if (!unreadable) execv(program.c_str(), argv);
}

/// Former values of environment variables; they are restored if the restart fails, so that the environment
/// matches this process.
class Changed {
 public:
  explicit Changed(const Settings& settings) {
    for (const auto& [name, value] : settings) {
      const char* before = std::getenv(name.c_str());
      (before != nullptr ? replaced_ : added_).emplace_back(name, before != nullptr ? before : "");
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  void take_back() const {
    for (const auto& [name, before] : replaced_) setenv(name.c_str(), before.c_str(), 1);
    for (const auto& [name, none] : added_) unsetenv(name.c_str());
  }

 private:
  Settings replaced_, added_;
};

}  // namespace

Settings waiting_settings() {
  Settings settings;
  if (!is_set("OMP_WAIT_POLICY") && !is_set("GOMP_SPINCOUNT"))
    settings.emplace_back("OMP_WAIT_POLICY", "passive");
  // The smallest value that OpenBLAS accepts: 2^4 iterations.
  if (!is_set("OPENBLAS_THREAD_TIMEOUT")) settings.emplace_back("OPENBLAS_THREAD_TIMEOUT", "4");
  return settings;
}

void restart_with_right_settings(char** argv) {
  static bool has_looked = false;
  if (has_looked || !are_of_process(argv)) return;
  has_looked = true;
  Settings settings = waiting_settings();
  for (auto& setting : blas_kernel_settings()) settings.push_back(std::move(setting));
  if (settings.empty() || !can_restart()) return;
  const Changed changed(settings);
  restart(argv);
  changed.take_back();
}

void restart_with_own_blas_kernels(char** argv) {
  if (blas_kernels_are_users() && can_restart() && are_of_process(argv)) {
    const Changed waiting(waiting_settings());
    unsetenv("OPENBLAS_CORETYPE");
    restart(argv);
    waiting.take_back();
  }
  restart_with_right_settings(argv);
}

}  // namespace curlew
