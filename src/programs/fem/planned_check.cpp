// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/planned_check.hpp"

#include <algorithm>

#include "linalg/krylov/method_choice.hpp"
#include "programs/fem/solver_report.hpp"

namespace curlew::programs {
namespace {

/// Bytes of the solver for another system: factors scale with the unknowns as in method_choice.hpp, memory of
/// Krylov methods with the matrix.
double solver_bytes(const fem::CheckPrice::System& again, const linalg::SystemInfo& info) {
  const auto known = double(info.estimated_bytes);
  if (info.ordering.empty() || info.unknowns == 0) return known * again.entries;
  const auto unknowns = Index(std::min(again.unknowns * info.unknowns, 2e9));
  return known * double(linalg::expected_factor_bytes(unknowns)) /
         double(linalg::expected_factor_bytes(info.unknowns));
}

}  // namespace

run::OptionalPart check_memory(const fem::CheckPrice& price, Offset entries, const linalg::SystemInfo& info,
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

PlannedCheck plan_check(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                        const RunSystem& system, results::ErrorReport& report) {
  if (report.is_off()) return {};
  auto shape = fem::shape_variant(mesh, topology, model);
  const auto price = fem::price_of_check(topology, model.order, shape.has_value());
  return plan_check(std::move(shape), price, system, report);
}

PlannedCheck plan_check(std::optional<fem::ShapeVariant> shape, const fem::CheckPrice& price,
                        const RunSystem& system, results::ErrorReport& report) {
  const auto memory = [&] { return check_memory(price, system.entries, system.info, system.is_kept); };
  if (!report.is_wanted({.unknowns = price.unknowns,
                         .price = price.solutions,
                         .solutions = system.solutions,
                         .memory = memory,
                         .has_cheaper = system.has_residuals}))
    return {};
  return {std::move(shape), price};
}

}  // namespace curlew::programs
