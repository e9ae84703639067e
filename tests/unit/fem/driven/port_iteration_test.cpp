// SPDX-License-Identifier: BSD-3-Clause
// GMRES with the multilevel preconditioner on devices with ports: at most 40 iterations of each right-hand
// side to 1e-8, one right-hand side for every reported mode, and the S of the direct solver. A modal term of
// the wrong sign gives another S in the product, and more iterations on the coarse level.

#include <gtest/gtest.h>

#include <cmath>

#include "fem/driven/driven_problem.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

constexpr double width = 22.86e-3, height = 10.16e-3, length = 20e-3;  // WR-90
constexpr double frequency = 10e9;

/// A guide along z between two ports, with a lossy dielectric at the points that `is_filled` names.
struct Device {
  mesh::Mesh mesh;
  mesh::Topology topology;

  template <class Filled>
  Device(std::array<int, 3> blocks, Filled is_filled) {
    mesh = mesh::make_box({.hi = {width, height, length}, .blocks = blocks, .shuffle_seed = 7});
    mesh::Region air{"air", {}}, filling{"filling", {}};
    for (Index c = 0; c < mesh.num_cells(); ++c) {
      Vec3<double> middle{};
      for (int i = 0; i < 4; ++i) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])];
      (is_filled(middle) ? filling : air).entities.push_back(c);
    }
    mesh.volumes = {air, filling};
    topology = mesh::build_topology(mesh);
  }

  DrivenSolution solve(int order, const DrivenOptions& options) const {
    Model model;
    model.order = order;
    model.materials = {{.regions = {"air"}}, {.regions = {"filling"}, .epsilon_r = Complex(4, -0.01)}};
    model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
    model.ports = {{.region = "z0", .excite = true}, {.region = "z1"}};
    DrivenProblem problem(mesh, topology, model, options);
    problem.analyse();
    return problem.solve(frequency);
  }

  void expect_same_as_direct(int order) const {
    DrivenOptions iterative;
    iterative.iterative = linalg::IterativeOptions();
    iterative.iterative->krylov.method = linalg::KrylovMethod::gmres;
    iterative.iterative->krylov.tolerance = 1e-8;
    iterative.iterative->krylov.restart = 100;
    iterative.iterative->multilevel.smoothing_steps = 2;  // the default of [solver]

    const DrivenSolution direct = solve(order, {}), found = solve(order, iterative);

    EXPECT_LT((found.scattering.s - direct.scattering.s).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE(found.solver.history.size(), 40U);
    EXPECT_LE(found.solver.iterations, 80);  // two ports, one mode each, and none for absorbed modes
    EXPECT_LE(found.solver.residual, 1e-8);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < direct.x.size(); ++i) {
      difference += std::norm(found.x[i] - direct.x[i]);
      size += std::norm(direct.x[i]);
    }
    EXPECT_LT(std::sqrt(difference / size), 1e-6);
  }
};

bool is_block(Vec3<double> x) {
  return x.z > 0.3 * length && x.z < 0.6 * length && x.x < 0.5 * width;
}
/// From port to port: their modes are hybrid ones, which are not orthogonal to each other.
bool is_floor(Vec3<double> x) {
  return x.y < 0.5 * height;
}

TEST(IterationsWithPorts, DielectricBlockInAGuide) {
  Device({8, 4, 8}, is_block).expect_same_as_direct(2);
  Device({4, 2, 4}, is_block).expect_same_as_direct(3);
}

TEST(IterationsWithPorts, HybridModes) {
  Device({8, 4, 8}, is_floor).expect_same_as_direct(2);
}

/// Sweeps do not converge where one layer of cells is many times as tall as wide.
TEST(IterationsWithPorts, TallCells) {
  Device({24, 1, 20}, is_block).expect_same_as_direct(2);
  Device({12, 1, 10}, is_block).expect_same_as_direct(3);
}

}  // namespace
}  // namespace curlew::fem
