// SPDX-License-Identifier: BSD-3-Clause
// A smooth field with full, unsymmetric complex tensors: the error in H(curl) falls with the order.
#include <gtest/gtest.h>

#include "fem/assembly.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/fields.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/refinement.hpp"
#include "mesh/box.hpp"
#include "rates.hpp"

namespace curlew::test {
namespace {

using Field = Vec3<Complex>;
const Complex j(0, 1);

/// n x E = 0 on x = 0, where the wall is conducting.
Field electric(Vec3<double> r) {
  return {std::cos(2 * r.y + r.z), r.x * std::exp(j * r.z), std::sin(r.x) * std::cos(r.y)};
}
Field electric_curl(Vec3<double> r) {
  return {-std::sin(r.x) * std::sin(r.y) - j * r.x * std::exp(j * r.z),
          -std::sin(2 * r.y + r.z) - std::cos(r.x) * std::cos(r.y),
          std::exp(j * r.z) + 2 * std::sin(2 * r.y + r.z)};
}

fem::Material tensors() {
  fem::Mat3<Complex> eps, mu;
  const double off[3][3] = {{0, 0.3, -0.2}, {0.5, 0, 0.1}, {0.2, -0.4, 0}};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      eps(a, b) = a == b ? Complex(2.0 + 0.3 * a, -0.4) : off[a][b] * Complex(1, -0.3);
      mu(a, b) = a == b ? Complex(1.5 - 0.2 * a, -0.2) : off[b][a] * Complex(0.5, 0.2);
    }
  return {eps, mu};
}

constexpr double k0_squared = 6.0;

/// curl mu^-1 curl E - k0^2 eps E, the outer curl by central differences (h^2 = 1e-8 of the inner one).
Field source(Vec3<double> r, const fem::Coefficient& inverse_mu, const fem::Coefficient& eps) {
  const double h = 1e-4;
  Field slope[3];
  for (int d = 0; d < 3; ++d) {
    Vec3<double> step;
    step[d] = h;
    slope[d] =
        Complex(1 / (2 * h)) * (inverse_mu * electric_curl(r + step) - inverse_mu * electric_curl(r - step));
  }
  const Field curl{slope[1].z - slope[2].y, slope[2].x - slope[0].z, slope[0].y - slope[1].x};
  return curl - Complex(k0_squared) * (eps * electric(r));
}

/// K - k0^2 M = int f . W - int n x (mu^-1 curl E) . W dS on all walls but the conducting one.
double hcurl_error(int order, int n) {
  mesh::Box box;
  box.hi = {1.0, 0.9, 0.8};
  box.blocks = {n, n, n};
  box.shuffle_seed = 23;
  const auto mesh = mesh::make_box(box);
  const auto topology = mesh::build_topology(mesh);
  const auto space = fem::make_space(mesh, topology, order, fem::surface_triangles(mesh, "x0"));
  const fem::CellMaterials materials{{tensors()}, {}};
  const auto eps = materials.materials[0].epsilon_r, inverse_mu = materials.materials[0].mu_r.inverse();
  const fem::Assembler assembler(space);
  auto a = assembler.create_matrix<Complex>();
  assembler.assemble(materials, Complex(1), Complex(-k0_squared), a.values.data());

  std::vector<Complex> b(std::size_t(space.num_dofs())), x(b.size());
  const int degree = 2 * order + 2;
  fem::add_volume_load(
      space, [&](Vec3<double> r) { return source(r, inverse_mu, eps); }, degree, b.data());
  for (const char* wall : {"x1", "y0", "y1", "z0", "z1"})
    fem::add_surface_load(
        space, fem::surface_triangles(mesh, wall),
        [&](Vec3<double> r, Vec3<double> normal) {
          return -cross(Field{normal.x, normal.y, normal.z}, inverse_mu * electric_curl(r));
        },
        degree, b.data());

  linalg::DirectOptions options;
  options.symmetry = linalg::Symmetry::unsymmetric;
  const auto solver = linalg::make_direct_solver<Complex>(options);
  solver->analyse(a);
  solver->factor(a);
  linalg::solve_refined(*solver, a, b.data(), x.data());
  const auto norms = fem::field_error(space, x.data(), electric, electric_curl, degree);
  return std::hypot(norms.error_l2, norms.error_curl) / std::hypot(norms.norm_l2, norms.norm_curl);
}

class Manufactured : public testing::TestWithParam<std::pair<int, std::vector<int>>> {};
INSTANTIATE_TEST_SUITE_P(Convergence, Manufactured,
                         testing::Values(std::pair{1, std::vector{4, 7, 11}},
                                         std::pair{2, std::vector{3, 5, 7}},
                                         std::pair{3, std::vector{2, 3, 5}}));

TEST_P(Manufactured, ErrorInHCurlFallsWithTheOrder) {
  const auto& [order, sizes] = GetParam();
  std::vector<double> errors;
  for (const int n : sizes) errors.push_back(hcurl_error(order, n));
  EXPECT_NEAR(convergence_slope(sizes, errors), order, 0.2);
  RecordProperty("slope", std::to_string(convergence_slope(sizes, errors)));
}

}  // namespace
}  // namespace curlew::test
