// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Time of copies between host and devices, including those concurrent with kernels: they are parts of the
// stages that wait for them.

#include "base/timer.hpp"

namespace curlew {

/// Total of the process so far [s]; 0 without copies.
double transfer_seconds();
void add_transfer_seconds(double seconds);

/// Adds the time of copies in a scope that waits for them.
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
