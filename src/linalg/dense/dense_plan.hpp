// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a dense system is factored: on the device, on the device with the matrix in the host's memory
// (panel_lu.hpp), or on the host.

#include <functional>

#include "base/device.hpp"
#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

enum class DensePlace { host, device, out_of_core };

struct DensePlan {
  DensePlace place = DensePlace::host;
  LuPrecision precision = LuPrecision::automatic;
  PanelWidths widths;  ///< out of core
  std::size_t matrix_bytes = 0;
  std::size_t host_bytes = 0;    ///< beside the matrix, if that is on the host
  std::size_t device_bytes = 0;  ///< all that is on the device, with the matrix if it is there
};

/// The device as a plan sees it.
struct DenseDevice {
  std::size_t memory = 0;                                    ///< [bytes] that may be used
  bool is_stated = false;                                    ///< that is somebody's wish
  std::function<std::size_t(LuPrecision)> solver_bytes;      ///< of DeviceLu beside the matrix
  std::function<std::size_t(Offset width)> panel_workspace;  ///< see choose_widths
};

/// On the device if all fits there, in double precision if that fits and mixed does not; else by panels; on
/// the host if not even these fit.
/// @throws InputError if the stated memory does not hold the narrowest panels; ResourceError if `mixed` is
/// asked for and does not fit
DensePlan choose_place(Offset n, int num_rhs, LuPrecision precision, const DenseDevice& device);

/// The same for the device of this machine. @param device cpu: on the host
/// @param device_memory [bytes] to use at most, 0: what is free
DensePlan plan_dense(Offset n, int num_rhs, LuPrecision precision, Device device, std::size_t device_memory);

/// Solves A X = B as planned, the matrix given on the host. See solve_dense.
/// @param[in,out] b [n, num_rhs] right-hand sides in, solutions out
LuReport solve_dense(const DensePlan& plan, DenseMatrix& a, Complex* b, int num_rhs, bool with_condition);

}  // namespace curlew::linalg
