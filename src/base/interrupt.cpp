// SPDX-License-Identifier: BSD-3-Clause
#include "base/interrupt.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/error.hpp"
#include "base/process_copy.hpp"

namespace curlew {
namespace {

std::atomic<int> interrupted = 0;  // set by a signal in one thread, read by all
static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<int> holds = 0;
void (*forced_exit_cleanup)() noexcept = nullptr;

/// timeout(1) and others send a signal to a process and then to its group: both count as one request.
constexpr long one_wish = 300;  // [ms]
std::atomic<long> first_signal = 0;

long milliseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000 * long(now.tv_sec) + now.tv_nsec / 1'000'000;
}

/// A library call (factors of a large matrix) does not check the flag. From the signal on a timer checks each
/// second.
struct Patience {
  std::atomic<bool> is_set = false;
  timer_t timer{};
  std::atomic<int> most_seconds = 0, waited = 0, allowed = 0;
  std::array<char, 512> last_words{};  // a handler may not format
  std::size_t length = 0;
};
Patience patience;

/// Time for unwinding and clean-up once the flag has been checked.
constexpr int seconds_to_leave = 60;

void begin_patience() noexcept {
  patience.waited = 0;
  patience.allowed = int(patience.most_seconds);
  const itimerspec each_second{{1, 0}, {1, 0}};
  if (patience.is_set) timer_settime(patience.timer, 0, &each_second, nullptr);
}

/// Handlers restore errno for the interrupted code.
class KeptErrno {
 public:
  KeptErrno() = default;
  ~KeptErrno() { errno = kept_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int kept_ = errno;
};

extern "C" void on_tick(int) {
  const KeptErrno kept;
  if (interrupted == 0 || holds != 0 || ++patience.waited < patience.allowed) return;
  if (forced_exit_cleanup != nullptr) forced_exit_cleanup();
  [[maybe_unused]] const auto written = write(STDERR_FILENO, patience.last_words.data(), patience.length);
  _exit(exit_interrupted);
}

extern "C" void on_signal(int signal) {
  const KeptErrno kept;
  if (interrupted == 0) {
    first_signal = milliseconds();
    interrupted = 1;
    begin_patience();
    return;
  }
  // A limit on processor time (ulimit -t) sends its signal each second until the time is up.
  if (signal == SIGXCPU || milliseconds() - first_signal < one_wish) return;
  // The second Ctrl-C ends the process at once, also inside a library call.
  if (forced_exit_cleanup != nullptr) forced_exit_cleanup();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A signal that the programs and libraries do not use otherwise.
int tick_signal() noexcept {
  return SIGRTMIN + 5;
}

}  // namespace

void install_interrupt_handler() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGXCPU, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
}

void at_forced_exit(void (*cleanup)() noexcept) {
  forced_exit_cleanup = cleanup;
}

namespace {
void make_timer() {
  std::signal(tick_signal(), on_tick);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = tick_signal();
  patience.is_set = timer_create(CLOCK_MONOTONIC, &event, &patience.timer) == 0;  // otherwise no limit
}
}  // namespace

void limit_interrupts(int seconds, std::string_view last_words) {
  patience.most_seconds = seconds;
  patience.length = std::min(last_words.size(), patience.last_words.size());
  std::copy_n(last_words.begin(), patience.length, patience.last_words.begin());
  if (!patience.is_set) make_timer();
}

void restart_interrupts() {
  interrupted = 0;
  holds = 0;
  if (patience.is_set) make_timer();
}

bool is_interrupted() noexcept {
  return interrupted != 0 && holds == 0;
}

bool is_interrupt_pending() noexcept {
  return interrupted != 0;
}

void check_interrupt() {
  if (!is_interrupted()) return;
  patience.waited = 0;
  patience.allowed = seconds_to_leave;
  throw Interrupted();
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
