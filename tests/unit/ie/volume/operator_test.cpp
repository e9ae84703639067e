// SPDX-License-Identifier: BSD-3-Clause
// The accelerated product against the assembled matrix.

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/volume/volume_system.hpp"
#include "mesh/box.hpp"

namespace curlew::ie {
namespace {

struct Case {
  SwgBasis basis;
  std::vector<Complex> epsilon_r;
  MixedPotentialSystem system;
};

/// A box of two media that touch, one of them lossy, and a hole of vacuum in one corner.
Case two_media() {
  const auto box =
      mesh::make_box({.lo = {0, 0, 0}, .hi = {1, 0.7, 0.8}, .blocks = {4, 3, 2}, .shuffle_seed = 3});
  std::vector<bool> in_body(std::size_t(box.num_cells()), true);
  const auto centre = [&](Index c) {
    Vec3<double> sum;
    for (int i = 0; i < 4; ++i) sum += 0.25 * box.nodes[box.cell(c)[i]];
    return sum;
  };
  for (Index c = 0; c < box.num_cells(); ++c) in_body[c] = !(centre(c).x > 0.7 && centre(c).y > 0.4);
  Case result{make_swg(box, mesh::build_topology(box), in_body), {}, {}};
  for (const Index c : result.basis.cells)
    result.epsilon_r.push_back(centre(c).z < 0.4 ? Complex(4, -0.5) : Complex(2.5, 0));
  result.system = make_volume_system(result.basis, result.epsilon_r, 2.0);
  return result;
}

std::vector<Complex> random_vector(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Complex> x(static_cast<std::size_t>(n));
  for (auto& v : x) v = {normal(random), normal(random)};
  return x;
}

std::vector<Complex> product(const linalg::DenseMatrix& a, const std::vector<Complex>& x) {
  std::vector<Complex> y(x.size());
  for (Offset j = 0; j < a.cols(); ++j) {
    for (Offset i = 0; i < a.rows(); ++i) y[std::size_t(i)] += a(i, j) * x[std::size_t(j)];
  }
  return y;
}

double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(error / size);
}

TEST(Swg, DivergenceTheoremHoldsForEveryFunction) {
  const Case c = two_media();
  // Sum of all sheets and cells of the polarisation charge of any d is zero: no net charge.
  const auto x = random_vector(c.system.num_unknowns(), 1);
  std::vector<Complex> u(4 * c.system.elements.size());
  linalg::multiply(c.system.sources, x.data(), u.data());
  Complex total = 0;
  double size = 0;
  for (std::size_t e = 0; e < c.system.elements.size(); ++e) {
    const Complex charge = c.system.elements[e].size() * u[4 * e + 3];
    total += charge, size += std::abs(charge);
  }
  EXPECT_LT(std::abs(total), 1e-12 * size);
}

TEST(MixedPotentialOperator, MatchesTheAssembledMatrixToTheToleranceAsked) {
  const Case c = two_media();
  const Integration integration;
  const auto matrix = assemble_dense(c.system, integration);
  const auto x = random_vector(c.system.num_unknowns(), 2);
  const auto exact = product(matrix, x);
  for (const double tolerance : {1e-3, 1e-5}) {
    Stages stages;
    const CorrectedOperator a(MixedPotentialEquation(c.system, integration).fill({}, stages), tolerance);
    std::vector<Complex> y(x.size());
    a.apply(x.data(), y.data());
    EXPECT_LT(difference(y, exact), tolerance);
  }
}

TEST(MixedPotentialOperator, IsSymmetric) {
  const Case c = two_media();
  Stages stages;
  const CorrectedOperator a(MixedPotentialEquation(c.system).fill({}, stages), 1e-5);
  const auto x = random_vector(a.size(), 3), z = random_vector(a.size(), 4);
  std::vector<Complex> ax(x.size()), az(x.size());
  a.apply(x.data(), ax.data());
  a.apply(z.data(), az.data());
  Complex left = 0, right = 0;
  double size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    left += z[i] * ax[i], right += x[i] * az[i], size += std::norm(ax[i]);
  EXPECT_LT(std::abs(left - right), 1e-5 * std::sqrt(size * double(x.size())));
}

TEST(Integration, PresetsReachTheirAccuracy) {
  const Case c = two_media();
  const auto exact = assemble_dense(c.system, {4, 2.0, 12, 6});
  const auto x = random_vector(c.system.num_unknowns(), 5);
  const auto reference = product(exact, x);
  for (const double accuracy : {1e-2, 1e-3}) {
    const double error =
        difference(product(assemble_dense(c.system, integration_for(accuracy)), x), reference);
    EXPECT_LT(error, accuracy);
  }
}

TEST(VolumeSystem, RefusesWhatItCannotSolve) {
  const auto box = mesh::make_box({.blocks = {1, 1, 1}});
  const auto topology = mesh::build_topology(box);
  const std::vector<bool> all(std::size_t(box.num_cells()), true), none(all.size(), false);
  const auto basis = make_swg(box, topology, all);
  const auto with = [&](Complex e, double k) {
    make_volume_system(basis, std::vector<Complex>(all.size(), e), k);
  };

  EXPECT_THROW(make_swg(box, topology, none), InputError);
  const auto curved = mesh::make_box({.blocks = {1, 1, 1}, .geometry_order = 2});
  EXPECT_THROW(make_swg(curved, mesh::build_topology(curved), all), InputError);
  EXPECT_THROW(with(1.0, 1.0), InputError);
  EXPECT_THROW(with(0.0, 1.0), InputError);
  EXPECT_THROW(with({2.0, 0.1}, 1.0), InputError);  // a gain medium under exp(+jwt)
  EXPECT_THROW(with(2.0, 0.0), InputError);
  EXPECT_THROW(integration_for(1e-6), InputError);
}

}  // namespace
}  // namespace curlew::ie
