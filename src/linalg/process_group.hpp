// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of an MPI run, led by process 0.

#include <cstddef>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Sends data of process 0 to all.
  virtual void broadcast(void* data, std::size_t bytes) const = 0;
  /// Sums y of all processes on process 0. @param y [n]
  virtual void add_up(Complex* y, std::size_t n) const = 0;
  /// Sends data to process 0, from another one.
  virtual void send(const void* data, std::size_t bytes) const = 0;
  /// On process 0: receives the next data of this size from process `from`.
  virtual void receive(int from, void* data, std::size_t bytes) const = 0;
  /// The sum of y over all processes, with the same bits on all. @param y [n]
  virtual void sum(double* y, std::size_t n) const = 0;
  /// The maximum of each entry over all processes, on all. @param y [n]
  virtual void largest(Index* y, std::size_t n) const = 0;
  /// Exchanges data between all pairs of processes, including each with itself. @param out_begin, in_begin
  /// [size + 1] first bytes of the processes in `out` and `in`
  virtual void exchange(const char* out, const std::vector<std::size_t>& out_begin, char* in,
                        const std::vector<std::size_t>& in_begin) const = 0;
};

/// Copies a vector or a string of process 0 to all.
template <class Values>
void broadcast_values(const ProcessGroup& group, Values& values) {
  std::size_t size = values.size();
  group.broadcast(&size, sizeof size);
  if (group.rank() != 0) values.resize(size);
  group.broadcast(values.data(), size * sizeof values[0]);
}

/// Sends values to each process. @param to [size] @returns [size] values of each process for this one
template <class Value>
std::vector<std::vector<Value>> deal(const ProcessGroup& group, const std::vector<std::vector<Value>>& to) {
  const auto processes = std::size_t(group.size());
  std::vector<std::size_t> out_sizes, in_sizes(processes), single, out_begin{0}, in_begin{0};
  for (std::size_t p = 0; p <= processes; ++p) single.push_back(p * sizeof(std::size_t));
  for (const auto& values : to) out_sizes.push_back(values.size());
  group.exchange(reinterpret_cast<const char*>(out_sizes.data()), single,
                 reinterpret_cast<char*>(in_sizes.data()), single);
  std::vector<Value> out;
  for (std::size_t p = 0; p < processes; ++p) {
    out.insert(out.end(), to[p].begin(), to[p].end());
    out_begin.push_back(out_begin[p] + out_sizes[p] * sizeof(Value));
    in_begin.push_back(in_begin[p] + in_sizes[p] * sizeof(Value));
  }
  std::vector<Value> in(in_begin.back() / sizeof(Value));
  group.exchange(reinterpret_cast<const char*>(out.data()), out_begin, reinterpret_cast<char*>(in.data()),
                 in_begin);
  std::vector<std::vector<Value>> from(processes);
  auto next = in.cbegin();
  for (std::size_t p = 0; p < processes; ++p) {
    from[p].assign(next, next + Offset(in_sizes[p]));
    next += Offset(in_sizes[p]);
  }
  return from;
}

}  // namespace curlew::linalg
