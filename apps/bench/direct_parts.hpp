// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the CPU and the GPU part of em-bench direct.

#include <array>
#include <string>
#include <vector>

#include "bench/cases.hpp"

namespace curlew::bench {

struct DirectCase {
  const char* name;
  int order;
  std::array<int, 3> blocks;  ///< of the grid
  double wavenumber;          ///< [rad/m]
};
/// About 150 000 unknowns, without those on PEC fewer, orders 1 to 3; the last is for the GPU, 1.1 million.
const std::vector<DirectCase>& direct_cases();

/// cuDSS on one GPU and shared among as many as there are. For builds with CUDA.
void direct_on_device(const Options& options, Report& report);

}  // namespace curlew::bench
