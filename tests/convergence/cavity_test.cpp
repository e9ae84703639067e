// SPDX-License-Identifier: BSD-3-Clause
// Eigenfrequencies of closed cavities against closed forms: the rectangular box and the sphere. The error of
// an eigenvalue falls with twice the order (Boffi (2010), Acta Numerica 19, doi 10.1017/S0962492910000012).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "fem/assembly.hpp"
#include "linalg/direct/eigen.hpp"
#include "mesh/box.hpp"
#include "rates.hpp"

namespace curlew::test {
namespace {

struct Pencil {
  linalg::Csr<double> k, m;
  Index null_space;  ///< dimension of the gradients of the Lagrange space with zero on the walls
};

/// K x = k0^2 M x of an empty cavity with perfectly conducting walls.
Pencil cavity(const mesh::Mesh& mesh, int order, const std::string& walls) {
  const auto topology = mesh::build_topology(mesh);
  const auto space = fem::make_space(mesh, topology, order, fem::surface_triangles(mesh, walls));
  const fem::Assembler assembler(space);
  Pencil pencil{assembler.create_matrix<double>(), assembler.create_matrix<double>(), 0};
  assembler.assemble_pair(fem::CellMaterials{{fem::Material{}}, {}}, pencil.k.values.data(),
                          pencil.m.values.data());
  std::vector<bool> inside(mesh.nodes.size(), false);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int i = 0; i < 4; ++i) inside[std::size_t(mesh.cell(c)[i])] = true;
  for (const Index t : fem::surface_triangles(mesh, walls))
    for (int i = 0; i < 3; ++i) inside[std::size_t(mesh.triangle(t)[i])] = false;
  pencil.null_space = Index(std::count(inside.begin(), inside.end(), true)) +
                      (order - 1) * space.num_free_edges +
                      (order - 1) * (order - 2) / 2 * space.num_free_faces;
  return pencil;
}

/// The lowest eigenvalues k0^2 [1/m^2] above the target, ascending.
std::vector<double> eigenvalues(const Pencil& pencil, int count, double target) {
  linalg::EigenOptions options;
  options.count = count;
  options.target = target;
  options.tolerance = 1e-10;
  const auto result = linalg::eigenpairs(pencil.k, pencil.m, options);
  std::vector<double> values;
  for (const Complex& value : result.values) values.push_back(value.real());
  std::sort(values.begin(), values.end());
  return values;
}

/// k0^2 / pi^2 of the box 1 x 0.75 x 0.5 m, m^2 + (n / 0.75)^2 + (q / 0.5)^2: the first five with their
/// multiplicity (the coincidence of 210 with 011, and the pair TE111, TM111). The next is 8.111.
struct BoxMode {
  double value;
  int multiplicity;
};
const std::vector<BoxMode> box_modes{{25.0 / 9, 1}, {5, 1}, {52.0 / 9, 2}, {61.0 / 9, 2}, {8, 1}};

mesh::Mesh box_mesh(std::array<int, 3> blocks) {
  mesh::Box box;
  box.hi = {1.0, 0.75, 0.5};
  box.blocks = blocks;
  box.shuffle_seed = 17;
  return mesh::make_box(box);
}

/// Relative error of each distinct eigenfrequency, the largest within a multiple one.
std::vector<double> box_errors(int order, int n) {
  const auto mesh = box_mesh(order == 1 ? std::array{n, n * 3 / 4, n / 2} : std::array{n, n, n});
  const auto values = eigenvalues(cavity(mesh, order, "walls"), 7, 2 * pi * pi);
  std::vector<double> errors;
  std::size_t next = 0;
  for (const auto& mode : box_modes) {
    errors.push_back(0);
    for (int i = 0; i < mode.multiplicity; ++i)
      errors.back() = std::max(errors.back(), std::abs(std::sqrt(values.at(next++) / mode.value) / pi - 1));
  }
  return errors;
}

class BoxCavity : public testing::TestWithParam<std::pair<int, std::vector<int>>> {};
INSTANTIATE_TEST_SUITE_P(Convergence, BoxCavity,
                         testing::Values(std::pair{1, std::vector{12, 16, 20}},
                                         std::pair{2, std::vector{4, 5, 7}},
                                         std::pair{3, std::vector{3, 4, 5}}));

TEST_P(BoxCavity, FrequenciesConvergeWithTwiceTheOrder) {
  const auto& [order, sizes] = GetParam();
  std::vector<std::vector<double>> errors(box_modes.size());
  for (const int n : sizes) {
    const auto of_mesh = box_errors(order, n);
    for (std::size_t i = 0; i < errors.size(); ++i) errors[i].push_back(of_mesh[i]);
  }
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double slope = convergence_slope(sizes, errors[i]);
    EXPECT_NEAR(slope, 2 * order, 0.3) << "order " << order << " mode " << i;
    RecordProperty("slope_" + std::to_string(i), std::to_string(slope));
    EXPECT_LT(errors[i].back(), order == 1 ? 2e-3 : 4e-4);
  }
}

TEST(BoxCavityCount,
     NoModeIsSpuriousOrMissing) {  // by Sylvester's law of inertia, all eigenvalues are counted
  for (const int order : {1, 2, 3}) {
    const auto pencil = cavity(order == 1 ? box_mesh({12, 9, 6}) : box_mesh({4, 4, 4}), order, "walls");
    EXPECT_EQ(linalg::count_below(pencil.k, pencil.m, 1e-3), pencil.null_space) << "order " << order;
    EXPECT_EQ(linalg::count_below(pencil.k, pencil.m, 7.5 * pi * pi), pencil.null_space + 6)
        << "order " << order;
  }
}

// Lowest mode of the sphere of radius 1: TM011, threefold, (x j_1(x))' = 0.
constexpr double sphere_wavenumber = 2.743707269992265;

double sphere_slope(int order, int geometry_order, const std::vector<int>& sizes) {
  std::vector<double> errors;
  for (const int n : sizes) {
    double largest = 0;
    for (const double value : eigenvalues(cavity(make_ball(n, geometry_order), order, "sphere"), 3, 7.0))
      largest = std::max(largest, std::abs(std::sqrt(value) / sphere_wavenumber - 1));
    errors.push_back(largest);
  }
  const double slope = convergence_slope(sizes, errors);
  testing::Test::RecordProperty(fmt::format("slope_p{}_geometry{}", order, geometry_order),
                                std::to_string(slope));
  return slope;
}

TEST(SphereCavity, CurvedCellsReachTheGeometrysFourthOrder) {
  EXPECT_NEAR(sphere_slope(1, 2, {6, 8, 10}), 2, 0.3);
  EXPECT_NEAR(sphere_slope(2, 2, {3, 4, 5}), 4, 0.3);
  EXPECT_NEAR(sphere_slope(3, 2, {2, 3, 4}), 4, 0.3);
}

TEST(SphereCavity, StraightCellsStayAtSecondOrder) {
  EXPECT_NEAR(sphere_slope(1, 1, {4, 6, 8}), 2, 0.3);
  EXPECT_NEAR(sphere_slope(2, 1, {3, 4, 5}), 2, 0.3);
  EXPECT_NEAR(sphere_slope(3, 1, {2, 3, 4}), 2, 0.3);
}

}  // namespace
}  // namespace curlew::test
