// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the parts of the dense solver on the GPU share: handles of the libraries, norms of columns.

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "base/error.hpp"
#include "base/types.hpp"

namespace curlew::linalg {

using Z = complex<double>;
using C = complex<float>;
inline cuDoubleComplex* cu(Z* p) {
  return reinterpret_cast<cuDoubleComplex*>(p);
}
inline const cuDoubleComplex* cu(const Z* p) {
  return reinterpret_cast<const cuDoubleComplex*>(p);
}
inline cuComplex* cu(C* p) {
  return reinterpret_cast<cuComplex*>(p);
}

inline void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw NumericalError(std::string("cuBLAS: ") + what + " failed with status " +
                         std::to_string(int(status)));
}
inline void check(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw NumericalError(std::string("cuSOLVER: ") + what + " failed with status " +
                         std::to_string(int(status)));
}

inline int grid_of(Offset n, int threads) {
  return int(std::min<Offset>((n + threads - 1) / threads, 132 * 64));
}

struct DenseHandles {
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;

  DenseHandles() {
    check(cublasCreate(&blas), "create");
    check(cusolverDnCreate(&solver), "create");
  }
  ~DenseHandles() {
    cublasDestroy(blas);
    cusolverDnDestroy(solver);
  }
  DenseHandles(const DenseHandles&) = delete;
  DenseHandles& operator=(const DenseHandles&) = delete;
};

/// Of each column of a [n, columns] on the device: sum of moduli (power 1) or of their squares (power 2).
/// @param[out] sums [columns] on the device
void sum_columns(const Z* a, Offset n, int columns, int power, double* sums);
/// The same, copied to the host.
std::vector<double> column_sums(const Z* a, Offset n, int columns, int power, double* sums);

}  // namespace curlew::linalg
