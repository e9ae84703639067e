// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tensor cores in single precision, of whose operands they read ten bits behind the first one (TF32): for
// compute capability 8.0 and later.

#include "base/compiled_for.cuh"

namespace curlew::cuda {

/// The nearest number that a tensor core reads whole.
__device__ __forceinline__ float to_tensor(float x) {
#if __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
#else
  return x;
#endif
}

/// c += a b of a warp, 16 x 8 by 8 x 8: a lane holds a at row lane/4 and + 8 of column lane%4, then of column
/// + 4; b at rows lane%4 and + 4 of column lane/4; c at row lane/4, columns 2 (lane%4) and + 1, then the same
/// 8 rows below.
__device__ __forceinline__ void multiply_by_tensor(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
        "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
#else
  __trap();  // is_compiled_for keeps this code from being chosen
#endif
}

}  // namespace curlew::cuda
