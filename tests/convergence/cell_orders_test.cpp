// SPDX-License-Identifier: BSD-3-Clause
// Elements whose order differs from cell to cell, against closed forms: modes of a box, and a wave along a
// guide through ports whose faces have several orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "mesh/box.hpp"
#include "rates.hpp"

namespace curlew::fem {
namespace {

/// Orders by where the middle of each cell is.
template <class OrderAt>
CellOrders orders_of(const mesh::Mesh& mesh, OrderAt order_at) {
  CellOrders orders(std::size_t(mesh.num_cells()));
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    Vec3<double> middle{};
    for (int i = 0; i < 4; ++i) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])];
    orders[std::size_t(c)] = std::int8_t(order_at(middle));
  }
  return orders;
}

struct Box {
  mesh::Mesh mesh;
  mesh::Topology topology;
  explicit Box(int n)
      : mesh(mesh::make_box({.hi = {1.0, 0.75, 0.5}, .blocks = {n, n, n}, .shuffle_seed = 17})),
        topology(mesh::build_topology(mesh)) {}

  NedelecSpace space(int order, const CellOrders& orders = {}) const {
    return make_space(mesh, topology, order, surface_triangles(mesh, "walls"), orders);
  }
  /// Error of the lowest mode, k² = π² 25/9, relative.
  double error(const NedelecSpace& space) const {
    Model model;
    model.order = space.order;
    model.materials = {{.regions = {"volume"}}};
    model.boundaries = {{.regions = {"walls"}, .condition = pec_condition()}};
    const auto mode = cavity_modes(space, model, {.modes = 1, .target = 2e8, .direct = {}}).front();
    return std::abs(mode.frequency.real() * 2 * pi / speed_of_light / (pi * 5.0 / 3) - 1);
  }
};

/// The least order decides the rate, the others the size.
TEST(CellOrders, FrequenciesOfABoxConvergeWithTwiceTheLeastOrder) {
  for (const int least : {1, 2}) {
    const std::vector<int> sizes = least == 1 ? std::vector{6, 8, 10} : std::vector{3, 4, 6};
    std::vector<double> errors;
    for (const int n : sizes) {
      const Box box(n);
      const auto orders = orders_of(box.mesh, [&](Vec3<double> x) { return x.x < 0.5 ? least : least + 1; });
      const auto mixed = box.space(least, orders), low = box.space(least);
      errors.push_back(box.error(mixed));
      if (n != sizes.front()) continue;
      EXPECT_GT(mixed.num_dofs(), low.num_dofs());
      EXPECT_LT(mixed.num_dofs(), box.space(least + 1).num_dofs());
      EXPECT_LT(errors.back(), 0.75 * box.error(low));
    }
    EXPECT_NEAR(test::convergence_slope(sizes, errors), 2 * least, 0.5) << least;
  }
}

/// A wave along an empty guide, S21 = exp(-jβL), from order 1 to 3 along the guide and across the ports.
TEST(CellOrders, GuideWithPortsOfSeveralOrders) {
  const double a = 22.86e-3, length = 20e-3, frequency = 10e9;
  const double k = 2 * pi * frequency / speed_of_light, beta = std::sqrt(k * k - std::pow(pi / a, 2));
  const mesh::Mesh mesh = mesh::make_box({.hi = {a, 10.16e-3, length}, .blocks = {6, 3, 6}});
  const auto topology = mesh::build_topology(mesh);
  const auto s_of = [&](int order, const CellOrders& orders, const DrivenOptions& options) {
    Model model;
    model.order = order;
    model.cell_orders = orders;
    model.materials = {{.regions = {"volume"}}};
    model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
    model.ports = {{.region = "z0"}, {.region = "z1"}};
    DrivenProblem problem(mesh, topology, model, options);
    problem.analyse();
    return problem.solve(frequency).scattering.s;
  };
  const Complex exact = std::polar(1.0, -beta * length);
  const auto across = orders_of(mesh, [&](Vec3<double> x) { return x.x < a / 2 ? 2 : 3; });
  const auto error = [&](const Eigen::MatrixXcd& s) { return std::abs(s(1, 0) - exact) + std::abs(s(0, 0)); };
  const Eigen::MatrixXcd s2 = s_of(2, {}, {}), s3 = s_of(3, {}, {}), mixed = s_of(2, across, {});
  EXPECT_LT(error(mixed), 0.8 * error(s2));
  EXPECT_GT(error(mixed), error(s3));
  EXPECT_LT(error(s2), 2e-3);

  DrivenOptions multilevel;
  multilevel.iterative.emplace();
  multilevel.iterative->preconditioner = "multilevel";
  multilevel.iterative->krylov.tolerance = 1e-11;
  const auto along = orders_of(mesh, [&](Vec3<double> x) { return 1 + std::min(2, int(3 * x.z / length)); });
  EXPECT_LT((s_of(1, along, multilevel) - s_of(1, along, {})).norm(), 1e-8);
  EXPECT_LT((s_of(1, across, multilevel) - mixed).norm(), 1e-8);
}

