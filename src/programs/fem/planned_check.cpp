// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/planned_check.hpp"

namespace curlew::programs {

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
  if (!report.is_wanted({price.unknowns, price.solutions, system.solutions, memory})) return {};
  return {std::move(shape), price};
}

}  // namespace curlew::programs
