// SPDX-License-Identifier: BSD-3-Clause
// Derivatives by motions of nodes against differences of the whole form on moved meshes, which integrate over
// moved cells without the gradient of the motion.
#include "fem/sensitivity/shape_derivative.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "fem/model/face_parts.hpp"
#include "test_meshes.hpp"

namespace curlew::fem {
namespace {

/// A face with each kind of term: on one side, along a direction that turns from place to place, and between
/// two sides (here the same one).
class AllTerms final : public FaceCondition {
 public:
  std::vector<FacePart> parts(const Model&, const NedelecSpace& space,
                              const std::vector<std::string>& regions) const override {
    std::vector<FacePart> parts;
    FacePart part{.triangles = surface_triangles(*space.mesh, regions[0]), .admittance = [](Complex) {
                    return FaceAdmittance{Complex(2, 3), Complex(-1, 0.5)};
                  }};
    for (const Index t : part.triangles) part.pairs.push_back({t, t});
    parts.push_back(part);
    FacePart strips{.triangles = surface_triangles(*space.mesh, regions[1]),
                    .admittance = [](Complex) { return FaceAdmittance{Complex(5, -2)}; }};
    strips.along = [](Vec3<double> x) {
      const double angle = 2 * x.x - x.y + 3 * x.z;
      return Vec3<double>{std::cos(angle), std::sin(angle), 0};
    };
    parts.push_back(strips);
    return parts;
  }
};

class ShapeDerivative : public ::testing::TestWithParam<int> {
 protected:
  ShapeDerivative()
      : mesh_(test::skewed_box({2, 2, 2}, GetParam())),
        topology_(mesh::build_topology(mesh_)),
        space_(make_space(mesh_, topology_, 2, surface_triangles(mesh_, "y0"))) {
    Coefficient epsilon, mu;
    epsilon.is_scalar = mu.is_scalar = false;
    epsilon.tensor = Mat3<Complex>::diagonal({3, -0.2});
    epsilon.tensor(0, 1) = epsilon.tensor(1, 0) = {0.5, 0.1};
    mu.tensor = Mat3<Complex>::diagonal({1.5, -0.1});
    mu.tensor(1, 2) = mu.tensor(2, 1) = {-0.2, 0.3};
    model_.order = 2;
    model_.materials = {{.regions = {"volume"}, .epsilon_r = epsilon, .mu_r = mu}};
    model_.boundaries = {{.regions = {"x0", "z1"}, .condition = std::make_shared<AllTerms>()}};
  }

  /// Motion of nodes in part of the mesh, so that some cells stay.
  std::vector<Vec3<double>> motion(unsigned seed) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> one(-1, 1);
    std::vector<Vec3<double>> velocity;
    for (const auto& x : mesh_.nodes) {
      const Vec3<double> v{one(random), one(random), one(random)};
      velocity.push_back(x.x < 0.5 ? v : Vec3<double>{});
    }
    return velocity;
  }
  mesh::Mesh moved(Motion motion, double by) const {
    mesh::Mesh mesh = mesh_;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) mesh.nodes[n] += by * motion[n];
    return mesh;
  }

  mesh::Mesh mesh_;
  mesh::Topology topology_;
  NedelecSpace space_;
  Model model_;
};

/// Central differences are off by (step / size of a cell)², 1e-9 here, and by rounding over the step, 1e-11.
TEST_P(ShapeDerivative, IsTheDifferenceOfMovedMeshes) {
  std::srand(3);
  const Eigen::MatrixXcd x = Eigen::MatrixXcd::Random(space_.num_dofs(), 3);
  const SolvedForm::State state{model_, {1e8, 1e6}};
  const auto first = motion(1), second = motion(2);
  const std::vector<Motion> motions{first, second};

  const auto found = shape_derivatives(space_, x, state, motions);

  const Assembler assembler(space_);
  const SolvedForm form(assembler, x);
  for (std::size_t v = 0; v < 2; ++v) {
    const double step = 1e-5;
    const Eigen::MatrixXcd expected =
        form.difference(state, moved(motions[v], -step), moved(motions[v], step)) / (2 * step);
    EXPECT_LT((found[v] - expected).cwiseAbs().maxCoeff(), 1e-7 * expected.cwiseAbs().maxCoeff()) << v;
    EXPECT_GT(expected.cwiseAbs().minCoeff(), 1e-3 * expected.cwiseAbs().maxCoeff()) << v;
  }
}

/// A motion of the whole and a turn of the whole change nothing in an isotropic medium without a direction.
TEST_P(ShapeDerivative, IsZeroForAMotionOfTheWhole) {
  model_.materials = {{.regions = {"volume"}, .epsilon_r = Complex(2, -0.1)}};
  model_.boundaries = {{.regions = {"x0"}, .condition = absorbing_condition()}};
  std::srand(4);
  const Eigen::MatrixXcd x = Eigen::MatrixXcd::Random(space_.num_dofs(), 2);
  std::vector<Vec3<double>> shift, turn, stretch;
  for (const auto& p : mesh_.nodes)
    shift.push_back({1, 2, 3}), turn.push_back(cross(Vec3<double>{1, -2, 0.5}, p)), stretch.push_back(p);
  const std::vector<Motion> motions{shift, turn, stretch};

  const auto found = shape_derivatives(space_, x, {model_, 1e8}, motions);

  const double scale = found[2].cwiseAbs().maxCoeff();
  EXPECT_LT(found[0].cwiseAbs().maxCoeff(), 1e-11 * scale);
  EXPECT_LT(found[1].cwiseAbs().maxCoeff(), 1e-11 * scale);
}

TEST_P(ShapeDerivative, RefusesAbsorbingBoundariesOfOrder2) {
  model_.boundaries = {{.regions = {"x0"}, .condition = absorbing_condition(2)}};
  const auto any = motion(1);
  const std::vector<Motion> motions{any};
  const Eigen::MatrixXcd x = Eigen::MatrixXcd::Ones(space_.num_dofs(), 1);
  EXPECT_THROW(shape_derivatives(space_, x, {model_, 1e8}, motions), InputError);
}

INSTANTIATE_TEST_SUITE_P(GeometryOrders, ShapeDerivative, ::testing::Values(1, 2));

}  // namespace
}  // namespace curlew::fem
