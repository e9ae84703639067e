// SPDX-License-Identifier: BSD-3-Clause
#include "run/mesh_converter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"

extern char** environ;

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

/// A started child, its standard error readable here.
struct Child {
  pid_t pid = -1;
  int errors = -1;
};

Child start(const std::string& program, const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw ResourceError(fmt::format("no pipe to em-mesh: {}", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);

  std::vector<std::string> all{program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& text : all) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  Child child{.errors = ends[0]};
  const int status = posix_spawn(&child.pid, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (status == 0) return child;
  close(ends[0]);
  throw ResourceError(fmt::format("{} cannot be started: {}", program, std::strerror(status)));
}

/// Logs the complete lines of the text, keeps the rest. @return the last complete line, or `last`
std::string log_lines(std::string& text, std::string last) {
  for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
    last = text.substr(0, end);
    if (last.starts_with("em-mesh: ")) last.erase(0, 9);
    log::debug("em-mesh: {}", last);
  }
  return last;
}

/// Reads until the child closes its end. @return its last line
std::string follow(const Child& child) {
  std::string text, last;
  char buffer[4096];
  while (true) {
    pollfd wait{child.errors, POLLIN, 0};
    if (poll(&wait, 1, 200) <= 0) {
      check_interrupt();
      continue;
    }
    const ssize_t count = read(child.errors, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer, std::size_t(count));
    last = log_lines(text, std::move(last));
  }
  if (!text.empty()) {
    text += '\n';
    last = log_lines(text, std::move(last));
  }
  return last;
}

int wait_for(const Child& child) {
  int status = 0;
  while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  close(child.errors);
  return status;
}

[[noreturn]] void fail(int status, const std::string& last) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGKILL)
      throw ResourceError("em-mesh was killed, perhaps for lack of memory: choose a greater mesh size");
    throw NumericalError(fmt::format("em-mesh ended by signal {}: {}", WTERMSIG(status), last));
  }
  switch (WEXITSTATUS(status)) {
    case exit_input:
      throw InputError(last);
    case exit_resource:
      throw ResourceError(last);
    case exit_interrupted:
      throw Interrupted();
    default:
      throw NumericalError(fmt::format("em-mesh: {}", last));
  }
}

}  // namespace

std::string find_mesh_converter() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / "em-mesh";
  return !error && access(program.c_str(), X_OK) == 0 ? program.string() : "";
}

void run_mesh_converter(const std::string& program, const std::vector<std::string>& arguments) {
  const Child child = start(program, arguments);
  std::string last;
  try {
    last = follow(child);
  } catch (const Interrupted&) {
    kill(child.pid, SIGTERM);  // em-mesh ends at once
    wait_for(child);
    throw;
  }
  const int status = wait_for(child);
  check_interrupt();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != exit_done) fail(status, last);
}

}  // namespace curlew::run
