// SPDX-License-Identifier: BSD-3-Clause
#include "base/threads.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#include "base/background.hpp"
#include "base/bytes.hpp"
#include "base/control_group.hpp"
#include "base/cores.hpp"
#include "base/error.hpp"
#include "base/process_copy.hpp"

namespace curlew {
namespace {

/// The number in a file of one number; `fallback` where there is none (or "max").
std::size_t read_number(const char* path, std::size_t fallback) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : fallback;
}

std::size_t system_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::size_t kib = 0;
  while (file >> key >> kib >> unit) {
    if (key == "MemAvailable:") return kib * 1024;
  }
  return std::numeric_limits<std::size_t>::max();
}

/// Memory per thread that OpenBLAS allocates at its first call (common_x86_64.h, BUFFER_SIZE): if that fails,
/// it retries for ever.
constexpr std::size_t blas_buffer = std::size_t(128) << 20;

std::size_t address_space_available() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<std::size_t>::max();
  const std::size_t pages = read_number("/proc/self/statm", 0);
  const std::size_t used = pages * 4096 + blas_buffer * std::size_t(omp_get_max_threads());
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

// OpenBLAS is linked by the modules that use it; with a weak symbol base does not depend on it.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int blas_thread_shutdown_() __attribute__((weak));

int usable_cores() {
  const double cores = std::min(double(omp_get_num_procs()), group_limits().cores);
  return std::max(1, int(std::lround(cores)));
}

void set_num_threads(int n) {
  constexpr int most =
      4096;  // more than any machine has; far more would end in a fault of the OpenMP library
  if (n < 0 || n > most)
    throw InputError(fmt::format("--threads {}: must be 0 (all) or positive, at most {}", n, most));
  const int count = n == 0 ? usable_cores() : n;
  omp_set_num_threads(count);
  // More threads of OpenBLAS than cores slow each other down.
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(std::min(count, usable_cores()));
}

int num_threads() {
  return omp_get_max_threads();
}

void set_num_threads_here(int n) {
  omp_set_num_threads(std::max(1, n));
}

bool leave_one_thread() {
  const auto is_alone = [] {
    return std::ranges::distance(std::filesystem::directory_iterator("/proc/self/task")) == 1;
  };
  Background::rest_all();
  if (is_alone()) return true;  // a forked copy without the threads of its pool would wait for them
  omp_pause_resource_all(omp_pause_hard);
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
  for (int tries = 0; tries < 50; ++tries) {  // the system may list a thread shortly after its end
    if (is_alone()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

int core_share(const std::vector<std::vector<int>>& cores, std::size_t process) {
  double share = 0;
  for (const int core : cores[process])
    share += 1.0 / double(std::ranges::count_if(cores, [core](const auto& each) {
               return std::ranges::find(each, core) != each.end();
             }));
  return std::max(1, int(share + 1e-6));
}

std::size_t available_memory() {
  return std::min({system_available(), group_limits().memory, address_space_available()});
}

std::size_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::size_t(usage.ru_maxrss) * 1024;
}

void require_memory(std::size_t bytes, const char* what) {
  const std::size_t available = available_memory();
  if (bytes <= available) return;
  throw ResourceError(fmt::format("{} needs {:.2f} GiB of memory, {:.2f} GiB are available", what, gib(bytes),
                                  gib(available)));
}

}  // namespace curlew
