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

/// [s] of the processor for reading names and shapes, which takes milliseconds in intact files; numbers are
/// not read.
constexpr rlim_t most_seconds = 2;
/// [s] of elapsed time, for slow disks, and the number of attempts: the child may wait for a lock that
/// another thread had at the fork (as in the address sanitizer's allocator).
constexpr unsigned most_wait = 30;
constexpr int most_tries = 3;

/// Run in the child of a process with threads: calls HDF5 and ends without the parent's clean-up.
[[noreturn]] void look_as_child(const std::string& path) {
  const rlimit seconds{most_seconds, most_seconds}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM}) std::signal(signal, SIG_DFL);
  alarm(most_wait);
  _exit(look_at_file(path));
}

/// @return the status of the child, as waitpid gives it
int status_of_look(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) look_as_child(path);
  if (child < 0)
    throw ResourceError(fmt::format("{}: the process that checks the file could not be started ({})", path,
                                    std::strerror(errno)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void check_file(const std::string& path) {
  for (int i = 0; i < most_tries; ++i) {
    const int status = status_of_look(path);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) continue;
    return require_sound(WIFEXITED(status) ? WEXITSTATUS(status) : damaged, path);
  }
  throw ResourceError(fmt::format("{}: could not be read within {} s", path, most_wait));
}

}  // namespace curlew::io::h5
