// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/solved_again.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

constexpr Index direct_unknowns = 30000;  // below, a factorisation is as cheap as the iterations
constexpr double check_tolerance = 1e-6;  // far below the differences that are looked for

Quantities difference(const Quantities& a, const Quantities& b, double scale = 1) {
  Quantities d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = scale * (a[i] - b[i]);
  return d;
}

}  // namespace

Changes solve_again(const Quantities& reported, int order, const mesh::Mesh& mesh, const ShapeVariant* shape,
                    const SolveAgain& solve, const Align& align) {
  const auto solved = [&](const mesh::Mesh& on, int at) {
    Quantities q = solve(on, at);
    if (q.size() != reported.size())
      throw NumericalError("no error estimate: a solution at another order has other results");
    if (align) align(q, reported);
    return q;
  };
  Changes changes{order, {}, {}, {}};
  Quantities lower = reported;  // at the order on which the shape is looked at
  if (order == 3) {
    lower = solved(mesh, 2);
    changes.by_order = difference(reported, lower);
    changes.before = difference(lower, solved(mesh, 1));
  } else {
    changes.by_order = difference(solved(mesh, order + 1), reported);
  }
  if (!shape) return changes;
  if (order == 2) lower = solved(mesh, 1);
  changes.by_shape = difference(solved(shape->mesh, std::max(1, order - 1)), lower, 1 / shape->share);
  return changes;
}

double order_error(double d, int order, double ratio) {
  if (order < 3) return order_safety * d;
  // A ratio is known from two differences only: neither a smaller nor a larger one is believed.
  const double r = std::clamp(ratio, 0.05, 0.7);
  return order_safety * d * r / (1 - r);
}

DrivenOptions options_of_check(DrivenOptions options, bool is_higher, Index unknowns) {
  if (!is_higher || options.iterative || unknowns < direct_unknowns) return options;
  options.iterative.emplace();
  options.iterative->krylov.method = linalg::KrylovMethod::gmres;
  options.iterative->krylov.tolerance = check_tolerance;
  options.iterative->direct = options.direct;
  options.iterative->device = options.device;
  return options;
}

Index count_unknowns(const mesh::Topology& topology, int order) {
  const double edges = topology.num_edges(), faces = topology.num_faces(),
               cells = double(topology.cell_faces.size());
  const double count = order == 1   ? edges
                       : order == 2 ? 2 * edges + 2 * faces
                                    : 3 * edges + 6 * faces + 3 * cells;
  return Index(std::min(count, 2e9));
}

}  // namespace curlew::fem
