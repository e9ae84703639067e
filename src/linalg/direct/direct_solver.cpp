// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/direct_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/blas_kernels.hpp"
#include "base/error.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/mkl.hpp"
#include "linalg/direct/mumps.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif

extern "C" {
char* openblas_get_config();
int openblas_get_num_threads();
}

namespace curlew::linalg {
template <class T>
std::unique_ptr<DirectSolver<T>> make_direct_solver(const DirectOptions& options, Device device) {
  if (!(options.pivot_threshold >= 0 && options.pivot_threshold <= 0.5))
    throw InputError(fmt::format("pivot threshold {}: must be within 0..0.5", options.pivot_threshold));
  if (options.rhs_block < 1)
    throw InputError(fmt::format("block of right-hand sides {}: must be positive", options.rhs_block));
  if (options.gpus < 1) throw InputError(fmt::format("number of GPUs {}: must be positive", options.gpus));
  if (device == Device::cuda) {
#ifdef CURLEW_HAVE_CUDA
    if constexpr (std::is_same_v<T, Complex>) return make_cudss(options);
#endif
    throw ResourceError("there is no sparse direct solver for the GPU in this build: choose the CPU");
  }
  return options.library == DirectLibrary::mkl ? make_mkl<T>(options) : make_mumps<T>(options);
}

std::string blas_description() {
  const std::string config = openblas_get_config();
  const auto version = config.substr(0, config.find(' ', config.find(' ') + 1));
  const BlasKernels kernels = blas_kernels();
  return fmt::format("{} {}, {} threads ({})", version, kernels.name, openblas_get_num_threads(),
                     kernels.reason);
}

#define CURLEW_INSTANTIATE_DIRECT(T) \
  template std::unique_ptr<DirectSolver<T>> make_direct_solver(const DirectOptions&, Device);
CURLEW_INSTANTIATE_DIRECT(Complex)
CURLEW_INSTANTIATE_DIRECT(double)

}  // namespace curlew::linalg
