// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Abstract linear operator y = A x, on the host or the device, for iterative solvers.

#include "base/complex.hpp"
#include "base/types.hpp"

namespace curlew::linalg {

/// y = A x on host memory. T is Complex or ComplexF. A preconditioner is an operator too: z = M r.
template <class T>
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual Index size() const = 0;
  /// @param x, y [size()], not overlapping
  virtual void apply(const T* x, T* y) const = 0;
  /// Y = A X for n columns with leading dimensions ldx and ldy; by default column by column.
  virtual void apply_many(const T* x, Offset ldx, T* y, Offset ldy, Index n) const {
    for (Index c = 0; c < n; ++c) apply(x + c * ldx, y + c * ldy);
  }
  /// Not null if the operator is pointwise, y_i = d_i x_i: loops then multiply by d within vector operations.
  /// [size()]
  virtual const T* diagonal() const { return nullptr; }
};

/// Queue for device work. A kernel does nothing if *skip != 0: iterations already queued when a solver
/// converges have no effect.
struct DeviceQueue {
  void* stream = nullptr;     ///< a cudaStream_t
  const int* skip = nullptr;  ///< device memory, or null
};

/// y = A x on device memory, queued and not waited for. T is complex<double> or complex<float>.
template <class T>
class DeviceOperator {
 public:
  virtual ~DeviceOperator() = default;
  virtual Index size() const = 0;
  /// @param x, y device memory [size()], not overlapping
  virtual void apply(const T* x, T* y, const DeviceQueue& queue) const = 0;
  /// Y = A X for n columns with leading dimensions ldx and ldy
  virtual void apply_many(const T* x, Offset ldx, T* y, Offset ldy, Index n, const DeviceQueue& queue) const {
    for (Index c = 0; c < n; ++c) apply(x + c * ldx, y + c * ldy, queue);
  }
  virtual const T* diagonal() const { return nullptr; }
  /// False if apply waits for the device or calls what a CUDA graph cannot record.
  virtual bool is_recordable() const { return true; }
};

}  // namespace curlew::linalg
