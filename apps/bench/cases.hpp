// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The benchmarks of em-bench, one function and one file each.

#include <string>
#include <string_view>
#include <vector>

#include "base/device.hpp"
#include "bench/report.hpp"

namespace curlew::bench {

struct Options {
  std::string case_name;  ///< --case: empty runs all cases of a benchmark
  std::string matrix;     ///< --matrix: system.h5 or .mtx
  Device device = Device::cpu;
  int repeat = 5;  ///< timed calls; the median is printed
  long size = 0;   ///< --size: unknowns (lu), edges per wavelength (austin), level (ngim); 0: its own
  double device_memory = 0;  ///< --device-memory [GiB] (lu), 0: a third of a matrix that fits, else all
  double host_memory = 0;    ///< --host-memory [GiB] (lu), 0: all that is available
};

/// True if the case is requested, by name or with all others.
inline bool wants(const Options& options, std::string_view name) {
  return options.case_name.empty() || options.case_name == name;
}

void assembly(const Options& options, Report& report);
void direct(const Options& options, Report& report);
void spmv(const Options& options, Report& report);
void vector(const Options& options, Report& report);
void krylov(const Options& options, Report& report);
void multilevel(const Options& options, Report& report);
void lu(const Options& options, Report& report);
/// Configs as users run them: case_name is "devices" or one of device_configs(). @return false for any other
bool multilevel_devices(const Options& options, Report& report);
std::vector<std::string> device_configs();
/// Waves of the error matrix of ngim.
std::vector<std::string> ngim_error_waves();
void mom2d(const Options& options, Report& report);
void ngim(const Options& options, Report& report);
void ie(const Options& options, Report& report);
void austin(const Options& options, Report& report);
void truncation(const Options& options, Report& report);
void errors(const Options& options, Report& report);

}  // namespace curlew::bench
