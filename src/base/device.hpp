// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The device of a run and its properties. Compiles and links with and without CUDA.

#include <cstddef>
#include <string>

namespace curlew {

enum class Device { cpu, cuda };

/// "auto" takes the GPU when there is one; "cpu"; "cuda".
/// @throws InputError for another word; ResourceError if "cuda" is requested and this build or machine has
/// none
Device select_device(const std::string& name);

struct DeviceInfo {
  std::string name;          ///< empty: there is no device
  std::size_t total_memory;  ///< [bytes]
  std::size_t free_memory;   ///< [bytes], now
  int multiprocessors;
  int major, minor;  ///< compute capability
};
/// Properties of the first CUDA device, memory of the current one; name empty if this build or machine has
/// none.
DeviceInfo device_info();
/// CUDA devices that this build can use; 0: none.
int num_devices();
/// Free memory of a device [bytes], now; 0 if it does not exist.
std::size_t free_device_memory(int device);

/// @throws ResourceError with purpose, needed and free memory if bytes exceed the free device memory
void require_device_memory(std::size_t bytes, const char* what);

}  // namespace curlew
