// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of an MPI run that share the rows of a corrected operator (ngim/share.hpp). All run the same
// program; process 0 leads each iteration, and the others make their rows of every product and take its
// results over, so that no decision is made twice.

#include <cstddef>

#include "base/types.hpp"

namespace curlew::ie {

class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// From process 0 to all.
  virtual void broadcast(void* data, std::size_t bytes) const = 0;
  /// Adds up y of all processes on process 0. @param y [n]
  virtual void add_up(Complex* y, std::size_t n) const = 0;
};

/// Null without MPI. Set once, before anything is solved.
const ProcessGroup*& process_group();

}  // namespace curlew::ie
