// SPDX-License-Identifier: BSD-3-Clause
#include "base/device.hpp"

#include <fmt/format.h>

#include <atomic>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/transfer_seconds.hpp"
#include "curlew/build.hpp"

#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "base/cuda_device.hpp"
#endif

namespace curlew {
namespace {

std::atomic<double> all_transfers{0};  // [s]

#ifdef CURLEW_HAVE_CUDA
/// What a machine lacks that has no device for this build.
std::string missing_of_device() {
  int driver = 0, runtime = 0;  // 1000 times the major version of CUDA; 0: no driver
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  if (driver == 0) return "no NVIDIA driver on this machine";
  if (driver / 1000 < runtime / 1000)
    return fmt::format("the NVIDIA driver of this machine is for CUDA {}, this build for CUDA {}",
                       driver / 1000, runtime / 1000);
  return "no CUDA device on this machine";
}
#endif

}  // namespace

double transfer_seconds() {
  return all_transfers;
}

void add_transfer_seconds(double seconds) {
  all_transfers += seconds;
}

// Does not start a device, which takes some tenths of a second.
int num_devices() {
#ifdef CURLEW_HAVE_CUDA
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  static_cast<void>(cudaGetLastError());  // clears the error: without a driver the answer is 0
#endif
  return 0;
}

DeviceInfo device_info() {
  DeviceInfo info{};
  if (num_devices() == 0) return info;
#ifdef CURLEW_HAVE_CUDA
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return info;
  info.name = properties.name;
  info.multiprocessors = properties.multiProcessorCount;
  info.major = properties.major;
  info.minor = properties.minor;
  static_cast<void>(cudaMemGetInfo(&info.free_memory, &info.total_memory));
#endif
  return info;
}

std::size_t free_device_memory([[maybe_unused]] int device) {
#ifdef CURLEW_HAVE_CUDA
  if (device >= num_devices()) return 0;
  const cuda::CurrentDevice current(device);
  return device_info().free_memory;
#else
  return 0;
#endif
}

Device select_device(const std::string& name) {
  if (name == "cpu") return Device::cpu;
  if (name != "auto" && name != "cuda") {
    throw InputError(fmt::format("device \"{}\": must be auto, cpu or cuda", name));
  }
  if (num_devices() > 0) return Device::cuda;
  if (name == "auto") return Device::cpu;
#ifdef CURLEW_HAVE_CUDA
  throw ResourceError(fmt::format("--device cuda: {} (use --device cpu)", missing_of_device()));
#else
  throw ResourceError(
      "--device cuda: this build has no CUDA backend (use --device cpu, build with CURLEW_CUDA=ON, or "
      "install "
      "the Python package curlew-em-cuda)");
#endif
}

void require_device_memory(std::size_t bytes, const char* what) {
  const std::size_t available = device_info().free_memory;
  if (bytes <= available) return;
  throw ResourceError(fmt::format("{} needs {:.2f} GiB of device memory, {:.2f} GiB are free", what,
                                  gib(bytes), gib(available)));
}

}  // namespace curlew

#ifdef CURLEW_HAVE_CUDA
namespace curlew::cuda {
namespace {

/// Whether the card, its driver or its memory has failed, not the computation.
bool is_lost(cudaError_t status) {
  switch (status) {
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorInitializationError:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorUnknown:  // reported by a card that is lost on the bus
      return true;
    default:
      return false;
  }
}

}  // namespace

void fail(cudaError_t status, const char* what, const char* file, int line) {
  const auto text = fmt::format("CUDA: {} ({}) at {}:{}", cudaGetErrorString(status), what, file, line);
  if (status == cudaErrorMemoryAllocation) throw ResourceError(text);
  if (is_lost(status))
    throw ResourceError(text + ": the GPU cannot be used (see nvidia-smi; --device cpu runs without it)");
  throw NumericalError(text);
}

void fail_allocation(std::size_t bytes) {
  throw ResourceError(fmt::format("device memory: {:.3f} GiB requested, {:.3f} GiB free", gib(bytes),
                                  gib(device_info().free_memory)));
}

}  // namespace curlew::cuda
#endif
