// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_guard.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "base/error.hpp"

namespace curlew::mesh {
namespace guard {

/// For handlers of signals: it neither allocates nor formats. There is no file to remove then.
[[noreturn]] void end(std::string_view line, int status) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  _exit(status);
}

/// A handler for the time that Gmsh takes, which looks for no flag.
extern "C" void end_at_once(int) {
  end("em-mesh: interrupted\n", exit_interrupted);
}

std::string time_limit_line;  ///< message of end_at_limit: a handler may not format

extern "C" void end_at_limit(int) {
  end(time_limit_line, exit_numerical);
}

/// Ends the program when Gmsh takes longer than this, for the life of a scope.
class TimeLimit {
 public:
  TimeLimit(const std::string& geometry, double seconds) {
    time_limit_line = fmt::format(
        "em-mesh: {}: Gmsh did not finish within {} s: give another size, change the geometry (for tips of "
        "curved surfaces see meshes/revolved.geo), or raise --time-limit\n",
        geometry, seconds);
    std::signal(SIGALRM, end_at_limit);
    set(seconds);
  }
  ~TimeLimit() {
    set(0);
    std::signal(SIGALRM, SIG_DFL);
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static void set(double seconds) {
    const double whole = std::floor(std::min(seconds, 1e9));
    const itimerval timer{{0, 0}, {time_t(whole), suseconds_t((std::min(seconds, 1e9) - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitizer_catches = true;
#else
constexpr bool sanitizer_catches = false;
#endif

std::string crash_line;  ///< message of end_at_crash

extern "C" void end_at_crash(int) {
  end(crash_line, exit_input);
}

/// Gmsh crashes on some texts that are no geometry, as by `Merge "FILE"`: while this object lives, that is an
/// input error. Sanitizers have other handlers.
class CrashGuard {
 public:
  explicit CrashGuard(const std::string& geometry) {
    if (sanitizer_catches) return;
    crash_line =
        fmt::format("em-mesh: {}: Gmsh crashes on this geometry, or on a file that it includes\n", geometry);
    struct sigaction action {};
    action.sa_handler = end_at_crash;
    action.sa_flags = SA_ONSTACK;  // possibly a stack overflow
    const stack_t apart{stack_.data(), 0, stack_.size()};
    sigaltstack(&apart, &stack_before_);
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
  }
  ~CrashGuard() {
    if (sanitizer_catches) return;
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    sigaltstack(&stack_before_, nullptr);
  }
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  std::array<struct sigaction, 5> before_{};
  std::array<char, 1 << 16> stack_{};
  stack_t stack_before_{};
};

[[noreturn]] void end_for_lack_of_memory() {
  end("em-mesh: Gmsh needs more memory than is free: choose a greater size\n", exit_resource);
}

/// Gmsh throws texts, some of them from its own threads, where they cannot be caught.
[[noreturn]] void end_with_message() {
  std::string message = "ended with an error without a message";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::string& text) {
    message = text;
  } catch (const std::bad_alloc&) {
    end_for_lack_of_memory();
  } catch (const std::exception& e) {
    message = e.what();
  } catch (...) {
  }
  end("em-mesh: Gmsh: " + message + "\n", exit_input);
}

bool gmsh_is_at_work = false;

/// `Exit;` in a script ends the process with status 0, as if a mesh had been made.
void refuse_exit() {
  if (!gmsh_is_at_work) return;
  end("em-mesh: the geometry ends Gmsh (Exit; in a .geo) before there is a mesh: remove that line\n",
      exit_input);
}

}  // namespace guard

struct GmshGuard::Parts {
  Parts(const std::string& geometry, double seconds) : limit(geometry, seconds), crash(geometry) {}

  guard::TimeLimit limit;
  guard::CrashGuard crash;
  std::terminate_handler usual = std::set_terminate(guard::end_with_message);
};

GmshGuard::GmshGuard(const std::string& geometry, double time_limit)
    : parts_(std::make_unique<Parts>(geometry, time_limit)) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) std::signal(signal, guard::end_at_once);
  static const int registered = std::atexit(guard::refuse_exit);
  static_cast<void>(registered);
  guard::gmsh_is_at_work = true;
}

GmshGuard::~GmshGuard() {
  guard::gmsh_is_at_work = false;
  std::set_terminate(parts_->usual);
  install_interrupt_handler();
}

}  // namespace curlew::mesh
