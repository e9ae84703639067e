// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Krylov solvers on the CPU and on the GPU: one source (the *_loop.hpp files) compiled for both. The
// workspace, and on the GPU the recorded iteration, are used for any number of right-hand sides.

#include <memory>
#include <vector>

#include "linalg/krylov/options.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

class HostBackend;
class DeviceBackend;
template <class Backend, class R>
class KrylovLoop;

/// Solves A x = b with right preconditioner M (cocr: M symmetric). T is Complex or ComplexF.
template <class T>
class Krylov {
 public:
  /// @param m null: none. A and M are stored by reference.
  /// @throws InputError for options out of range or sizes that differ
  Krylov(const LinearOperator<T>& a, const LinearOperator<T>* m, const KrylovOptions& options);
  ~Krylov();
  /// @param b, x [size]; x is read if options.use_initial_guess
  KrylovReport solve(const T* b, T* x);
  /// Sets the tolerance of the solves that follow, instead of that of the options.
  void set_tolerance(double tolerance);
  /// Discards recycled search directions (KrylovOptions::kept_directions).
  void forget();
  /// Solves column by column. @param b, x [size, num_rhs], column-major
  std::vector<KrylovReport> solve(const T* b, T* x, Index num_rhs);

 private:
  std::unique_ptr<HostBackend> backend_;
  std::unique_ptr<KrylovLoop<HostBackend, typename T::value_type>> loop_;
};

/// The same on device memory. T is complex<double> or complex<float>. For builds with CUDA.
template <class T>
class DeviceKrylov {
 public:
  /// @throws ResourceError before any work if the workspace does not fit
  DeviceKrylov(const DeviceOperator<T>& a, const DeviceOperator<T>* m, const KrylovOptions& options);
  ~DeviceKrylov();
  /// @param b, x device memory [size]
  KrylovReport solve(const T* b, T* x);
  void set_tolerance(double tolerance);
  void forget();
  std::vector<KrylovReport> solve(const T* b, T* x, Index num_rhs);

 private:
  std::unique_ptr<DeviceBackend> backend_;
  std::unique_ptr<KrylovLoop<DeviceBackend, decltype(T::re)>> loop_;
};

/// Number of vectors of a method, including x, b and the residual.
int krylov_vectors(const KrylovOptions& options);

}  // namespace curlew::linalg
