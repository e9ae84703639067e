// SPDX-License-Identifier: BSD-3-Clause
// Planes of symmetry as boundaries of type pec and pmc: halves and quarters of a device on a mesh that is its
// own mirror image give the results of the whole, to the accuracy of the solver.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/ports/waveguide_port.hpp"
#include "mirrored_mesh.hpp"
#include "periodic_cell.hpp"

namespace curlew::fem {
namespace {

constexpr double a = 22.86e-3, b = 10.16e-3, length = 24e-3;  // WR-90

/// The mesh and its mirror image in the plane x_axis = 0, which is no surface any more.
mesh::Mesh both_halves(const mesh::Mesh& half, int axis) {
  return test::mirrored(half, axis, {std::string(1, char('x' + axis)) + "0", "walls"});
}

/// A quarter of a guide with a dielectric post in its middle; deformed so that no symmetry is left in it.
mesh::Mesh quarter() {
  auto box = mesh::make_box({.hi = {a / 2, b / 2, length}, .blocks = {4, 2, 6}});
  test::split_volume(box, "post",
                     [](Vec3<double> x) { return x.x < a / 4 && x.z > length / 3 && x.z < length / 2; });
  for (auto& x : box.nodes) x.z += 0.04 * std::sin(3 * x.x / a) * std::sin(pi * x.z / length) * x.y;
  return box;
}

Model guide(const std::vector<std::string>& pec, const std::vector<std::string>& pmc) {
  Model model;
  model.order = 2;
  model.materials = {{.regions = {"volume"}}, {.regions = {"post"}, .epsilon_r = 6.0}};
  model.boundaries.push_back({.regions = pec, .condition = pec_condition()});
  if (!pmc.empty()) model.boundaries.push_back({.regions = pmc, .condition = pmc_condition()});
  return model;
}

Eigen::MatrixXcd scattering_of(const mesh::Mesh& mesh, Model model) {
  // Absorbed modes are left out: those of the whole differ from those of its parts.
  for (const char* side : {"z0", "z1"})
    model.ports.push_back({.region = side, .kind = waveguide_port({.absorbed_modes = 0, .numeric = true})});
  const auto topology = mesh::build_topology(mesh);
  DrivenProblem problem(mesh, topology, model, {});
  problem.analyse();
  return problem.solve(10e9).scattering.s;
}

TEST(SymmetryPlanes, PartsOfADeviceScatterAsTheWhole) {
  const mesh::Mesh part = quarter(), half = both_halves(part, 0), whole = both_halves(half, 1);
  const auto of_part = scattering_of(part, guide({"x1", "y0", "y1"}, {"x0"}));
  const auto of_half = scattering_of(half, guide({"x1", "y0", "y1"}, {}));
  const auto of_whole = scattering_of(whole, guide({"x1", "y1"}, {}));
  EXPECT_GT(std::abs(of_whole(0, 0)), 0.1);  // the post is there
  EXPECT_LT(std::abs(of_whole(0, 0)), 0.99);
  EXPECT_LT((of_half - of_whole).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((of_part - of_whole).cwiseAbs().maxCoeff(), 1e-9);
}

std::vector<double> frequencies_of(const mesh::Mesh& mesh, const Model& model, int count) {
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  CavityOptions options;
  options.modes = count;
  std::vector<double> f;
  for (const auto& mode : cavity_modes(space, model, options)) f.push_back(mode.frequency.real());
  return f;
}

/// Every mode of a cavity belongs to one pair of planes, and all of these together are all of its modes.
TEST(SymmetryPlanes, ModesOfAllPartsAreThoseOfTheWhole) {
  const mesh::Mesh part = quarter(), whole = both_halves(both_halves(part, 0), 1);
  std::vector<double> parts;
  for (const int kind : {0, 1, 2, 3}) {
    std::vector<std::string> pec{"x1", "y1", "z0", "z1"}, pmc;
    (kind & 1 ? pec : pmc).push_back("x0");
    (kind & 2 ? pec : pmc).push_back("y0");
    const auto f = frequencies_of(part, guide(pec, pmc), 6);
    parts.insert(parts.end(), f.begin(), f.end());
  }
  std::sort(parts.begin(), parts.end());
  const auto f = frequencies_of(whole, guide({"x1", "y1", "z0", "z1"}, {}), 6);
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(f[i] / parts.at(i), 1, 1e-9) << i;
}

}  // namespace
}  // namespace curlew::fem
