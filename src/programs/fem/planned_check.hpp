// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An error estimate by solving again, as it is decided on before work begins.

#include <optional>

#include "fem/error/shape_variant.hpp"
#include "fem/error/solved_again.hpp"
#include "programs/fem/check_memory.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

struct PlannedCheck {
  std::optional<fem::ShapeVariant> shape;
  fem::CheckPrice price;  ///< no systems: there is no estimate
  bool is_wanted() const { return !price.systems.empty(); }
};

/// What the run solves itself.
struct RunSystem {
  Offset entries;  ///< of its matrix
  linalg::SystemInfo info;
  double solutions;     ///< frequencies
  bool is_kept = true;  ///< its factors are there while the estimate is made
};

/// Decides, and states the memory of the estimate. After the run's own is planned.
/// @param mesh outlives what is returned
PlannedCheck plan_check(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                        const RunSystem& system, results::ErrorReport& report);
/// The same of elements and a shape of another kind.
PlannedCheck plan_check(std::optional<fem::ShapeVariant> shape, const fem::CheckPrice& price,
                        const RunSystem& system, results::ErrorReport& report);

}  // namespace curlew::programs
