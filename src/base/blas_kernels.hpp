// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Choice of OpenBLAS's kernels. Up to 0.3.24 it uses those of a Pentium 4 (`Prescott`) on Intel processors
// newer than the library (its issue 4267), at a quarter of the speed. It chooses before main, by
// OPENBLAS_CORETYPE or by the processor: to change that a program must be restarted (base/restart.hpp).

#include <string>
#include <string_view>

#include "base/restart.hpp"

namespace curlew {

/// Instruction sets of a processor and its operating system.
struct ProcessorFeatures {
  bool avx2 = false;    ///< with FMA
  bool avx512 = false;  ///< F, CD, BW, DQ, VL: needed by SkylakeX
};
ProcessorFeatures processor_features();

/// Value that OPENBLAS_CORETYPE should get, or "" if no change is needed. A change is needed for kernels
/// older than AVX2 on a processor with AVX2, unless the user chose them, and for kernels that the processor
/// cannot run.
/// @param core name of OpenBLAS's kernels; "" is returned for unknown names
/// @param variable OPENBLAS_CORETYPE, "" if it is not set
std::string better_blas_kernels(std::string_view core, const ProcessorFeatures& features,
                                std::string_view variable);

/// Settings of the environment by better_blas_kernels; empty if no change is needed.
Settings blas_kernel_settings();
/// Whether the user has set OPENBLAS_CORETYPE.
bool blas_kernels_are_users();

/// The kernels in use and the reason.
struct BlasKernels {
  std::string name;    ///< such as SkylakeX; "" without OpenBLAS
  std::string reason;  ///< what chose them, and why
  bool slow = false;   ///< they are for older processors than this one, not chosen by the user
};
BlasKernels blas_kernels();

}  // namespace curlew
