// SPDX-License-Identifier: BSD-3-Clause
#include "run/machine_info.hpp"

#include <fmt/format.h>
#include <link.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/blas_kernels.hpp"
#include "base/bytes.hpp"
#include "base/cores.hpp"
#include "base/device.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"

namespace curlew::run {
namespace {

/// Behind `key` in a file of lines "key<separator>value"; empty if missing.
std::string value_in(const char* path, std::string_view key, std::string_view separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(separator);
    if (line.starts_with(key) && at != std::string::npos) return line.substr(at + separator.size());
  }
  return "";
}

std::string system_name() {
  std::string name = value_in("/etc/os-release", "PRETTY_NAME", "=");
  std::erase(name, '"');
  utsname kernel{};
  if (uname(&kernel) == 0) name += fmt::format(", {} {} {}", kernel.sysname, kernel.release, kernel.machine);
  return name;
}

/// File names behind all links, such as libhdf5_serial.so.103.3.0.
std::set<std::string> loaded_libraries() {
  std::set<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        const std::string path = info->dlpi_name;
        if (path.find('/') == std::string::npos) return 0;  // the program, and objects of the kernel
        std::error_code fault;
        const auto file = std::filesystem::canonical(path, fault);
        if (!fault) static_cast<std::set<std::string>*>(found)->insert(file.filename().string());
        return 0;
      },
      &names);
  return names;
}

std::string gpu() {
#ifdef CURLEW_HAVE_CUDA
  const DeviceInfo device = device_info();
  if (device.name.empty()) return "none is found";
  return fmt::format("{}, compute capability {}.{}, {:.1f} GiB, {:.1f} GiB free", device.name, device.major,
                     device.minor, gib(device.total_memory), gib(device.free_memory));
#else
  return "this build has no CUDA";
#endif
}

}  // namespace

std::string cpu_model() {
  const std::string name = value_in("/proc/cpuinfo", "model name", ": ");
  return name.empty() ? "unknown" : name;
}

std::string machine_info(const std::string& program) {
  std::string text;
  const auto add = [&](const char* what, const std::string& value) {
    text += fmt::format("{}: {}\n", what, value);
  };
  add("program", fmt::format("{} (curlew) {}", program, CURLEW_VERSION));
  add("build", fmt::format("{}, {}, compiler {}", CURLEW_BUILD_TYPE, CURLEW_BUILD_ARCH, __VERSION__));
  add("system", system_name());
  add("processor", fmt::format("{}, {} cores for this program", cpu_model(), usable_cores()));
  add("memory", fmt::format("{:.1f} GiB available", gib(available_memory())));
  add("GPU", gpu());
  if (const BlasKernels kernels = blas_kernels(); !kernels.name.empty())
    add("BLAS", fmt::format("kernels {}, {}", kernels.name, kernels.reason));
  for (const char* name :
       {"OMP_NUM_THREADS", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS",
        "OPENBLAS_THREAD_TIMEOUT", "CUDA_VISIBLE_DEVICES", "CURLEW_CUDSS_DETERMINISTIC", "LD_LIBRARY_PATH"})
    if (const char* value = std::getenv(name)) add(name, value);
  for (const auto& library : loaded_libraries()) add("library", library);
  return text;
}

}  // namespace curlew::run
