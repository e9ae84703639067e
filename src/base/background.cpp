// SPDX-License-Identifier: BSD-3-Clause
#include "base/background.hpp"

#include <omp.h>

#include <set>
#include <system_error>
#include <utility>

#include "base/interrupt.hpp"

namespace curlew {
namespace {
/// Objects that have a thread.
std::set<Background*>& running() {
  static std::set<Background*> all;
  return all;
}
std::mutex& running_mutex() {
  static std::mutex mutex;
  return mutex;
}
}  // namespace

Background::Background(std::size_t most_waiting) : most_waiting_(most_waiting) {}

Background::~Background() {
  end_thread();
}

void Background::end_thread() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  ends_ = false;
  const std::lock_guard lock(running_mutex());
  running().erase(this);
}

void Background::start() {
  // A new thread would take OpenMP's own number of threads, not that of set_num_threads.
  const int threads = omp_get_max_threads();
  try {
    thread_ = std::thread([this, threads] {
      omp_set_num_threads(threads);
      work();
    });
    const std::lock_guard lock(running_mutex());
    running().insert(this);
  } catch (const std::system_error&) {  // no more threads on this machine: the caller can do it, too
    most_waiting_ = 0;
  }
}

void Background::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
    if (ends_) return;
    auto job = std::move(jobs_.front());
    jobs_.pop_front();
    is_running_ = true;
    lock.unlock();
    changed_.notify_all();  // another job may be queued
    std::exception_ptr failure;
    try {
      const InterruptHold hold;
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    job = nullptr;  // its memory is freed before the next job
    lock.lock();
    is_running_ = false;
    if (failure) failure_ = failure, jobs_.clear();
    changed_.notify_all();
  }
}

void Background::wait_until(const std::function<bool()>& is_so) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || is_so(); });
  if (failure_) std::rethrow_exception(failure_);
}

void Background::add(std::function<void()> job) {
  if (most_waiting_ > 0 && !thread_.joinable()) start();
  if (most_waiting_ == 0) {
    const InterruptHold hold;
    return job();
  }
  wait_until([&] { return jobs_.size() < most_waiting_; });
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
  if (is_interrupt_pending()) finish();
}

void Background::finish() {
  wait_until([&] { return jobs_.empty() && !is_running_; });
}

void Background::rest_all() {
  const auto all = [] {
    const std::lock_guard lock(running_mutex());
    return running();
  }();
  for (Background* each : all) {
    {
      std::unique_lock lock(each->mutex_);
      each->changed_.wait(lock, [&] { return each->jobs_.empty() && !each->is_running_; });
    }
    each->end_thread();
  }
}

}  // namespace curlew
