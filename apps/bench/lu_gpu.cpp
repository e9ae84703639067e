// SPDX-License-Identifier: BSD-3-Clause
// The GPU part of `em-bench lu`. Compiled with CUDA only.
#include <fmt/format.h>

#include <algorithm>

#include "base/cuda_device.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/lu_parts.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "linalg/dense/device_lu.hpp"
#include "linalg/dense/device_panels.hpp"
#include "linalg/dense/device_shared.hpp"

namespace curlew::bench {
namespace {

using linalg::DensePlace;
using linalg::DensePlan;
using linalg::EntriesMade;

constexpr double gibi = 1 << 30;

DensePlan plan_of(Offset n, linalg::DenseLimits limits, EntriesMade entries) {
  return linalg::plan_dense(n, 1, linalg::LuPrecision::full, Device::cuda, limits, entries);
}

LuRow row_of(const DensePlan& plan, std::string where) {
  LuRow row;
  row.where = std::move(where);
  row.host_gib = double(plan.host_bytes) / gibi, row.device_gib = double(plan.device_bytes) / gibi;
  log::info("{}: {:.2f} GiB of host memory, {:.2f} GiB of device memory", row.where, row.host_gib,
            row.device_gib);
  return row;
}

linalg::LuReport in_core(Offset n) {
  const auto b = lu_right_side(n);
  cuda::Buffer<complex<double>> a(std::size_t(n) * std::size_t(n)), x(b.size());
  lu_columns(n, 0, n, a.data());
  x.upload(reinterpret_cast<const complex<double>*>(b.data()));
  return linalg::DeviceLu(n, 1, linalg::LuPrecision::full).solve(a.data(), x.data(), 1, false);
}

linalg::LuReport made_on_host(Offset n, const DensePlan& plan) {
  auto a = lu_matrix(n);
  auto b = lu_right_side(n);
  return linalg::solve_out_of_core(a, b.data(), 1, plan.layout, false);
}

linalg::FormColumns columns_of(Offset n) {
  return [n](Offset first, Offset count, Complex* to) {
    lu_columns(n, first, count, reinterpret_cast<complex<double>*>(to));
  };
}

linalg::LuReport made_on_device(Offset n, const DensePlan& plan) {
  auto b = lu_right_side(n);
  return linalg::solve_formed(n, columns_of(n), b.data(), 1, plan.layout, false);
}

linalg::LuReport shared(Offset n, const DensePlan& plan) {
  auto b = lu_right_side(n);
  const std::vector<linalg::FormColumns> forms(std::size_t(plan.gpus), columns_of(n));
  return linalg::solve_on_devices(n, cuda::devices_from_current(plan.gpus), forms, plan.layout.panel,
                                  b.data(), 1, false);
}

std::string panels_of(Offset n, const DensePlan& plan, const char* where) {
  return fmt::format("{}, panels of {}, {} of {} stay", where, plan.layout.panel, plan.layout.resident,
                     (n + plan.layout.panel - 1) / plan.layout.panel);
}

/// A plan within what is free now.
DensePlan out_of_core_plan(Offset n, std::size_t host, EntriesMade entries) {
  const auto plan = plan_of(n, {0, host}, entries);
  const double free = double(device_info().free_memory) / gibi;
  if (plan.place == DensePlace::device)
    throw InputError(
        fmt::format("--device-memory {:.3g}: the whole matrix of {} unknowns fits into it", free, n));
  if (plan.place == DensePlace::host)
    throw ResourceError(fmt::format(
        "{} unknowns do not fit into {:.3g} GiB of device memory together with host memory", n, free));
  return plan;
}

}  // namespace

void lu_gpu(Offset n, const Options& options, Report& report) {
  const std::string& only = options.case_name;
  const double matrix_gib = 16 * double(n) * double(n) / gibi;
  const auto host = std::size_t(options.host_memory * gibi);
  const auto core = plan_of(n, {}, EntriesMade::where_factored);
  const bool fits = core.place == DensePlace::device;
  double in_core_seconds = 0;
  const auto measure = [&](LuRow row, auto&& solve) {
    const Timer timer;
    row.lu = solve();
    if (row.where == "device") in_core_seconds = row.lu.factor_seconds;
    row.all_seconds = timer.seconds();
    row.in_core_seconds = in_core_seconds;
    add_lu_row(n, row, report);
  };
  if (fits && (only.empty() || only == "device")) measure(row_of(core, "device"), [&] { return in_core(n); });
  if (only.empty() || only == "shared") {  // two members on one GPU where it is alone
    const auto plan = plan_of(n, {0, host, std::max(2, num_devices())}, EntriesMade::where_factored);
    measure(row_of(plan, fmt::format("{} members on {} GPUs, panels of {}", plan.gpus, num_devices(),
                                     plan.layout.panel)),
            [&] { return shared(n, plan); });
  }
  if (only == "device" || only == "shared") return;

  // Memory beyond the limit is allocated, so that it cannot be used.
  const std::size_t free = device_info().free_memory;
  const double limit = options.device_memory > 0 ? options.device_memory * gibi
                       : fits                    ? matrix_gib / 3 * gibi
                                                 : double(free);
  if (limit > double(free))
    throw ResourceError(fmt::format("{:.2f} GiB are free, less than requested", double(free) / gibi));
  const cuda::Buffer<char> beyond(free - std::size_t(limit));
  const double host_gib = double(host > 0 ? host : available_memory()) / gibi;
  if (only == "host" || (only.empty() && matrix_gib < 0.9 * host_gib)) {
    const auto plan = out_of_core_plan(n, host, EntriesMade::on_host);
    measure(row_of(plan, panels_of(n, plan, "made on the host")), [&] { return made_on_host(n, plan); });
  }
  if (only.empty() || only == "split") {
    const auto plan = out_of_core_plan(n, host, EntriesMade::where_factored);
    measure(row_of(plan, panels_of(n, plan, "made on the device")), [&] { return made_on_device(n, plan); });
  }
}

}  // namespace curlew::bench
