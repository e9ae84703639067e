// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The current CUDA device of a thread, and copies between devices. For builds with CUDA.

#include <utility>
#include <vector>

#include "base/cuda.hpp"

namespace curlew::cuda {

inline int current_device() {
  int device = 0;
  CURLEW_CUDA_CALL(cudaGetDevice(&device));
  return device;
}

/// Makes a device current for this thread until the end of the scope.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) : before_(current_device()) { CURLEW_CUDA_CALL(cudaSetDevice(device)); }
  ~CurrentDevice() { static_cast<void>(cudaSetDevice(before_)); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_;
};

/// The current device and the following ones; the first follows the last, so that devices repeat if more are
/// requested than exist.
inline std::vector<int> devices_from_current(int wanted) {
  int present = 0;
  CURLEW_CUDA_CALL(cudaGetDeviceCount(&present));
  std::vector<int> devices;
  for (int d = current_device(); int(devices.size()) < wanted; ++d) devices.push_back(d % present);
  return devices;
}

/// Lets two devices copy directly, without the host, if the machine supports it.
inline void allow_direct_copies(int device, int other) {
  for (const auto& [from, to] : {std::pair{device, other}, std::pair{other, device}}) {
    int can = 0;
    CURLEW_CUDA_CALL(cudaDeviceCanAccessPeer(&can, from, to));
    if (can == 0) continue;
    const CurrentDevice current(from);
    const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
    if (status != cudaSuccess && status != cudaErrorPeerAccessAlreadyEnabled) CURLEW_CUDA_CALL(status);
    static_cast<void>(cudaGetLastError());
  }
}

}  // namespace curlew::cuda
