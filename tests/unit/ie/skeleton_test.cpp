// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/skeleton.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ie/operator/solve.hpp"
#include "ie/results/far_fields.hpp"
#include "ie/surface/surface_equation.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// A monostatic cut of 181 angles with both polarisations, [angle, polarisation].
std::vector<PlaneWave> cut() {
  std::vector<PlaneWave> waves;
  for (int degree = 0; degree <= 180; ++degree)
    for (const double polarization : {0.0, pi / 2}) waves.push_back({degree * pi / 180, 0.4, polarization});
  return waves;
}

std::vector<Complex> right_hand_sides(const System& system, std::span<const PlaneWave> waves) {
  std::vector<Complex> b;
  for (const auto& wave : waves) {
    const auto one = right_hand_side(system, wave);
    b.insert(b.end(), one.begin(), one.end());
  }
  return b;
}

std::vector<double> sections(const System& system, const std::vector<Complex>& x,
                             std::span<const PlaneWave> waves) {
  std::vector<fields::Direction> back;
  for (const auto& wave : waves) back.push_back({wave.theta, wave.phi});
  const auto far = FarFields(system).each(x.data(), back);
  std::vector<double> out;
  for (std::size_t i = 0; i < waves.size(); ++i)
    out.push_back(4 * pi * (std::norm(far.e_theta[i]) + std::norm(far.e_phi[i])));
  return out;
}

/// Columns of rank 7, but for a part of 1e-3 in one of them: a looser tolerance ignores it, a tighter one
/// does not.
TEST(Skeleton, FindsTheRankAndMeasuresTheError) {
  const Eigen::Index n = 400, count = 60;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXcd(Eigen::MatrixXcd::NullaryExpr(
        rows, columns, [&] { return Complex(normal(random), normal(random)); }));
  };
  Eigen::MatrixXcd b = draw(n, 7) * draw(7, count);
  Eigen::VectorXcd other = draw(n, 1);
  b.col(17) += 1e-3 * b.col(17).norm() / other.norm() * other;
  b.col(30) *= 1e-6;  // a small one is as good as the others
  const std::span<const Complex> all(b.data(), std::size_t(b.size()));

  const Skeleton loose = find_skeleton(all, Index(count), 2e-3),
                 tight = find_skeleton(all, Index(count), 1e-5);
  std::vector<Complex> few, combined(all.size());
  for (const Index j : tight.chosen) few.insert(few.end(), &b(0, j), &b(0, j) + n);
  combine(tight, few, combined);

  EXPECT_EQ(loose.chosen.size(), 7u);
  EXPECT_NEAR(loose.error, 1e-3, 3e-4);
  EXPECT_EQ(tight.chosen.size(), 8u);
  EXPECT_LT(tight.error, 1e-9);
  EXPECT_LT((Eigen::Map<const Eigen::MatrixXcd>(combined.data(), n, count) - b).norm(), 1e-9 * b.norm());
}

/// Of 362 waves some sixty are solved; the cross-sections of all are those of 362 solutions by factors.
TEST(Skeleton, MonostaticCutIsThatOfSeparateSolutions) {
  const System system(equal_volume_problem(4, 4, Equation::cfie));
  const auto waves = cut();
  auto b = right_hand_sides(system, waves), x = b;
  SolveOptions options;
  options.direct = false, options.krylov.tolerance = 1e-4, options.compression_tolerance = 1e-5;
  const auto report = solve(SurfaceEquation(system), options, x, Index(waves.size()));
  options.direct = true;
  solve(SurfaceEquation(system), options, b, Index(waves.size()));

  const auto fast = sections(system, x, waves), slow = sections(system, b, waves);
  double worst = 0;
  for (std::size_t i = 0; i < waves.size(); ++i)
    worst = std::max(worst, std::abs(std::sqrt(fast[i] / slow[i]) - 1));

  EXPECT_LT(report.rank, 90);
  EXPECT_EQ(std::size_t(report.rank), report.krylov.size());
  EXPECT_LT(report.compression_error, 1.01e-5);
  EXPECT_GT(report.compression_error, 0);
  EXPECT_LT(worst, 1e-3);
  EXPECT_TRUE(report.converged);
}

/// The check above detects combinations of other waves: the next angle differs by more than its tolerance.
TEST(Skeleton, NeighbouringAnglesDiffer) {
  const System system(sphere_problem(3, 4, Equation::cfie));
  const auto waves = cut();
  const auto b = right_hand_sides(system, std::span(waves).subspan(0, 6));
  Skeleton skeleton = find_skeleton(b, 6, 1e-7);
  skeleton.coefficients.col(2).swap(skeleton.coefficients.col(4));
  std::vector<Complex> few, out(b.size());
  const auto n = std::ptrdiff_t(b.size() / 6);
  for (const Index j : skeleton.chosen) few.insert(few.end(), b.begin() + j * n, b.begin() + (j + 1) * n);
  combine(skeleton, few, out);
  double difference = 0, size = 0;
  for (auto i = std::size_t(2 * n); i < std::size_t(3 * n); ++i)
    difference += std::norm(out[i] - b[i]), size += std::norm(b[i]);

  EXPECT_GT(std::sqrt(difference / size), 1e-2);
}

}  // namespace
}  // namespace curlew::ie
