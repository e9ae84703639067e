// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5_check.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

namespace curlew::io::h5 {
namespace {

/// [s] of the processor for names and shapes, which sound files need milliseconds for; numbers are not read.
constexpr rlim_t most_seconds = 2;

/// The child of a process with threads: it calls HDF5 and ends without the parent's clean-up.
[[noreturn]] void look_as_child(const std::string& path) {
  const rlimit seconds{most_seconds, most_seconds}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE}) std::signal(signal, SIG_DFL);
  _exit(look_at_file(path));
}

}  // namespace

void check_file(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) look_as_child(path);
  if (child < 0)
    throw ResourceError(fmt::format("{}: no process to look at it first ({})", path, std::strerror(errno)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  require_sound(WIFEXITED(status) ? WEXITSTATUS(status) : damaged, path);
}

}  // namespace curlew::io::h5
