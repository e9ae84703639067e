// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How long copies between host and devices took. Those that run beside kernels count too: they are parts of
// the stages that wait for them.

#include "base/timer.hpp"

namespace curlew {

/// Of the process so far [s]; 0 where nothing was copied.
double transfer_seconds();
void add_transfer_seconds(double seconds);

/// Counts the copies of a scope that waits for them.
class TransferTimer {
 public:
  TransferTimer() = default;
  ~TransferTimer() { add_transfer_seconds(timer_.seconds()); }
  TransferTimer(const TransferTimer&) = delete;
  TransferTimer& operator=(const TransferTimer&) = delete;

 private:
  Timer timer_;
};

}  // namespace curlew
