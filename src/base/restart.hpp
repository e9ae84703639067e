// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Settings that libraries read when they are loaded, before main: OpenBLAS's kernels (base/blas_kernels.hpp),
// and whether waiting threads of OpenBLAS and OpenMP spin or sleep. By default they spin, so that a program
// on shared cores takes 5 to 15 times as long. To change such settings a program must be restarted.

#include <string>
#include <utility>
#include <vector>

namespace curlew {

/// Variables of the environment and their values.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Settings that make waiting threads sleep, OMP_WAIT_POLICY and OPENBLAS_THREAD_TIMEOUT, unless set by the
/// user (also by GOMP_SPINCOUNT).
Settings waiting_settings();

/// Restarts this program with the same arguments in the same process (exec), with all settings of
/// waiting_settings and blas_kernel_settings. Call it before anything is opened, locked or started. Returns
/// if nothing must be changed, if called again, or if argv, which ends with a null pointer, is not that of
/// the process.
void restart_with_right_settings(char** argv);
/// The same ignoring OPENBLAS_CORETYPE of the user, for measurements.
void restart_with_own_blas_kernels(char** argv);

}  // namespace curlew
