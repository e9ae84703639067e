// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Injected failures of the device, with which tests/faults/run tests that each one ends a run with one line.
// Compiles with and without CUDA.
//   CURLEW_FAIL_DEVICE="memory N"  the N-th request for device memory and all after it fail (from 1)
//   CURLEW_FAIL_DEVICE="calls N"   the N-th checked call and all after it fail, as if the card were gone
// CURLEW_COUNT_DEVICE=FILE both counts are written at the end of the process: "memory calls"

#include <atomic>
#include <string>

namespace curlew {

enum class DeviceFault { memory, call };

/// Counts requests and calls, and decides which fail. Thread-safe.
class DeviceFaults {
 public:
  /// @param request "memory N", "calls N" with N >= 1, or nothing
  /// @param count_file file for the counts, written by the destructor; empty: none
  /// @throws InputError for another request
  DeviceFaults(const std::string& request, std::string count_file);
  ~DeviceFaults();
  DeviceFaults(const DeviceFaults&) = delete;
  DeviceFaults& operator=(const DeviceFaults&) = delete;

  /// Counts one. @return true if it is to fail
  bool strike(DeviceFault kind);

 private:
  long first_[2] = {0, 0};  ///< the first that fails, from 1; 0: none
  std::atomic<long> seen_[2] = {0, 0};
  std::string count_file_;
};

/// The same for the request of the environment; false without one.
bool device_fails_on_request(DeviceFault kind);

}  // namespace curlew
