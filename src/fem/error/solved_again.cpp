// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/solved_again.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

Quantities difference(const Quantities& a, const Quantities& b, double scale = 1) {
  Quantities d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = scale * (a[i] - b[i]);
  return d;
}

}  // namespace

Changes solve_again(const Quantities& reported, int order, const mesh::Mesh& mesh, const ShapeVariant* shape,
                    const SolveAgain& solve, const Align& align, double least_ratio) {
  const auto solved = [&](const mesh::Mesh& on, int at) {
    Quantities q = solve(on, at);
    if (q.size() != reported.size())
      throw NumericalError("no error estimate: the solution at another order has a different set of results");
    if (align) align(q, reported);
    return q;
  };
  Changes changes{order, {}, {}, {}, least_ratio};
  Quantities lower = reported;  // at the order used for the change of shape
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

std::string describe_check(int order, bool has_shape) {
  const std::string orders = order == 3   ? "from orders 1, 2 and 3"
                             : order == 2 ? "from orders 2 and 3"
                                          : "from orders 1 and 2";
  return orders + (has_shape ? " and facets moved to the surface" : "");
}

CheckPrice price_of_check(const mesh::Topology& topology, int order, bool has_shape,
                          ElementFunctions (*functions_of)(int)) {
  std::vector<int> orders = order == 3 ? std::vector{2, 1} : std::vector{order + 1};
  if (has_shape) {
    if (order == 2) orders.push_back(1);
    orders.push_back(std::max(1, order - 1));
  }
  CheckPrice price;
  const auto run = functions_of(order);
  for (const int at : orders) {
    const auto functions = functions_of(at);
    const double unknowns = count_unknowns(topology, functions),
                 growth = unknowns / count_unknowns(topology, run);
    price.systems.push_back({growth, count_entries(topology, functions) / count_entries(topology, run)});
    price.unknowns = std::max(price.unknowns, long(unknowns));
    price.solutions += std::pow(growth, 4.0 / 3);
  }
  return price;
}

}  // namespace curlew::fem
