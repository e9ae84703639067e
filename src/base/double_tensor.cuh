// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tensor cores in double precision, which multiply twice as fast as vector instructions: for compute
// capability 9.0.

#include "base/compiled_for.cuh"

namespace curlew::cuda {

/// c += a b of a warp, 16 x 4 by 4 x 8: a lane holds a at row lane/4 and + 8, column lane%4; b at row lane%4,
/// column lane/4; c at row lane/4, columns 2 (lane%4) and + 1, then the same 8 rows below.
__device__ __forceinline__ void multiply_by_tensor(double (&c)[4], double a_upper, double a_lower, double b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a_upper), "d"(a_lower), "d"(b));
#else
  __trap();  // is_compiled_for keeps this code from being chosen
#endif
}

}  // namespace curlew::cuda
