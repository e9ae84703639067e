// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of an MPI run, of which process 0 leads.

#include <cstddef>

#include "base/types.hpp"

namespace curlew::linalg {

class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// From process 0 to all.
  virtual void broadcast(void* data, std::size_t bytes) const = 0;
  /// Adds up y of all processes on process 0. @param y [n]
  virtual void add_up(Complex* y, std::size_t n) const = 0;
  /// To process 0, from another one.
  virtual void send(const void* data, std::size_t bytes) const = 0;
  /// On process 0: what process `from` sends next, of this size.
  virtual void receive(int from, void* data, std::size_t bytes) const = 0;
};

/// A vector or a string of process 0 on all, whose own is replaced.
template <class Values>
void broadcast_values(const ProcessGroup& group, Values& values) {
  std::size_t size = values.size();
  group.broadcast(&size, sizeof size);
  if (group.rank() != 0) values.resize(size);
  group.broadcast(values.data(), size * sizeof values[0]);
}

}  // namespace curlew::linalg
