// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/dense_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "linalg/dense/shared_lu.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda_device.hpp"
#include "linalg/dense/device_lu.hpp"
#include "linalg/dense/device_panels.hpp"
#include "linalg/dense/device_upload.hpp"
#endif

namespace curlew::linalg {
namespace {

std::size_t matrix_bytes(Offset n) {
  return std::size_t(n) * std::size_t(n) * sizeof(Complex);
}

DensePlan host_plan(Offset n, int num_rhs, LuPrecision precision) {
  DensePlan plan;
  plan.precision = precision;
  plan.host_bytes = matrix_bytes(n) + dense_workspace(n, num_rhs, precision);
  return plan;
}

/// Libraries load their kernels when they are first called, into a part of the free memory.
std::size_t room_of(const DenseDevice& device) {
  return device.is_stated ? device.memory : device.memory - device.memory / 20;
}

/// @returns width 0 if no panels fit
PanelLayout layout_on(const DenseDevice& device, Offset n, int num_rhs) {
  PanelLimits limits{room_of(device)};
  if (device.entries == EntriesMade::where_factored) {
    const std::size_t locked = page_locked_bytes(n);
    limits.host = device.host_memory > locked ? device.host_memory - locked : 0;
  }
  return choose_layout(n, num_rhs, limits, device.panel_workspace);
}

DensePlan shared_plan(Offset n, int num_rhs, const DenseDevice& device) {
  DensePlan plan{DensePlace::shared, LuPrecision::full, {}, device.gpus};
  const Offset width = shared_width(n, device.gpus), most = shared_columns(n, width, device.gpus, 0);
  plan.layout = {width, 0, int((most + width - 1) / width)};
  plan.device_bytes = panel_bytes(n, num_rhs, plan.layout) + device.panel_workspace(width);
  if (plan.device_bytes > room_of(device))
    throw ResourceError(fmt::format(
        "the matrix of {} unknowns takes {:.2f} GiB on each of {} GPUs, {:.2f} GiB may be used: take more "
        "GPUs, or gpus = 1, which keeps the rest in the host's memory",
        n, gib(plan.device_bytes), device.gpus, gib(room_of(device))));
  return plan;
}

#ifdef CURLEW_HAVE_CUDA
LuReport solve_in_core(const DensePlan& plan, const DenseMatrix& a, Complex* b, int num_rhs,
                       bool with_condition) {
  const auto size = std::size_t(a.rows()) * std::size_t(num_rhs);
  cuda::Buffer<complex<double>> matrix(std::size_t(a.rows()) * std::size_t(a.cols())), x(size);
  upload(a, matrix.data());
  x.upload(reinterpret_cast<const complex<double>*>(b));
  DeviceLu lu(a.rows(), num_rhs, plan.precision);
  const auto report = lu.solve(matrix.data(), x.data(), num_rhs, with_condition);
  x.download(reinterpret_cast<complex<double>*>(b));
  return report;
}
#endif

}  // namespace

DensePlan choose_place(Offset n, int num_rhs, LuPrecision precision, const DenseDevice& device) {
  DensePlan plan = host_plan(n, num_rhs, precision);
  if (n == 0 || num_rhs == 0) return plan;
  if (device.gpus > 1) return shared_plan(n, num_rhs, device);
  const std::size_t vectors = std::size_t(n) * std::size_t(num_rhs) * sizeof(Complex);
  const bool made_on_host = device.entries == EntriesMade::on_host;
  const auto in_core = [&](LuPrecision p) { return matrix_bytes(n) + vectors + device.solver_bytes(p); };
  for (const auto p : {precision, precision == LuPrecision::automatic ? LuPrecision::full : precision}) {
    if (in_core(p) > device.memory) continue;
    plan.place = DensePlace::device, plan.precision = p;
    plan.device_bytes = in_core(p), plan.host_bytes = made_on_host ? matrix_bytes(n) : 0;
    return plan;
  }
  if (precision == LuPrecision::mixed)
    throw ResourceError(fmt::format(
        "factors in single precision need {:.2f} GiB of device memory for {} unknowns, {:.2f} GiB may be "
        "used: precision = \"double\" keeps the matrix in the host's memory",
        gib(in_core(precision)), n, gib(device.memory)));
  plan.layout = layout_on(device, n, num_rhs);
  if (plan.layout.panel > 0) {
    plan.place = DensePlace::out_of_core, plan.precision = LuPrecision::full;
    plan.device_bytes = panel_bytes(n, num_rhs, plan.layout) + device.panel_workspace(plan.layout.panel);
    plan.host_bytes = page_locked_bytes(n) + (made_on_host ? matrix_bytes(n) : stored_bytes(n, plan.layout));
    return plan;
  }
  if (!device.is_stated) return plan;
  const std::size_t least = least_panel_bytes(n, num_rhs, device.panel_workspace);
  if (device.memory < least)
    throw InputError(fmt::format(
        "{:.3g} GiB of device memory do not hold the panels of {} unknowns: at least {:.3g} GiB are needed",
        gib(device.memory), n, gib(least)));
  return plan;
}

DensePlan plan_dense(Offset n, int num_rhs, LuPrecision precision, Device device, DenseLimits limits,
                     EntriesMade entries) {
#ifdef CURLEW_HAVE_CUDA
  if (device == Device::cuda && n > 0) {
    std::optional<PanelWorkspace> workspace;  // its library takes longer to start than small systems to solve
    std::size_t free = device_info().free_memory;
    for (const int other : cuda::devices_from_current(limits.gpus))
      free = std::min(free, free_device_memory(other));
    DenseDevice d;
    d.is_stated = limits.device > 0 && limits.device <= free;
    d.memory = d.is_stated ? limits.device : free;
    d.host_memory = limits.host > 0 ? std::min(limits.host, available_memory()) : available_memory();
    d.entries = entries;
    d.gpus = limits.gpus;
    d.solver_bytes = [&](LuPrecision p) { return DeviceLu::workspace_bytes(n, num_rhs, p); };
    d.panel_workspace = [&](Offset width) {
      if (!workspace) workspace.emplace(n);
      return (*workspace)(std::min(width, n));
    };
    return choose_place(n, num_rhs, precision, d);
  }
#endif
  static_cast<void>(device), static_cast<void>(limits), static_cast<void>(entries);
  return host_plan(n, num_rhs, precision);
}

LuReport solve_dense(const DensePlan& plan, DenseMatrix& a, Complex* b, int num_rhs, bool with_condition) {
#ifdef CURLEW_HAVE_CUDA
  if (a.rows() > 0 && num_rhs > 0) {
    if (plan.place == DensePlace::device) return solve_in_core(plan, a, b, num_rhs, with_condition);
    if (plan.place == DensePlace::out_of_core)
      return solve_out_of_core(a, b, num_rhs, plan.layout, with_condition);
  }
#endif
  return solve_dense(a, b, num_rhs, plan.precision, with_condition);
}

}  // namespace curlew::linalg
