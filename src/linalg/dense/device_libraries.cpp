// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

/// @throws ResourceError if it is not installed; the next call tries again
void* open_library(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw ResourceError(fmt::format("dense matrices on the GPU need {}: {}", name, dlerror()));
  return library;
}

void* library_of(DeviceLibrary library) {
  // The version of the header, as the linker would have noted it.
  if (library == DeviceLibrary::cublas) {
    static void* const cublas = open_library(fmt::format("libcublas.so.{}", CUBLAS_VER_MAJOR));
    return cublas;
  }
  static void* const cusolver = open_library(fmt::format("libcusolver.so.{}", CUSOLVER_VER_MAJOR));
  return cusolver;
}

}  // namespace

void* device_function(DeviceLibrary library, const char* name) {
  void* function = dlsym(library_of(library), name);
  if (function == nullptr)
    throw ResourceError(fmt::format("dense matrices on the GPU need {}: {}", name, dlerror()));
  return function;
}

}  // namespace curlew::linalg
