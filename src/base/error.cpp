// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"

#include <atomic>
#include <csignal>

#include "base/interrupt.hpp"

namespace curlew {
namespace {
std::atomic<int> interrupted = 0;  // set by a signal in one thread, read by all
static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<int> holds = 0;
void (*forced_exit_cleanup)() noexcept = nullptr;

extern "C" void on_signal(int signal) {
  // The second Ctrl-C ends the process at once, for whoever waits inside a library call.
  if (interrupted != 0) {
    if (forced_exit_cleanup != nullptr) forced_exit_cleanup();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  interrupted = 1;
}
}  // namespace

void install_interrupt_handler() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
}

void at_forced_exit(void (*cleanup)() noexcept) {
  forced_exit_cleanup = cleanup;
}

bool is_interrupted() noexcept {
  return interrupted != 0 && holds == 0;
}

bool is_interrupt_pending() noexcept {
  return interrupted != 0;
}

void check_interrupt() {
  if (is_interrupted()) throw Interrupted();
}

InterruptHold::InterruptHold() {
  ++holds;
}
InterruptHold::~InterruptHold() {
  --holds;
}

void acknowledge_interrupt() noexcept {
  interrupted = 0;
}

}  // namespace curlew
