// SPDX-License-Identifier: BSD-3-Clause
// --jobs N with a GPU, whose context no copy of a process may use: shares are processes of this program.

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/cores.hpp"
#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "run/child_program.hpp"
#include "run/share.hpp"
#include "run/sweep_plan.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

/// The command line without the options that each share gets separately.
std::vector<std::string> shared_arguments(const Options& options) {
  std::vector<std::string> out;
  const auto& given = options.command;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& a = given[i];
    if (a == "--jobs") {
      ++i;
    } else if (!a.starts_with("--jobs=") && a != "-v" && a != "--verbose" && a != "-q" && a != "--quiet") {
      out.push_back(a);
    }
  }
  out.emplace_back(options.verbosity == log::Verbosity::verbose ? "-v" : "-q");
  return out;
}

/// Exit status of an ended process, 3 (resources) if it was killed; empty while it runs.
std::optional<int> status_of(pid_t child) {
  int status = 0;
  const pid_t ended = waitpid(child, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : exit_resource;
}

/// Waits for all. A signal to this process is passed on to the children, which then have some time to end.
/// @return the greatest exit status
int wait_for(std::vector<pid_t> children) {
  int worst = 0;
  std::optional<InterruptHold> told;
  while (!children.empty()) {
    std::erase_if(children, [&](pid_t child) {
      const auto status = status_of(child);
      worst = std::max(worst, status.value_or(0));
      return status.has_value();
    });
    if (is_interrupt_pending() && !told) {
      for (const pid_t child : children) kill(child, SIGTERM);
      told.emplace();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return told ? exit_interrupted : worst;
}

/// Without --resume nothing of an earlier run counts.
void forget(const SweepPlan& plan, const std::string& output) {
  std::error_code ignored;
  fs::remove(fs::path(output) / "manifest.json", ignored);
  fs::remove_all(fs::path(output) / ".shares", ignored);
  for (const auto& point : plan.points) fs::remove(fs::path(output) / point.folder / "summary.json", ignored);
  for (const auto& entry : fs::directory_iterator(output, ignored))
    if (entry.path().filename().string().starts_with("share_")) fs::remove_all(entry.path(), ignored);
}

}  // namespace

Outcome execute_jobs(const Context& context, const io::Config& config, const std::string& output) {
  const Options& options = context.options;
  const bool has_points = !options.sweeps.empty();
  const SweepPlan plan = has_points ? plan_sweep(context, config) : SweepPlan();
  if (!options.resume) forget(plan, output);
  if (options.resume && !has_points && is_joined(context, config, output)) return {};
  const int count = has_points ? std::min(options.jobs, int(plan.points.size())) : options.jobs;

  auto arguments = shared_arguments(options);
  if (options.threads == 0 && std::getenv("OMP_NUM_THREADS") == nullptr) {
    arguments.insert(arguments.end(), {"--threads", fmt::format("{}", std::max(1, usable_cores() / count))});
  }
  arguments.insert(arguments.begin(), context.info.name);
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  std::vector<pid_t> children;
  for (int i = 1; i <= count; ++i) {
    auto own = arguments;
    own.insert(own.end(), {"--array", fmt::format("{}/{}", i, count)});
    children.push_back(fork_program(program, own));  // shares do not outlive the run that started them
  }
  log::info("{} processes, a share each", count);
  const int worst = wait_for(std::move(children));
  if (worst == exit_interrupted) {
    constexpr const char* text = "interrupted: --resume continues";
    log::error(text);
    return {worst, text};
  }
  try {
    return execute_join(context, config, output);
  } catch (const InputError& e) {
    if (worst == 0) throw;
    log::error("{}", e.what());  // the share that failed has said why
    return {worst, e.what()};
  }
}

}  // namespace curlew::run
