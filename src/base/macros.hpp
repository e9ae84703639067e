// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Macros for formulas used on both CPU and GPU.

#ifdef __CUDACC__
#define CURLEW_HD __host__ __device__ inline
#else
#define CURLEW_HD inline
#endif
