// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/planned_check.hpp"

#include <algorithm>

#include "fem/report/solver_report.hpp"
#include "linalg/krylov/method_choice.hpp"

namespace curlew::fem {
namespace {

/// Bytes of the solver for another system: factors scale with the unknowns as in method_choice.hpp, memory of
/// Krylov methods with the matrix.
double solver_bytes(const CheckPrice::System& again, const linalg::SystemInfo& info) {
  const auto known = double(info.estimated_bytes);
  if (info.ordering.empty() || info.unknowns == 0) return known * again.entries;
  const auto unknowns = Index(std::min(again.unknowns * info.unknowns, 2e9));
  return known * double(linalg::expected_factor_bytes(unknowns)) /
         double(linalg::expected_factor_bytes(info.unknowns));
}

}  // namespace

run::OptionalPart check_memory(const CheckPrice& price, Offset entries, const linalg::SystemInfo& info,
                               bool is_beside) {
  const bool on_device = is_on_device(info);
  run::OptionalPart part{"error estimate", 0, 0, is_beside};
  for (const auto& again : price.systems) {
    const double matrix = again.entries * double(entries) * (sizeof(Complex) + sizeof(Index)),
                 solver = solver_bytes(again, info);
    part.host = std::max(part.host, std::size_t(on_device ? matrix : matrix + solver));
    if (on_device) part.device = std::max(part.device, std::size_t(solver));
  }
  return part;
}

PlannedCheck plan_check(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                        const RunSystem& system, results::ErrorReport& report) {
  if (report.is_off()) return {};
  auto shape = shape_variant(mesh, topology, model);
  const auto price = price_of_check(topology, model.order, shape.has_value());
  return plan_check(std::move(shape), price, system, report);
}

PlannedCheck plan_check(std::optional<ShapeVariant> shape, const CheckPrice& price, const RunSystem& system,
                        results::ErrorReport& report) {
  const auto memory = [&] { return check_memory(price, system.entries, system.info, system.is_kept); };
  if (!report.is_wanted({.unknowns = price.unknowns,
                         .price = price.solutions,
                         .solutions = system.solutions,
                         .memory = memory,
                         .has_cheaper = system.has_residuals}))
    return {};
  return {std::move(shape), price};
}

}  // namespace curlew::fem
