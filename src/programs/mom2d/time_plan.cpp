// SPDX-License-Identifier: BSD-3-Clause
#include "programs/mom2d/time_plan.hpp"

#include "linalg/dense/machine_speed.hpp"

namespace curlew::programs {
namespace {

/// At the speed of dense products: an entry of the matrix, of the cases of tests/scripts/time_test.py.
constexpr double entry_flops = 1000;

}  // namespace

std::optional<Mom2dSeconds> mom2d_seconds(double unknowns, double columns, const run::Run& run) {
  if (!run.dry_run() || run.on_cuda()) return std::nullopt;
  const auto speed = linalg::measure_speed();
  return Mom2dSeconds{entry_flops * unknowns * unknowns / speed.dense_flops,
                      linalg::dense_seconds(unknowns, columns, speed)};
}

}  // namespace curlew::programs
