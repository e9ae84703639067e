// SPDX-License-Identifier: BSD-3-Clause
#include "job/dense_memory.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "linalg/dense/machine_speed.hpp"
#include "run/time_plan.hpp"

namespace curlew::job {

std::size_t read_device_memory(const io::Config& expert) {
  return expert.has("device_memory") ? std::size_t(expert.positive("device_memory") * (1 << 30)) : 0;
}

linalg::LuPrecision read_lu_precision(const io::Config& solver, const run::Run& run) {
  const auto word = solver.choice_or("precision", {"automatic", "double", "mixed"}, "automatic");
  if (word == "mixed" || run.precision() == run::Precision::single_precision)
    return linalg::LuPrecision::mixed;
  return word == "double" ? linalg::LuPrecision::full : linalg::LuPrecision::automatic;
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

DenseSeconds dense_seconds(double fill_operations, double unknowns, double columns, const run::Run& run) {
  if (!run.dry_run() || run.on_cuda()) return {};
  const auto speed = linalg::measure_speed();
  return {fill_operations / speed.dense_flops, linalg::dense_seconds(unknowns, columns, speed)};
}

void plan_dense_seconds(const DenseSeconds& each, double frequencies, run::Run& run) {
  if (each.solution == 0) return;
  run::plan_seconds(run, "fill", frequencies * each.fill);
  run::plan_seconds(run, "solution", frequencies * each.solution);
}

}  // namespace curlew::job
