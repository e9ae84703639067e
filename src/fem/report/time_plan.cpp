// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/time_plan.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense/machine_speed.hpp"
#include "run/time_plan.hpp"

namespace curlew::fem {
namespace {

// Equivalent numbers of operations at the speed of dense products, from tests/scripts/time_test.py.
constexpr double assembly_flops = 900;    // an entry of an element matrix
constexpr double field_flops = 2000;      // a point of a cell and function of its elements, with its file
constexpr double curved_fields = 10;      // times that, where the mesh has curved cells
constexpr double written_seconds = 0.02;  // of a set of fields, beside its points
constexpr double column_seconds = 1e-3;   // of a right-hand side, its residual and its refinement
constexpr double least_seconds = 0.01;    // of a stage: files are opened, threads started

/// Functions of a cell: Nedelec (1980), Numer. Math. 35: p (p + 2) (p + 3)/2.
double functions_of_cell(int order) {
  return order * (order + 2) * (order + 3) / 2.0;
}

/// Points of a cell in fields.vtkhdf: nodes of a tetrahedron whose edges are cut into n pieces.
double points_of_cell(const NedelecSpace& space, const FieldCells& cells) {
  const int by_order =
      cells.are_lagrange(space.order) ? space.order : std::max(space.order, space.mesh->geometry_order);
  const int n = cells.subdivision > 0 ? cells.subdivision : by_order;
  return (n + 1) * (n + 2) * (n + 3) / 6.0;
}

}  // namespace

void plan_fem_seconds(const NedelecSpace& space, const linalg::SystemInfo& info, const FemWork& work,
                      run::Run& run) {
  if (!run.dry_run() || run.on_cuda() || info.factor_flops <= 0) return;
  const auto speed = linalg::measure_speed();
  const double cells = space.mesh->num_cells(), functions = functions_of_cell(space.order);
  const double assembly = assembly_flops * cells * functions * functions / speed.dense_flops;
  const double factors = linalg::sparse_factor_seconds(info.factor_flops, info.factor_entries, speed);
  const double substitution = work.right_hand_sides * (column_seconds + linalg::sparse_substitution_seconds(
                                                                            info.factor_entries, speed));
  const double field = (space.mesh->geometry_order > 1 ? curved_fields : 1) * field_flops * cells *
                       points_of_cell(space, work.field_cells) * functions / speed.dense_flops;
  run::plan_seconds(run, "assembly", least_seconds + work.solutions * assembly);
  run::plan_seconds(run, "factorisation", least_seconds + work.solutions * factors);
  run::plan_seconds(run, "substitution", least_seconds + work.solutions * substitution);
  run::plan_seconds(run, run::results_stage, least_seconds + work.written * (written_seconds + field));
  if (work.check.systems.empty()) return;
  double check = least_seconds;
  for (const auto& again : work.check.systems) {
    const double factor_entries = std::pow(again.unknowns, 4.0 / 3);  // see CheckPrice
    // Operations as the power 3/2 of the entries: see method_choice.hpp.
    const double factorisation = linalg::sparse_factor_seconds(
        info.factor_flops * std::pow(factor_entries, 1.5), info.factor_entries * factor_entries, speed);
    check +=
        again.entries * (assembly + info.analyse_seconds) + factorisation + factor_entries * substitution;
  }
  run::plan_seconds(run, "error estimate", work.checks * check);
}

}  // namespace curlew::fem
