// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of cuBLAS and cuSOLVER that we call, loaded at the first call: the libraries take 0.3 s and
// 1.5 GB of address space, which runs on the host should not need. They have the names and arguments of the
// headers. Private to the dense solver, as users of the library need not have those headers.

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <atomic>

namespace curlew::linalg {

enum class DeviceLibrary { cublas, cusolver };

/// @throws ResourceError if the library or the function does not exist
void* device_function(DeviceLibrary library, const char* name);

template <class Function>
class DeviceEntry;

/// A function that is loaded at its first call. Thread-safe.
template <class Result, class... Arguments>
class DeviceEntry<Result(Arguments...)> {
 public:
  constexpr DeviceEntry(DeviceLibrary library, const char* name) : library_(library), name_(name) {}

  /// @throws ResourceError if it does not exist
  Result operator()(Arguments... arguments) const {
    Pointer function = function_;
    if (function == nullptr)
      function_ = function = reinterpret_cast<Pointer>(device_function(library_, name_));
    return function(arguments...);
  }

 private:
  using Pointer = Result (*)(Arguments...);

  DeviceLibrary library_;
  const char* name_;
  mutable std::atomic<Pointer> function_{nullptr};
};

/// cublas_api.h overloads the name.
using GemmEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                              const void*, const void*, cudaDataType, int, const void*, cudaDataType, int,
                              const void*, void*, cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

// The headers rename functions by macros (cublasZgemm is cublasZgemm_v2): the text is that of the new name.
#define CURLEW_TEXT_OF(text) #text
#define CURLEW_TEXT(name) CURLEW_TEXT_OF(name)
#define CURLEW_ENTRY(library, name) \
  inline const DeviceEntry<decltype(::name)> name{DeviceLibrary::library, CURLEW_TEXT(name)};

CURLEW_ENTRY(cublas, cublasCreate)
CURLEW_ENTRY(cublas, cublasDestroy)
CURLEW_ENTRY(cublas, cublasSetStream)
CURLEW_ENTRY(cublas, cublasCtrsm)
CURLEW_ENTRY(cublas, cublasZtrsm)
CURLEW_ENTRY(cublas, cublasZgemm)
CURLEW_ENTRY(cublas, cublasZgemv)
CURLEW_ENTRY(cublas, cublasZdotc)
CURLEW_ENTRY(cublas, cublasDznrm2)
CURLEW_ENTRY(cublas, cublasZaxpy)
CURLEW_ENTRY(cublas, cublasZdscal)
inline const DeviceEntry<GemmEx> cublasGemmEx{DeviceLibrary::cublas, "cublasGemmEx"};
CURLEW_ENTRY(cusolver, cusolverDnCreate)
CURLEW_ENTRY(cusolver, cusolverDnDestroy)
CURLEW_ENTRY(cusolver, cusolverDnSetStream)
CURLEW_ENTRY(cusolver, cusolverDnCgetrf)
CURLEW_ENTRY(cusolver, cusolverDnCgetrf_bufferSize)
CURLEW_ENTRY(cusolver, cusolverDnCgetrs)
CURLEW_ENTRY(cusolver, cusolverDnZgetrf)
CURLEW_ENTRY(cusolver, cusolverDnZgetrf_bufferSize)
CURLEW_ENTRY(cusolver, cusolverDnZgetrs)

#undef CURLEW_ENTRY
#undef CURLEW_TEXT
#undef CURLEW_TEXT_OF

}  // namespace curlew::linalg
