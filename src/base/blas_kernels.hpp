// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which of its kernels OpenBLAS takes. Up to 0.3.24 it falls back to those of a Pentium 4 (`Prescott`) on
// Intel processors that are newer than itself (issue 4267 there), a quarter of the speed. It chooses before
// main, by OPENBLAS_CORETYPE or by the processor: to change that a program must start again
// (base/restart.hpp).

#include <string>
#include <string_view>

#include "base/restart.hpp"

namespace curlew {

/// What a processor and its operating system can run.
struct ProcessorFeatures {
  bool avx2 = false;    ///< with FMA
  bool avx512 = false;  ///< F, CD, BW, DQ, VL: what SkylakeX is compiled for
};
ProcessorFeatures processor_features();

/// Value that OPENBLAS_CORETYPE should get, or "" where all is well: kernels for processors before AVX2 on
/// one that has it, where the user chose none; and kernels that the processor cannot run, also where the user
/// chose them.
/// @param core name of OpenBLAS's kernels; "" is returned for unknown names
/// @param variable OPENBLAS_CORETYPE, "" if it is not set
std::string better_blas_kernels(std::string_view core, const ProcessorFeatures& features,
                                std::string_view variable);

/// What better_blas_kernels asks of the environment of this program; empty where all is well.
Settings blas_kernel_settings();
/// Whether OPENBLAS_CORETYPE is set, and not by a program.
bool blas_kernels_are_users();

/// Who chose the kernels.
struct BlasKernels {
  std::string name;    ///< such as SkylakeX; "" without OpenBLAS
  std::string reason;  ///< who chose them, and why
  bool slow = false;   ///< they are for older processors than this one, and no user asked for them
};
BlasKernels blas_kernels();

}  // namespace curlew
