// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fill and solve on the GPU: only geometry and fields are copied; matrix and excitations stay on the GPU. If
// the matrix does not fit there, some columns of its factors are on the host. Only in builds with CUDA.

#include <memory>

#include "base/complex.hpp"
#include "mom2d/near_entries.hpp"
#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// The geometry and the blocks of a system in device memory.
class DeviceSystem {
 public:
  DeviceSystem(const Problem& problem, const System& system, const Nodes& nodes, const NearList& near);
  ~DeviceSystem();
  DeviceSystem(const DeviceSystem&) = delete;
  DeviceSystem& operator=(const DeviceSystem&) = delete;

  /// The matrix of fill(), computed on the device. Asynchronous on the default stream.
  /// @param[out] a device memory [size, size], column-major
  void fill(complex<double>* a) const;
  /// Its columns [first, first + count). @param[out] a device memory [size, count]
  void fill_columns(Offset first, Offset count, complex<double>* a) const;
  /// The right-hand sides of excitations(), computed on the device.
  /// @param[out] b device memory [size, phi.size()], column-major
  void excite(const std::vector<double>& phi, complex<double>* b) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Fills and solves as planned, on the device, on several or out of core; sets s.report and s.fill_seconds.
/// @returns the scaled unknowns [waves, size]
/// @throws ResourceError with the needed size if the device's memory does not suffice
std::vector<Complex> solve_on_device(Solution& s, const NearList& near, const linalg::DensePlan& plan,
                                     bool with_condition);

}  // namespace curlew::mom2d
