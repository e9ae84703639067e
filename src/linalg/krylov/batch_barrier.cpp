// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/batch_barrier.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace curlew::linalg {
namespace {

/// Thrown in the bodies when serve has failed.
struct Stopped : std::exception {};

}  // namespace

std::exception_ptr BatchBarrier::serve_all(const Serve& serve, std::vector<Request> requests) const {
  std::ranges::sort(requests, [](const Request& p, const Request& q) {
    return p.operation != q.operation ? p.operation < q.operation : p.task < q.task;
  });
  try {
    for (auto first = requests.begin(); first != requests.end();) {
      const auto last = std::find_if(first, requests.end(),
                                     [&](const Request& r) { return r.operation != first->operation; });
      serve(std::vector<Request>(first, last));
      first = last;
    }
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void BatchBarrier::run(int tasks, const Body& body, const Serve& serve) {
  live_ = tasks, has_failed_ = false;
  std::vector<std::exception_ptr> failures(std::size_t(tasks) + 1);  // the first is the exception of serve
  std::vector<std::jthread> threads;
  threads.reserve(std::size_t(tasks));
  for (int task = 0; task < tasks; ++task) {
    threads.emplace_back([this, &body, &failures, task] {
      try {
        body(task);
      } catch (...) {
        failures[std::size_t(task) + 1] = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      --live_;
      changed_.notify_all();
    });
  }
  {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return int(waiting_.size()) == live_; });
      if (live_ == 0) break;
      std::vector<Request> requests;
      requests.swap(waiting_);
      lock.unlock();
      std::exception_ptr failure = has_failed_ ? failures[0] : serve_all(serve, std::move(requests));
      lock.lock();
      if (failure != nullptr) failures[0] = failure, has_failed_ = true;
      ++round_;
      changed_.notify_all();
    }
  }
  threads.clear();
  for (const std::exception_ptr& failure : failures)
    if (failure != nullptr) std::rethrow_exception(failure);
}

void BatchBarrier::ask(const Request& request) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(request);
  const int round = round_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return round_ != round; });
  if (has_failed_) throw Stopped();
}

}  // namespace curlew::linalg
