// SPDX-License-Identifier: BSD-3-Clause
// Dual-weighted residuals of periodic cells against the true change by another order.

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/periodic/floquet_port.hpp"
#include "fem/periodic/reversed.hpp"
#include "periodic_cell.hpp"

namespace curlew::fem {
namespace {

/// A grating of L-shaped bars of permittivity 2.25 with large cells at the periodic faces, at an angle: the
/// dual problem is that of the opposite angle, which has other fields.
struct Grating {
  static constexpr double frequency = speed_of_light;
  test::PeriodicCell cell;

  explicit Grating(double theta, double shift = 0)
      : cell(
            [shift] {
              auto box = mesh::make_box({.hi = {0.6, 0.3, 1.0}, .blocks = {4, 2, 7}, .shuffle_seed = 0});
              test::split_volume(box, "ridge", [shift](Vec3<double> x) {
                return x.z > 0.4 && x.z < 0.75 && (x.z < 0.6 || std::fmod(x.x + shift, 0.6) < 0.3);
              });
              return box;
            }(),
            "xy") {
    cell.periodicity.arrival = {std::sin(theta), 0, std::cos(theta)};
    cell.periodicity.highest_frequency = frequency;
  }
  Model model(int order, const Periodicity& periodicity) const {
    Model model;
    model.order = order;
    model.periodicity = periodicity;
    model.materials = {{.regions = {"volume"}}, {.regions = {"ridge"}, .epsilon_r = Complex(2.25, -0.1)}};
    for (const char* side : {"z1", "z0"})
      model.ports.push_back({.region = side, .kind = floquet_port({.modes = 2, .absorbed_modes = 4})});
    return model;
  }
  DrivenSolution solve(DrivenProblem& problem) const {
    problem.analyse();
    return problem.solve(frequency);
  }
};

TEST(Surplus, OfAPeriodicCellAtAnAngleTakesTheFieldsOfTheOppositeOne) {
  for (const double theta : {0.0, 0.6}) {
    const Grating grating(theta);
    const auto& there = grating.cell.periodicity;
    const auto& [mesh, topology] = std::tie(grating.cell.mesh, grating.cell.topology);
    DrivenProblem problem(mesh, topology, grating.model(2, there), {});
    DrivenProblem next(mesh, topology, grating.model(3, there), {});
    DrivenProblem back(mesh, topology, grating.model(2, reversed(there)), {});
    const auto solution = grating.solve(problem), opposite = grating.solve(back);
    EXPECT_LT((solution.scattering.s - opposite.scattering.s.transpose()).cwiseAbs().maxCoeff(), 1e-9);
    const Eigen::MatrixXcd change = grating.solve(next).scattering.s - solution.scattering.s;
    const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), problem.space().num_dofs(), 4);
    const Eigen::Map<const Eigen::MatrixXcd> dual(opposite.x.data(), problem.space().num_dofs(), 4);
    const auto found = surplus_errors(problem.space(), problem.model(), Grating::frequency, x,
                                      Eigen::MatrixXd::Ones(4, 4), {.dual = dual});
    // 4jωμ0. E_t of a wave (0,0) points the other way at the opposite angle.
    const Complex scale(0, (theta == 0 ? 8 : -8) * pi * Grating::frequency * vacuum_permeability);
    const Eigen::MatrixXcd estimate = found.change() / scale;
    // The predicted part of the change, and the correlation of the two matrices.
    const Complex overlap = (change.conjugate().cwiseProduct(estimate)).sum(),
                  ratio = overlap / change.squaredNorm();
    EXPECT_GT(std::abs(ratio), 0.6) << theta;
    EXPECT_LT(std::abs(ratio), 1.4) << theta;
    EXPECT_LT(std::abs(std::arg(ratio)), 0.3) << theta;
    EXPECT_GT(std::abs(overlap), 0.8 * change.norm() * estimate.norm()) << theta;
  }
}

/// The periodic faces may lie anywhere in the grating: cells are the same ones, half a period further on.
/// Order 3 is tested with functions of level 4.
TEST(Surplus, OfAPeriodicCellDoesNotKnowWhereTheCellBegins) {
  for (const int order : {2, 3}) {
    Eigen::MatrixXd sizes[2];
    for (const int shifted : {0, 1}) {
      const Grating grating(0.6, shifted * 0.3);
      const auto& there = grating.cell.periodicity;
      const auto& [mesh, topology] = std::tie(grating.cell.mesh, grating.cell.topology);
      DrivenProblem problem(mesh, topology, grating.model(order, there), {});
      DrivenProblem back(mesh, topology, grating.model(order, reversed(there)), {});
      const auto solution = grating.solve(problem), opposite = grating.solve(back);
      const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), problem.space().num_dofs(), 4);
      const Eigen::Map<const Eigen::MatrixXcd> dual(opposite.x.data(), problem.space().num_dofs(), 4);
      sizes[shifted] = surplus_errors(problem.space(), problem.model(), Grating::frequency, x,
                                      Eigen::MatrixXd::Ones(4, 4), {.dual = dual})
                           .change()
                           .cwiseAbs();
    }
    EXPECT_GT(sizes[0].norm(), 0) << order;
    EXPECT_LT((sizes[0] - sizes[1]).norm(), 0.01 * sizes[0].norm()) << order;
  }
}

TEST(Surplus, WavesBackHaveTheOppositeOrder) {
  EXPECT_EQ(reversed_wave("TE(0,-1)"), "TE(0,1)");
  EXPECT_EQ(reversed_wave("TM(2,1)"), "TM(-2,-1)");
  EXPECT_EQ(reversed_wave("TE10"), "TE10");
}

}  // namespace
}  // namespace curlew::fem
