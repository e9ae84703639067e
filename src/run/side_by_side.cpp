// SPDX-License-Identifier: BSD-3-Clause
#include "run/side_by_side.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/process_copy.hpp"
#include "base/progress.hpp"
#include "base/threads.hpp"

namespace curlew::run {
namespace {

using nlohmann::json;

void send(int messages, const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(messages, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(exit_resource);  // the parent has ended
    sent += std::size_t(count);
  }
}

json kept_log() {
  json lines = json::array();
  for (const auto& line : log::take_lines()) lines.push_back({line.level, line.text});
  return lines;
}

void repeat_log(const json& lines) {
  for (const auto& line : lines) log::repeat({line.at(0).get<int>(), line.at(1).get<std::string>()});
}

/// Screen, open files and signals belong to the parent.
void become_copy(pid_t parent, int threads) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_interrupted);
  log::keep_lines();
  Progress::set_enabled(false);
  io::forget_all_parts();
  restart_interrupts();
  set_num_threads(threads);
}

}  // namespace

/// In memory that the copies share.
struct SideBySide::Shared {
  std::atomic<std::size_t> next = 0;
};
static_assert(std::atomic<std::size_t>::is_always_lock_free);

SideBySide::SideBySide(std::string what, Task task, std::vector<std::size_t> numbers)
    : what_(std::move(what)), task_(std::move(task)), numbers_(std::move(numbers)) {
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (memory) Shared;
}

SideBySide::~SideBySide() {
  finish();
  munmap(shared_, sizeof(Shared));
}

void SideBySide::finish() {
  is_stopped_ = true;
  for (const Copy& copy : copies_)
    if (copy.pid > 0) kill(copy.pid, SIGKILL);
  for (Copy& copy : copies_)
    if (copy.pid > 0) end(copy);
}

bool SideBySide::start(int processes, int threads) {
  if (!leave_one_thread()) {
    log::info("one after another: this process has other threads, so it cannot be copied");
    return false;
  }
  shared_bytes_ = resident_memory();
  for (int i = 0; i < processes; ++i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) break;
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
      close(ends[0]);
      for (const Copy& other : copies_) close(other.messages);
      work(ends[1], parent, threads);
    }
    close(ends[1]);
    if (child < 0) {
      close(ends[0]);
      break;
    }
    copies_.push_back({child, ends[0], {}});
  }
  if (copies_.empty()) log::info("one after another: no process can be started ({})", std::strerror(errno));
  return !copies_.empty();
}

void SideBySide::work(int messages, pid_t parent, int threads) {
  become_copy(parent, threads);
  for (std::size_t i; !is_interrupt_pending() && (i = shared_->next++) < numbers_.size();) {
    send(messages, {{"begins", numbers_[i]}});
    json message = {{"number", numbers_[i]}};
    Outcome outcome;
    try {
      message["value"] = task_(numbers_[i]);
    } catch (...) {
      outcome = outcome_of_exception();
    }
    message["status"] = outcome.status, message["error"] = outcome.error, message["log"] = kept_log();
    send(messages, message);
  }
  _exit(exit_done);  // no destructors, no flushes: open files belong to the parent
}

std::optional<SideBySide::Ended> SideBySide::wait(std::size_t number) {
  while (!said_.contains(number)) {
    check_interrupt();
    if (!listen()) break;
  }
  const auto found = said_.extract(number);
  if (found.empty()) return std::nullopt;
  const json& message = found.mapped();
  repeat_log(message.at("log"));
  return Ended{{message.at("status").get<int>(), message.at("error").get<std::string>()},
               message.value("value", json())};
}

void SideBySide::stop() {
  shared_->next = numbers_.size();
  is_stopped_ = true;
  for (const Copy& copy : copies_)
    if (copy.pid > 0) kill(copy.pid, SIGTERM);
}

bool SideBySide::listen() {
  std::vector<pollfd> waits;
  std::vector<Copy*> of;
  for (Copy& copy : copies_)
    if (copy.pid > 0) waits.push_back({copy.messages, POLLIN, 0}), of.push_back(&copy);
  if (waits.empty()) return false;
  if (poll(waits.data(), waits.size(), 200) <= 0) return true;
  for (std::size_t i = 0; i < waits.size(); ++i)
    if (waits[i].revents != 0) read(*of[i]);
  return true;
}

void SideBySide::read(Copy& copy) {
  char buffer[1 << 16];
  const ssize_t count = ::read(copy.messages, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return end(copy);
  copy.text.append(buffer, std::size_t(count));
  std::size_t from = 0;
  for (std::size_t to; (to = copy.text.find('\n', from)) != std::string::npos; from = to + 1)
    take(copy, copy.text.substr(from, to - from));
  copy.text.erase(0, from);
}

void SideBySide::take(Copy& copy, const std::string& line) {
  json message = json::parse(line);
  if (message.contains("begins")) {
    copy.at = message["begins"].get<std::size_t>();
    return;
  }
  copy.at.reset();
  const auto number = message.at("number").get<std::size_t>();
  if (message.at("status") == exit_resource) {  // more memory is free when others have ended
    log::info("{} {}: {}: computed again, alone", what_, number + 1, message.at("error").get<std::string>());
    return;
  }
  said_[number] = std::move(message);
}

void SideBySide::end(Copy& copy) {
  int status = 0;
  rusage usage{};
  while (wait4(copy.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const std::size_t most = std::size_t(usage.ru_maxrss) * 1024;
  bytes_ += most > shared_bytes_ ? most - shared_bytes_ : 0;
  close(copy.messages);
  copy.pid = -1;
  if (!copy.at || is_stopped_) return;
  const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                              : fmt::format("status {}", WEXITSTATUS(status));
  log::info("{} {}: its process ended early ({}), perhaps for lack of memory: computed again, alone", what_,
            *copy.at + 1, how);
}

}  // namespace curlew::run
