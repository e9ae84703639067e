// SPDX-License-Identifier: BSD-3-Clause
#include "programs/dense_memory.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::programs {

std::size_t read_device_memory(const io::Config& expert) {
  return expert.has("device_memory") ? std::size_t(expert.positive("device_memory") * (1 << 30)) : 0;
}

void plan_dense_memory(Offset unknowns, Offset num_rhs, linalg::LuPrecision precision,
                       const linalg::DenseLimits& limits, linalg::EntriesMade entries, run::Run& run) {
  linalg::DensePlan plan;
  try {
    plan = linalg::plan_dense(unknowns, int(num_rhs), precision, run.device(), limits, entries);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: solver.expert.device_memory: {}", run.input(), e.what()));
  }
  if (plan.host_bytes > 0) run.plan("matrix and factors", plan.host_bytes);
  if (plan.device_bytes > 0) run.plan_device("matrix and factors", plan.device_bytes);
  if (plan.place == linalg::DensePlace::shared)
    log::info("{} GPUs share the matrix, {:.2f} GiB on each", plan.gpus, gib(plan.device_bytes));
  if (plan.place != linalg::DensePlace::out_of_core) return;
  log::info("the matrix is factored by panels of {} columns: {} of {} columns stay on the device",
            plan.layout.panel, linalg::resident_columns(unknowns, plan.layout), unknowns);
}

}  // namespace curlew::programs
