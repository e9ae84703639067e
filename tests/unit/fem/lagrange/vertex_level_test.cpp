// SPDX-License-Identifier: BSD-3-Clause
// The level of the vertices: its functions are those of the space, its waves in step with the medium's, and
// two levels solve rooms in few iterations.

#include "fem/lagrange/vertex_level.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/constants.hpp"
#include "base/device.hpp"
#include "fem/lagrange/scalar_boundary.hpp"
#include "linalg/krylov/iterative_solver.hpp"
#include "mesh/box.hpp"
#include "test_boxes.hpp"

namespace curlew::fem {
namespace {

linalg::Csr<Complex> free_matrix(const LagrangeSpace& space, const ScalarCoefficients& c, double omega) {
  const ScalarAssembler assembler(space);
  auto a = assembler.create_matrix<Complex>();
  assembler.assemble<Complex>(c, 1.0, -omega * omega, a.values.data());
  return linalg::block(a, 0, space.num_free, 0, space.num_free);
}

Eigen::MatrixXcd full(const linalg::Csr<Complex>& a) {
  Eigen::MatrixXcd m = Eigen::MatrixXcd::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      m(i, a.columns[std::size_t(k)]) = a.values[std::size_t(k)];
  return m;
}

TEST(VertexLevel, ItsFunctionsAreAmongThoseOfTheSpace) {
  const ScalarCoefficients coefficients{{Complex(2, 0.1)}, {Complex(0.7, -0.2)}, {}};
  for (const int geometry : {1, 2})
    for (const int order : {2, 3}) {
      const auto mesh = skewed_box({2, 2, 1}, geometry);
      const auto topology = mesh::build_topology(mesh);
      const auto& fixed = mesh.surfaces[0].entities;
      const auto space = make_lagrange_space(mesh, topology, order, fixed),
                 lowest = make_lagrange_space(mesh, topology, 1, fixed);
      const Eigen::MatrixXcd p = full(interpolation(lowest, space));

      const Eigen::MatrixXcd projected = p.transpose() * full(free_matrix(space, coefficients, 1.3)) * p,
                             assembled = full(free_matrix(lowest, coefficients, 1.3));

      EXPECT_LT((projected - assembled).norm(), 1e-12 * assembled.norm()) << geometry << ", " << order;
    }
}

/// The lowest mode of a rigid box: half a wavelength along its longest side.
TEST(VertexLevel, WavesAreInStep) {
  const auto mesh = mesh::make_box({.hi = {1, 0.8, 0.6}, .blocks = {5, 4, 3}, .shuffle_seed = 3});
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_lagrange_space(mesh, topology, 1);
  const double rho = 1.3, speed = 2, omega = pi * speed;
  const ScalarCoefficients air{{1 / rho}, {1 / (rho * speed * speed)}, {}};
  const auto error = [&](ScalarCoefficients c) {
    const Eigen::MatrixXd k = full(free_matrix(space, c, 0)).real();
    c.diffusion.assign(c.diffusion.size(), 0);
    const Eigen::MatrixXd m = -full(free_matrix(space, c, 1)).real();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(k, m, Eigen::EigenvaluesOnly);
    return std::sqrt(solver.eigenvalues()[1]) / omega - 1;
  };

  const double as_it_is = error(air), corrected = error(in_step(air, mesh, omega));

  EXPECT_GT(as_it_is, 0.01);
  EXPECT_LT(std::abs(corrected), 0.5 * as_it_is);
}

struct Room {
  linalg::Csr<Complex> a;
  linalg::LowerOrder lower;
};

/// Of 1.2 x 0.9 x 0.6, one wall with an impedance of five times the medium's; cells of a tenth of a
/// wavelength.
Room room(const mesh::Mesh& mesh, const mesh::Topology& topology, double k) {
  const ScalarCoefficients air{{1.0}, {1.0}, {}};
  const auto matrix = [&](const LagrangeSpace& space, const ScalarCoefficients& c) {
    auto a = free_matrix(space, c, k);
    const auto& wall = mesh.surfaces[0].entities;
    add_boundary_mass<Complex>(space, wall, std::vector<Complex>(wall.size(), Complex(0, k / 5)), a);
    return a;
  };
  const auto space = make_lagrange_space(mesh, topology, 2), lowest = make_lagrange_space(mesh, topology, 1);
  return {matrix(space, air), {interpolation(lowest, space), matrix(lowest, in_step(air, mesh, k))}};
}

/// On every device the same iterations, which the wave number, doubled, hardly raises; also with an analysis
/// that began early, or that was of another pattern.
TEST(VertexLevel, TwoLevelsSolveRooms) {
  constexpr int most = 14;
  for (const int blocks : {2, 4}) {
    const auto mesh = mesh::make_box(
        {.hi = {1.2, 0.9, 0.6}, .blocks = {4 * blocks, 3 * blocks, 2 * blocks}, .shuffle_seed = 5});
    const auto topology = mesh::build_topology(mesh);
    const Room r = room(mesh, topology, 2 * pi * blocks / 3);
    const auto n = std::size_t(r.a.num_rows);
    std::vector<Complex> exact(n), b(n), x(n);
    for (std::size_t i = 0; i < n; ++i) exact[i] = std::polar(1.0, double(i * i % 17));
    linalg::multiply(r.a, exact.data(), b.data());
    for (const Device device : {Device::cpu, Device::cuda}) {
      if (device == Device::cuda && device_info().name.empty()) continue;
      for (const int subdomains : {1, 4}) {
        linalg::IterativeOptions o;
        o.krylov.method = linalg::KrylovMethod::gmres, o.device = device, o.subdomains = subdomains;
        o.multilevel.smoothing_steps = 2;
        linalg::IterativeSolver solver(o, {0, r.a.num_rows});
        const Index expected = blocks == 2 ? 1 : r.lower.matrix.num_rows;
        solver.expect_lower(linalg::block(r.lower.matrix, 0, expected, 0, expected));
        solver.prepare(r.a, {}, nullptr, &r.lower);
        const int iterations = solver.solve(b.data(), x.data()).iterations;
        double error = 0;
        for (std::size_t i = 0; i < n; ++i) error = std::max(error, std::abs(x[i] - exact[i]));
        EXPECT_LT(error, 1e-6);
        EXPECT_EQ(solver.info().coarse_unknowns, r.lower.matrix.num_rows);
        EXPECT_LE(iterations, most);
      }
    }
  }
}

}  // namespace
}  // namespace curlew::fem
