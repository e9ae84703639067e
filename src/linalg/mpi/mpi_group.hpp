// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All processes that mpirun started, as a group.

#include "base/process_group.hpp"

namespace curlew::linalg {

/// Construct it after MPI has started.
class MpiGroup : public ProcessGroup {
 public:
  MpiGroup();
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int communicator() const override;
  void broadcast(void* data, std::size_t bytes) const override;
  void add_up(Complex* y, std::size_t n) const override;
  void send(const void* data, std::size_t bytes) const override;
  void receive(int from, void* data, std::size_t bytes) const override;
  void sum(double* y, std::size_t n) const override;
  void largest(Index* y, std::size_t n) const override;
  void exchange(const char* out, const std::vector<std::size_t>& out_begin, char* in,
                const std::vector<std::size_t>& in_begin) const override;

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace curlew::linalg
