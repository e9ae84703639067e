// SPDX-License-Identifier: BSD-3-Clause
#include "run/child_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "run/run_state.hpp"

extern char** environ;

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

/// Arguments for execv. @pre the words outlive the list
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A started child, its standard error readable here.
struct Child {
  pid_t pid = -1;
  int errors = -1;
};

using Environment = std::optional<std::vector<std::string>>;

pid_t spawn(const std::string& path, const std::vector<std::string>& arguments, int errors,
            const Environment& environment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  std::vector<std::string> words = arguments;
  const auto pointers = pointers_to(words);
  std::vector<std::string> variables = environment.value_or(std::vector<std::string>());
  const auto own = pointers_to(variables);
  pid_t child = -1;
  const int status = posix_spawn(&child, path.c_str(), &actions, nullptr, pointers.data(),
                                 environment ? own.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw ResourceError(fmt::format("{} cannot be started: {}", path, std::strerror(status)));
  return child;
}

Child start(const std::string& name, const std::string& path, const std::vector<std::string>& arguments,
            Bond bond, const Environment& environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw ResourceError(fmt::format("no pipe to {}: {}", name, std::strerror(errno)));
  std::vector<std::string> all{path};
  all.insert(all.end(), arguments.begin(), arguments.end());
  Child child{.errors = ends[0]};
  try {
    child.pid =
        bond == Bond::tight ? fork_program(path, all, ends[1]) : spawn(path, all, ends[1], environment);
  } catch (const ResourceError&) {
    close(ends[0]), close(ends[1]);
    throw;
  }
  close(ends[1]);
  return child;
}

/// Logs the complete lines of the text, keeps the rest. @return the last complete line, or `last`
std::string log_lines(const std::string& name, std::string& text, std::string last) {
  for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
    last = text.substr(0, end);
    if (last.starts_with(name + ": ")) last.erase(0, name.size() + 2);
    log::debug("{}: {}", name, last);
  }
  return last;
}

/// Reads until the child closes its end. @return its last line
std::string follow(const std::string& name, const Child& child) {
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
    last = log_lines(name, text, std::move(last));
  }
  if (!text.empty()) {
    text += '\n';
    last = log_lines(name, text, std::move(last));
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

[[noreturn]] void fail(const std::string& name, int status, const std::string& last) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGKILL)
      throw ResourceError(
          fmt::format("{} was killed, perhaps for lack of memory: choose a greater mesh size", name));
    throw NumericalError(fmt::format("{} ended by signal {}: {}", name, WTERMSIG(status), last));
  }
  const int left = WEXITSTATUS(status);
  const bool says_all = left == exit_input || left == exit_resource;
  throw_again({left, says_all ? last : fmt::format("{}: {}", name, last)});
}

}  // namespace

std::string find_program(const std::string& name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / name;
  return !error && access(program.c_str(), X_OK) == 0 ? program.string() : "";
}

pid_t fork_program(const std::string& path, const std::vector<std::string>& arguments, int errors) {
  std::vector<std::string> words = arguments;
  const auto pointers = pointers_to(words);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t child = fork();
  if (child != 0) close(nothing);
  if (child < 0) throw ResourceError(fmt::format("{} cannot be started: {}", path, std::strerror(errno)));
  if (child > 0) return child;
  // A child that is waited for must release its folder immediately, since a resumed run needs it.
  prctl(PR_SET_PDEATHSIG, errors >= 0 ? SIGKILL : SIGTERM);
  if (errors >= 0) {
    dup2(nothing, STDIN_FILENO), dup2(nothing, STDOUT_FILENO), dup2(errors, STDERR_FILENO);
  }
  execv(path.c_str(), pointers.data());
  _exit(exit_resource);
}

void run_program(const std::string& name, const std::string& path, const std::vector<std::string>& arguments,
                 Bond bond, const std::optional<std::vector<std::string>>& environment) {
  const Child child = start(name, path, arguments, bond, environment);
  std::string last;
  try {
    last = follow(name, child);
  } catch (const Interrupted&) {
    kill(child.pid, SIGTERM);  // it ends at once
    wait_for(child);
    throw;
  }
  const int status = wait_for(child);
  check_interrupt();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != exit_done) fail(name, status, last);
}

}  // namespace curlew::run
