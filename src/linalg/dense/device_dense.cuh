// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the files of the dense solver on the GPU: handles of the libraries, norms of columns.

#include <algorithm>
#include <string>
#include <vector>

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "base/error.hpp"
#include "base/types.hpp"
#include "linalg/dense/device_libraries.hpp"

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

/// Reports a failed call of a library. Zero pivots are reported elsewhere; what remains is too little memory,
/// a fault of the card or a wrong call.
/// @throws ResourceError, or NumericalError where the call is wrong
[[noreturn]] inline void fail(const char* library, const char* what, int status, bool lacks_memory,
                              bool is_wrong_call) {
  const std::string text = std::string(library) + ": " + what +
                           (lacks_memory ? " lacks device memory" : " failed") + ", status " +
                           std::to_string(status);
  if (is_wrong_call) throw NumericalError(text);
  throw ResourceError(text);
}

inline void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail("cuBLAS", what, int(status), status == CUBLAS_STATUS_ALLOC_FAILED,
         status == CUBLAS_STATUS_INVALID_VALUE || status == CUBLAS_STATUS_NOT_SUPPORTED);
}
inline void check(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    fail("cuSOLVER", what, int(status), status == CUSOLVER_STATUS_ALLOC_FAILED,
         status == CUSOLVER_STATUS_INVALID_VALUE || status == CUSOLVER_STATUS_NOT_SUPPORTED);
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

/// Sums of moduli (power 1) or of their squares (power 2) of each column of a [n, columns] on the device.
/// @param[out] sums [columns] on the device
void sum_columns(const Z* a, Offset n, int columns, int power, double* sums);
/// The same, copied to the host.
std::vector<double> column_sums(const Z* a, Offset n, int columns, int power, double* sums);

}  // namespace curlew::linalg
