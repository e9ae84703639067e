// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An error estimate by solving again, as it is decided on before work begins.

#include <optional>

#include "fem/error/shape_variant.hpp"
#include "fem/error/solved_again.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "results/error_report.hpp"
#include "run/optional_part.hpp"

namespace curlew::programs {

/// The memory of an error estimate, as dry runs state it: matrix and factors of the largest system, by what
/// the analysis says of the run's.
/// @param entries of the run's matrix @param is_beside the run keeps its factors meanwhile
run::OptionalPart check_memory(const fem::CheckPrice& price, Offset entries, const linalg::SystemInfo& info,
                               bool is_beside = true);

struct PlannedCheck {
  std::optional<fem::ShapeVariant> shape;
  fem::CheckPrice price;  ///< no systems: there is no estimate
  bool is_wanted() const { return !price.systems.empty(); }
};

/// What the run solves itself.
struct RunSystem {
  Offset entries;  ///< of its matrix
  linalg::SystemInfo info;
  double solutions;            ///< frequencies
  bool is_kept = true;         ///< its factors are there while the estimate is made
  bool has_residuals = false;  ///< bars from these stand where solving again is too dear
};

/// Decides, and states the memory of the estimate. After the run's own is planned.
/// @param mesh outlives what is returned
PlannedCheck plan_check(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                        const RunSystem& system, results::ErrorReport& report);
/// The same of elements and a shape of another kind.
PlannedCheck plan_check(std::optional<fem::ShapeVariant> shape, const fem::CheckPrice& price,
                        const RunSystem& system, results::ErrorReport& report);

}  // namespace curlew::programs
