// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Processes of a test: threads of one process that exchange pointers.

#include <algorithm>
#include <barrier>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "base/process_group.hpp"

namespace curlew::test {

class ThreadGroup final : public ProcessGroup {
 public:
  /// Barrier of the threads of a group.
  struct Meeting {
    explicit Meeting(int count)
        : size(count), barrier(count), data(std::size_t(count)), begins(std::size_t(count)) {}
    int size;
    std::barrier<> barrier;
    std::vector<const void*> data;
    std::vector<const std::vector<std::size_t>*> begins;
  };
  ThreadGroup(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return meeting_.size; }

  void broadcast(void* data, std::size_t bytes) const override {
    meet(data, [&] {
      if (rank_ != 0) std::memcpy(data, meeting_.data[0], bytes);
    });
  }
  void sum(double* y, std::size_t n) const override {
    std::vector<double> all(n, 0);
    meet(y, [&] { each<double>(n, [&](std::size_t i, double v) { all[i] += v; }); });
    std::ranges::copy(all, y);
  }
  void largest(Index* y, std::size_t n) const override {
    std::vector<Index> all(y, y + n);
    meet(y, [&] { each<Index>(n, [&](std::size_t i, Index v) { all[i] = std::max(all[i], v); }); });
    std::ranges::copy(all, y);
  }
  void exchange(const char* out, const std::vector<std::size_t>& out_begin, char* in,
                const std::vector<std::size_t>& in_begin) const override {
    const auto me = std::size_t(rank_);
    meeting_.begins[me] = &out_begin;
    meet(out, [&] {
      for (std::size_t p = 0; p < meeting_.begins.size(); ++p) {
        const auto& begin = *meeting_.begins[p];
        if (const std::size_t bytes = begin[me + 1] - begin[me]; bytes > 0)
          std::memcpy(in + in_begin[p], static_cast<const char*>(meeting_.data[p]) + begin[me], bytes);
      }
    });
  }
  void add_up(Complex*, std::size_t) const override { std::abort(); }
  void send(const void*, std::size_t) const override { std::abort(); }
  void receive(int, void*, std::size_t) const override { std::abort(); }

 private:
  /// Shows `data` to all while `work` is done.
  template <class Work>
  void meet(const void* data, const Work& work) const {
    meeting_.data[std::size_t(rank_)] = data;
    meeting_.barrier.arrive_and_wait();
    work();
    meeting_.barrier.arrive_and_wait();
  }
  template <class T, class Body>
  void each(std::size_t n, const Body& body) const {
    for (const void* data : meeting_.data)
      for (std::size_t i = 0; i < n; ++i) body(i, static_cast<const T*>(data)[i]);
  }

  Meeting& meeting_;
  int rank_;
};

/// work(group) on so many processes at once.
inline void on_processes(int size, const std::function<void(const ProcessGroup&)>& work) {
  ThreadGroup::Meeting meeting(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&meeting, &work, rank] { work(ThreadGroup(meeting, rank)); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace curlew::test
