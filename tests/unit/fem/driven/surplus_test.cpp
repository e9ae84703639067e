// SPDX-License-Identifier: BSD-3-Clause
// Dual-weighted residuals against what another order really changes, and the sizes that follow from them. A
// wrong sign of the residual's parts, a wrong factor, or the conjugate of a field shows in the phase and size
// of the change, which is complex.

#include "fem/adaptive/surplus.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/adaptive/cell_sizes.hpp"
#include "fem/driven/driven_problem.hpp"
#include "mesh/box.hpp"
#include "mesh/size_field.hpp"

namespace curlew::fem {
namespace {

/// A WR-90 guide with a lossy block of high permittivity on one side, between two ports.
struct LoadedGuide {
  static constexpr double width = 22.86e-3, length = 30e-3, frequency = 10e9;
  mesh::Mesh mesh;
  mesh::Topology topology;

  LoadedGuide() {
    mesh = mesh::make_box({.hi = {width, 10.16e-3, length}, .blocks = {8, 3, 10}});
    mesh::Region air{"air", {}}, block{"block", {}};
    for (Index c = 0; c < mesh.num_cells(); ++c) (is_block(c) ? block : air).entities.push_back(c);
    mesh.volumes = {air, block};
    topology = mesh::build_topology(mesh);
  }
  bool is_block(Index c) const {
    Vec3<double> middle{};
    for (int i = 0; i < 4; ++i) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])];
    return middle.x < width / 2 && middle.z > length / 3 && middle.z < 2 * length / 3;
  }
  Model model(int order) const {
    Model model;
    model.order = order;
    model.materials = {{.regions = {"air"}}, {.regions = {"block"}, .epsilon_r = Complex(4, -0.4)}};
    model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
    model.ports = {{.region = "z0"}, {.region = "z1"}};
    return model;
  }
};

TEST(Surplus, IsTheChangeOfSByTheNextOrder) {
  const LoadedGuide guide;
  for (const int order : {1, 2}) {
    DrivenProblem problem(guide.mesh, guide.topology, guide.model(order), {});
    DrivenProblem next(guide.mesh, guide.topology, guide.model(order + 1), {});
    problem.analyse(), next.analyse();
    const auto solution = problem.solve(LoadedGuide::frequency);
    const Eigen::MatrixXcd change = next.solve(LoadedGuide::frequency).scattering.s - solution.scattering.s;
    const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), problem.space().num_dofs(), 2);
    const auto found = surplus_errors(problem.space(), problem.model(), LoadedGuide::frequency, x,
                                      Eigen::MatrixXd::Ones(2, 2));
    const Complex scale(0, 8 * pi * LoadedGuide::frequency * vacuum_permeability);  // 4jωμ0
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {1, 1}}) {
      const Complex ratio = found.change(i, j) / scale / change(i, j);
      // The mesh is coarse for order 1.
      EXPECT_GT(std::abs(ratio), 0.7) << order << " S" << i + 1 << j + 1;
      EXPECT_LT(std::abs(ratio), order == 1 ? 3 : 1.3) << order << " S" << i + 1 << j + 1;
      EXPECT_LT(std::abs(std::arg(ratio)), order == 1 ? 0.6 : 0.2) << order << " S" << i + 1 << j + 1;
    }
  }
}

/// The shares of cells stand where the field is short and strong: a wavelength is 2.4 times shorter in the
/// block, whose cells have the same size.
TEST(Surplus, SharesOfTheBlockAreGreaterThanThoseOfTheAir) {
  const LoadedGuide guide;
  DrivenProblem problem(guide.mesh, guide.topology, guide.model(2), {});
  problem.analyse();
  const auto solution = problem.solve(LoadedGuide::frequency);
  const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), problem.space().num_dofs(), 2);
  const auto found = surplus_errors(problem.space(), problem.model(), LoadedGuide::frequency, x,
                                    Eigen::MatrixXd::Ones(2, 2));
  double block = 0, air = 0, blocks = 0;
  for (Index c = 0; c < guide.mesh.num_cells(); ++c) {
    (guide.is_block(c) ? block : air) += found.cells[std::size_t(c)];
    blocks += guide.is_block(c);
  }
  EXPECT_GT(block / blocks, 3 * air / (guide.mesh.num_cells() - blocks));
}

TEST(RefinedSizes, GrowAsAskedAndCutWhereTheErrorIs) {
  const mesh::Mesh mesh = mesh::make_box({.blocks = {6, 6, 6}});
  std::vector<double> errors(std::size_t(mesh.num_cells()));
  for (std::size_t c = 0; c < errors.size(); ++c) errors[c] = std::exp(-0.01 * double(c));
  const auto sizes = refined_sizes(mesh, errors, 2);
  double cells = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const double cut = mesh::cell_size(mesh, Index(c)) / sizes[c];
    cells += cut * cut * cut;
    EXPECT_GE(cut, 1 - 1e-12);
  }
  EXPECT_NEAR(cells, 2.0 * mesh.num_cells(), 1e-3 * mesh.num_cells());
  EXPECT_LT(sizes.front(), 0.5 * sizes.back());
  const auto whole = refined_sizes(mesh, std::vector<double>(errors.size(), 0), 2);  // nothing to cut for
  EXPECT_EQ(whole[7], mesh::cell_size(mesh, 7));
}

/// A cell of a layer ten times as tall as wide is as large as it is wide, however many of its vertices lie
/// above the others; one as long as wide is as large as its edges.
TEST(CellSize, OfTallCellsIsTheirWidth) {
  const auto size_of = [](std::vector<Vec3<double>> nodes) {
    mesh::Mesh mesh;
    mesh.nodes = std::move(nodes);
    mesh.cells = {0, 1, 2, 3};
    return mesh::cell_size(mesh, 0);
  };
  EXPECT_NEAR(size_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 10}}), 1.1, 0.05);
  EXPECT_NEAR(size_of({{0, 0, 0}, {1, 0, 0}, {0, 0, 10}, {0, 1, 10}}), 1.1, 0.05);
  EXPECT_NEAR(size_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}), std::sqrt(8), 1e-12);
}

/// A size that grows by a factor across a box: between the values of the vertices around, and the nearest
/// one's beyond the mesh.
TEST(SizeAt, FollowsTheCellsAndGoesOnOutside) {
  mesh::SizeField field{mesh::make_box({.blocks = {12, 4, 4}}), {}};
  for (Index c = 0; c < field.mesh.num_cells(); ++c) {
    Vec3<double> middle{};
    for (int i = 0; i < 4; ++i) middle += 0.25 * field.mesh.nodes[std::size_t(field.mesh.cell(c)[i])];
    field.sizes.push_back(0.1 * std::exp(2 * middle.x));
  }
  const mesh::SizeAt size(field);
  for (const double x : {0.2, 0.37, 0.5, 0.81})
    EXPECT_NEAR(std::log(size({x, 0.43, 0.61}) / 0.1), 2 * x, 2.0 / 12);  // a cell's length
  EXPECT_NEAR(size({1.3, 0.5, 0.5}), size({1, 0.5, 0.5}), 0.02);
}

}  // namespace
}  // namespace curlew::fem