/// Residuals on level 4 give the error of order 3, as those on level 3 give that of order 2, and the bar is
/// three times that.
TEST(CellOrders, BarOfOrderThreeCoversTheErrorOfABox) {
  for (const int n : {2, 3, 4}) {
    const Box box(n);
    Model model;
    model.order = 3;
    model.materials = {{.regions = {"volume"}}};
    model.boundaries = {{.regions = {"walls"}, .condition = pec_condition()}};
    const auto space = box.space(3);
    const auto mode = cavity_modes(space, model, {.modes = 1, .target = 2e8, .direct = {}}).front();
    const double f = mode.frequency.real(), k = 2 * pi * f / speed_of_light;
    const double weight = vacuum_permittivity / (4 * k * k);
    const Eigen::Map<const Eigen::VectorXcd> x(mode.x.data(), space.num_dofs());
    const auto found = surplus_errors(space, model, f, x, Eigen::MatrixXd::Constant(1, 1, weight));
    const double bar = weight * found.bar(0, 0);
    EXPECT_NEAR(-weight * found.change()(0, 0).real() / -box.error(space), 1, 0.3) << n;
    EXPECT_GT(bar, 1.5 * box.error(space)) << n;
    EXPECT_LT(bar, 4 * box.error(space)) << n;
  }
}

/// A wall x = 1 that moves by δ changes k² = π² (1/a² + 1/b²) of the box's lowest mode by -2π² δ/a³.
/// Cells away from the wall contribute nothing.
TEST(SolvedForm, OfAMovedWallIsTheChangeOfTheFrequency) {
  const Box box(3);
  const double by = 1e-5;
  mesh::Mesh moved = box.mesh;
  for (auto& x : moved.nodes)
    if (x.x > 1 - 1e-12) x.x += by;
  Model model;
  model.order = 3;
  model.materials = {{.regions = {"volume"}}};
  model.boundaries = {{.regions = {"walls"}, .condition = pec_condition()}};
  const auto space = box.space(3);
  const auto mode = cavity_modes(space, model, {.modes = 1, .target = 2e8, .direct = {}}).front();
  const Assembler assembler(space);
  const SolvedForm form(assembler, Eigen::Map<const Eigen::MatrixXcd>(mode.x.data(), space.num_dofs(), 1));
  const SolvedForm::State state{model, mode.frequency.real()};
  const Complex change = form.difference(state, box.mesh, moved)(0, 0);
  // xᵀMx of 1 J is 2/ε0.
  EXPECT_NEAR(change.real() * vacuum_permittivity / 2 / (-2 * pi * pi * by), 1, 5e-3);
  const auto parts = form.differences_of_cells(state, box.mesh, moved, Eigen::MatrixXd::Ones(1, 1));
  Complex sum = 0;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    sum += parts[c];
    const Index* v = box.mesh.cell(Index(c));
    if (std::none_of(v, v + 4, [&](Index n) { return box.mesh.nodes[std::size_t(n)].x > 1 - 1e-12; })) {
      EXPECT_EQ(std::abs(parts[c]), 0) << c;
    }
  }
  EXPECT_LT(std::abs(sum - change), 1e-9 * std::abs(change));
}

/// Cells of order 2 beside cells of order 3: the error, nearly all of which is theirs, is found as without
/// those.
TEST(CellOrders, SurplusOfTheCellsThatAreLeftIsTheChange) {
  const Box box(4);
  Model model;
  model.materials = {{.regions = {"volume"}}};
  model.boundaries = {{.regions = {"walls"}, .condition = pec_condition()}};
  const auto orders = orders_of(box.mesh, [](Vec3<double> x) { return x.x < 0.6 ? 2 : 3; });
  const auto space = box.space(2, orders);
  const auto frequency = [&](const NedelecSpace& s) {
    return cavity_modes(s, model, {.modes = 1, .target = 2e8, .direct = {}}).front();
  };
  const auto mode = frequency(space);
  const double f = mode.frequency.real(), k = 2 * pi * f / speed_of_light;
  const double weight = vacuum_permittivity / (4 * k * k);
  const Eigen::Map<const Eigen::VectorXcd> x(mode.x.data(), space.num_dofs());
  const auto found = surplus_errors(space, model, f, x, Eigen::MatrixXd::Constant(1, 1, weight));
  const double change = frequency(box.space(3)).frequency.real() / f - 1;
  EXPECT_NEAR(-weight * found.change()(0, 0).real() / change, 1, 0.35);  // k² falls where xᵀAx rises
}

}  // namespace
}  // namespace curlew::fem
