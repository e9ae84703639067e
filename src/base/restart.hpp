// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Settings that libraries read when they are loaded, before main: which kernels OpenBLAS takes
// (base/blas_kernels.hpp), and what its threads and those of OpenMP do while they wait for others. By default
// these keep their cores or give them up a slice of time at a time, so that a program beside any other, even
// one of the lowest priority, takes 5 to 15 times as long. To change such settings a program must start
// again.

#include <string>
#include <utility>
#include <vector>

namespace curlew {

/// Variables of the environment and their values.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// What makes waiting threads sleep, OMP_WAIT_POLICY and OPENBLAS_THREAD_TIMEOUT, where the user has chosen
/// nothing (GOMP_SPINCOUNT is a choice too).
Settings waiting_settings();

/// Starts this program again, with the same arguments and in the same process, once for all that
/// waiting_settings and blas_kernel_settings ask for. To be called before anything is opened, locked or
/// started; returns where nothing is to be done, and does nothing when called again or where argv, which ends
/// with a null pointer, is not what the process was started with.
void restart_with_right_settings(char** argv);
/// The same without an OPENBLAS_CORETYPE of the user, for measurements.
void restart_with_own_blas_kernels(char** argv);

}  // namespace curlew
