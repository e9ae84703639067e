// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Published rows of problem I-A (conducting sphere of 19.2 m) of the Austin RCS benchmarks, its adaptive
// integral method: Massey, Wei, Yilmaz and others, UTAustinCEMGroup/AustinCEMBenchmarks, "IA-
// SamplePerformanceData", study 2, case 4 (two EPYC 7763 a node of 128 processes).

#include <array>

namespace curlew::bench {

struct AustinRow {
  double megahertz;
  double error_vv, error_hh;  ///< [dB]
  double efficient_seconds;   ///< of the run with the fewest processes
  int efficient_processes;
  double fast_seconds;  ///< of the run with many
  int fast_processes;
};

inline constexpr std::array<AustinRow, 9> austin_rows{{
    {10, 5.52e-2, 4.70e-2, 45.3, 1, 2.40, 32},
    {20, 5.93e-2, 8.37e-2, 44.7, 1, 2.29, 32},
    {40, 1.28e-1, 1.66e-1, 44.7, 1, 2.34, 32},
    {80, 1.07e-1, 1.29e-1, 191, 1, 5.14, 64},
    {160, 7.96e-2, 1.19e-1, 810, 1, 10.1, 128},
    {320, 7.85e-2, 1.27e-1, 1800, 2, 32.0, 256},
    {640, 8.08e-2, 1.29e-1, 4610, 4, 217, 256},
    {1280, 8.31e-2, 1.49e-1, 12800, 8, 541, 512},
    {2560, 8.29e-2, 1.53e-1, 52400, 16, 2110, 1024},
}};

}  // namespace curlew::bench
