// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Marks that let one formula serve the CPU and the GPU.

#ifdef __CUDACC__
#define CURLEW_HD __host__ __device__ inline
#else
#define CURLEW_HD inline
#endif
