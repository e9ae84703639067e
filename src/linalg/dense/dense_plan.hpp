// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a dense system is factored: on the device, on the device by panels of which some or all lie in the
// host's memory (panel_lu.hpp), on several devices that share it (shared_lu.hpp), or on the host.

#include <functional>

#include "base/device.hpp"
#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

enum class DensePlace { host, device, out_of_core, shared };

/// Where the entries of the matrix are computed: all on the host; or any columns at any time where the matrix
/// is factorised.
enum class EntriesMade { on_host, where_factored };

struct DensePlan {
  DensePlace place = DensePlace::host;
  LuPrecision precision = LuPrecision::automatic;
  PanelLayout layout;          ///< out of core; shared: panels that stay on each device
  int gpus = 1;                ///< that share the matrix
  std::size_t host_bytes = 0;  ///< all that is on the host, with what is there of the matrix
  std::size_t device_bytes =
      0;  ///< all that is on the device, each of them, with what is there of the matrix
};

/// Memory of device and host for planning.
struct DenseDevice {
  std::size_t memory = 0;       ///< [bytes] that may be used
  bool is_stated = false;       ///< the limit was set by the user
  std::size_t host_memory = 0;  ///< [bytes] for panels that do not stay on the device
  EntriesMade entries = EntriesMade::on_host;
  int gpus = 1;  ///< of this kind, that are to share the matrix; more than one: entries where_factored
  std::function<std::size_t(LuPrecision)> solver_bytes;      ///< of DeviceLu beside the matrix
  std::function<std::size_t(Offset width)> panel_workspace;  ///< see choose_layout
};

/// On the device if all fits there, in double precision if that fits and mixed does not; else by panels; on
/// the host if not even these fit. Several devices share it in double precision, whatever its size.
/// @throws InputError if the stated memory does not hold the narrowest panels; ResourceError if `mixed` is
/// asked for and does not fit, or if the matrix does not fit on several devices
DensePlan choose_place(Offset n, int num_rhs, LuPrecision precision, const DenseDevice& device);

/// [bytes] to use at most, 0: all free memory.
struct DenseLimits {
  std::size_t device = 0, host = 0;
  int gpus = 1;  ///< to use, the current one and the following ones; each has `device`
};

/// The same for the device of this machine. @param device cpu: on the host
DensePlan plan_dense(Offset n, int num_rhs, LuPrecision precision, Device device, DenseLimits limits,
                     EntriesMade entries);

/// Solves A X = B as planned, for entries computed on the host. See solve_dense.
/// @param[in,out] b [n, num_rhs] right-hand sides in, solutions out
LuReport solve_dense(const DensePlan& plan, DenseMatrix& a, Complex* b, int num_rhs, bool with_condition);

}  // namespace curlew::linalg
