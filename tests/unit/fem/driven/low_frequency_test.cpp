// SPDX-License-Identifier: BSD-3-Clause
// The split of a space into gradients and the rest, and the bound of the effect of rounding errors of curls
// on gradients, on skewed meshes of all orders.
#include "fem/driven/low_frequency.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numeric>

#include "../test_meshes.hpp"
#include "fem/assembly.hpp"
#include "fem/driven/gradient_split.hpp"

namespace curlew::fem {
namespace {

/// A skewed box, whose floor and ceiling may be two conductors.
struct Fixture {
  mesh::Mesh mesh;
  mesh::Topology topology;
  Model model;
  explicit Fixture(int order, std::array<int, 3> blocks = {2, 2, 2}, double scale = 1, double flat = 1)
      : mesh(test::skewed_box(blocks)) {
    for (auto& node : mesh.nodes) node = {scale * node.x, scale * node.y, scale * flat * node.z};
    topology = mesh::build_topology(mesh);
    model.order = order;
    model.materials.push_back({{"volume"}});
  }
  std::vector<Index> constrained() const {
    std::vector<Index> triangles = surface_triangles(mesh, "z0"), more = surface_triangles(mesh, "z1");
    triangles.insert(triangles.end(), more.begin(), more.end());
    return triangles;
  }
};

Eigen::MatrixXd dense(const linalg::Csr<double>& a) {
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      d(i, a.columns[std::size_t(k)]) = a.values[std::size_t(k)];
  return d;
}

struct Pair {
  Eigen::MatrixXd curl, mass;
};
Pair matrices(const NedelecSpace& space, const Model& model) {
  const Assembler assembler(space);
  auto k = assembler.create_matrix<double>(), m = k;
  assembler.assemble_pair<double>(materials_at(model, *space.mesh, 1e9), k.values.data(), m.values.data());
  return {dense(k), dense(m)};
}

TEST(GradientSplit, IsABasisWhoseGradientsAreAllOfTheNullSpaceOfTheCurl) {
  for (const int order : {1, 2, 3}) {
    const Fixture f(order, {2, 2, 1});
    for (const bool grounded : {false, true}) {
      const auto triangles = grounded ? f.constrained() : std::vector<Index>();
      const NedelecSpace space = make_space(f.mesh, f.topology, order, triangles);
      const GradientSplit split = split_gradients(space);
      const Eigen::MatrixXd t = dense(split.basis);
      const auto [curl, mass] = matrices(space, f.model);
      Eigen::Index gradients = 0;
      for (Eigen::Index j = 0; j < t.cols(); ++j) {
        if (!split.is_gradient[std::size_t(j)]) continue;
        ++gradients;
        EXPECT_LT((curl * t.col(j)).norm(), 1e-12 * curl.norm()) << order << " " << j;
      }
      EXPECT_EQ(t.colPivHouseholderQr().rank(), t.cols());
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pairs(curl, mass,
                                                                            Eigen::EigenvaluesOnly);
      EXPECT_EQ((pairs.eigenvalues().array() < 1e-6).count(), gradients) << order << " " << grounded;
    }
  }
}

/// λ of a cell is an upper bound of the assembled pair, and round-off times it one of what the floating-point
/// K gives between gradients, in units of M.
TEST(ChargeRounding, BoundsCurlsAndTheirRoundOffOnSkewedMeshesOfAllOrders) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (const int order : {1, 2, 3})
    for (const auto& [scale, flat] : {std::pair{1.0, 1.0}, {1e-3, 1.0}, {1e-2, 0.1}}) {
      const Fixture f(order, {2, 2, 1}, scale, flat);
      const NedelecSpace space = make_space(f.mesh, f.topology, order);
      const auto [curl, mass] = matrices(space, f.model);
      const double k0 = 1, frequency = 299792458.0 / (2 * std::acos(-1.0)) * k0;
      const double bound = ChargeRounding(f.mesh, f.model).share(f.model, frequency) / epsilon;
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pairs(curl, mass,
                                                                            Eigen::EigenvaluesOnly);
      const double largest = pairs.eigenvalues().maxCoeff();
      EXPECT_GE(bound, largest * (1 - 1e-9)) << order << " " << flat;
      if (flat == 1) {
        EXPECT_LT(bound, 100 * largest) << order;
      }
      const GradientSplit split = split_gradients(space);
      const Eigen::MatrixXd t = dense(split.basis);
      for (Eigen::Index j = 0; j < t.cols(); ++j)
        if (split.is_gradient[std::size_t(j)]) {
          const Eigen::VectorXd g = t.col(j);
          EXPECT_LE(std::abs(g.dot(curl * g)), epsilon * bound * g.dot(mass * g)) << order << " " << j;
        }
    }
}

}  // namespace
}  // namespace curlew::fem
