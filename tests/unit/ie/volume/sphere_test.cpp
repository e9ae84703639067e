// SPDX-License-Identifier: BSD-3-Clause
// Spheres by the volume equation against their series.

#include <gtest/gtest.h>

#include "../../../convergence/ball_mesh.hpp"
#include "base/constants.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/results/near_field.hpp"
#include "ie/volume/volume_error.hpp"
#include "ie/volume/volume_system.hpp"
#include "linalg/dense/lu.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "mie.hpp"

namespace curlew::ie {
namespace {

/// A ball of flat cells with the volume of the sphere.
mesh::Mesh ball_of_equal_volume(int n, double radius) {
  auto ball = test::make_ball(n, 1);
  double volume = 0;
  for (Index c = 0; c < ball.num_cells(); ++c) {
    const auto v = [&](int i) { return ball.nodes[ball.cell(c)[i]]; };
    volume += std::abs(dot(v(3) - v(0), cross(v(1) - v(0), v(2) - v(0)))) / 6;
  }
  const double scale = radius * std::cbrt(4 * pi / 3 / volume);
  for (auto& p : ball.nodes) p = scale * p;
  return ball;
}

struct Sphere {
  SwgBasis basis;
  std::vector<Complex> epsilon_r, b, x;
  MixedPotentialSystem system;
  double k;

  Sphere(int n, double radius, Complex epsilon, double wavenumber) : k(wavenumber) {
    const auto ball = ball_of_equal_volume(n, radius);
    basis =
        make_swg(ball, mesh::build_topology(ball), std::vector<bool>(std::size_t(ball.num_cells()), true));
    epsilon_r.assign(std::size_t(basis.num_cells()), epsilon);
    system = make_volume_system(basis, epsilon_r, k);
    b = test_field(system, [this](Vec3<double> r) { return Vec3<Complex>{std::polar(1.0, -k * r.z), 0, 0}; });
  }
  /// RMS difference from the series in dB over both planes within the top 30 dB.
  double rms_db(const test::Mie& mie) const {
    const FarFields fields(radiating_points(system, 3));
    double sum = 0, largest = 0;
    int count = 0;
    for (int i = 0; i <= 36; ++i) largest = std::max(largest, mie.rcs(i * pi / 36, 0).total());
    for (const double phi : {0.0, pi / 2}) {
      for (int i = 0; i <= 36; ++i) {
        const double theta = i * pi / 36;
        const double exact = mie.rcs(theta, phi).total();
        if (exact < 1e-3 * largest) continue;
        const fields::Direction u{theta, phi};
        const auto f = fields.pattern(x.data(), 1, std::span(&u, 1));
        const double rcs = 4 * pi * (std::norm(f.e_theta[0]) + std::norm(f.e_phi[0]));
        const double d = test::dbsm(rcs) - test::dbsm(exact);
        sum += d * d, ++count;
      }
    }
    return std::sqrt(sum / count);
  }
  CrossSections sections() const {
    const green::ArrivingWave along_z{pi, 0, pi};  // E along x
    const double absorbed = absorption(basis, epsilon_r, k, x.data());
    return cross_sections(FarFields(radiating_points(system, 3)), x.data(), std::span(&along_z, 1),
                          std::span(&absorbed, 1))[0];
  }
};

/// A stored matrix for Krylov loops, with its diagonal.
class DenseOperator final : public linalg::LinearOperator<Complex> {
 public:
  explicit DenseOperator(linalg::DenseMatrix a) : a_(std::move(a)) {
    auto d = linalg::identity<Complex>(Index(a_.rows()));
    for (Offset i = 0; i < a_.rows(); ++i) d.values[std::size_t(i)] = a_(i, i);
    jacobi_ = std::make_unique<linalg::Jacobi<Complex>>(d);
  }
  Index size() const override { return Index(a_.rows()); }
  void apply(const Complex* x, Complex* y) const override {
    std::fill(y, y + size(), Complex());
    for (Offset j = 0; j < a_.cols(); ++j) {
      for (Offset i = 0; i < a_.rows(); ++i) y[i] += a_(i, j) * x[j];
    }
  }
  const linalg::Jacobi<Complex>& jacobi() const { return *jacobi_; }

 private:
  linalg::DenseMatrix a_;
  std::unique_ptr<linalg::Jacobi<Complex>> jacobi_;
};

void solve(Sphere& s, double tolerance, double accuracy = 1e-2) {
  Stages stages;
  const CorrectedOperator a(MixedPotentialEquation(s.system, integration_for(accuracy)).fill({}, stages),
                            tolerance);
  linalg::Krylov<Complex> krylov(
      a, nullptr,
      {.method = linalg::KrylovMethod::gmres, .tolerance = tolerance, .max_iterations = 300, .restart = 100});
  s.x.resize(s.b.size());
  const auto report = krylov.solve(s.b.data(), s.x.data());
  EXPECT_TRUE(report.converged());
}

TEST(VolumeEquation, SmallSphereHasItsStaticField) {
  Sphere s(3, 1.0, {4, 0}, 1e-3);
  solve(s, 1e-6);

  // E inside is 3/(eps_r + 2) of the incident field.
  const auto field = cell_fields(s.system, s.epsilon_r, s.x.data());
  double error = 0, volume = 0;
  for (std::size_t c = 0; c < field.size(); ++c) {
    const auto d = field[c] - Vec3<Complex>{0.5, 0, 0};
    error += s.basis.volume[c] * (std::norm(d.x) + std::norm(d.y) + std::norm(d.z));
    volume += s.basis.volume[c];
  }
  EXPECT_LT(std::sqrt(error / volume), 0.04 * 0.5);
}

/// Relative differences of the total E and H from the series on rings of a radius, inside or outside.
struct FieldErrors {
  double e, h;
};
FieldErrors field_errors(const Sphere& s, const test::Mie& mie, double radius) {
  double error[2] = {}, whole[2] = {};
  for (const double theta : {0.4, 1.3, 2.4}) {
    for (const double phi : {0.3, 2.0, 4.4}) {
      const std::vector<Vec3<double>> at{{radius * std::sin(theta) * std::cos(phi),
                                          radius * std::sin(theta) * std::sin(phi),
                                          radius * std::cos(theta)}};
      const auto got = radiated_field(s.system, s.x.data(), at);
      const auto expect = mie.near_field(at[0].x, at[0].y, at[0].z);
      // The series has the scattered field outside, the total one inside; ours is the scattered one.
      const Complex wave = radius < 1 ? std::polar(1.0, -s.k * at[0].z) : Complex();
      const Vec3<Complex> incident[2] = {{wave, 0, 0}, {0, wave / vacuum_impedance, 0}};
      for (std::size_t d = 0; d < 3; ++d) {
        error[0] += std::norm(got.e[0][int(d)] + incident[0][int(d)] - expect.e[d]);
        error[1] += std::norm(got.h[0][int(d)] + incident[1][int(d)] - expect.h[d]);
        whole[0] += std::norm(expect.e[d]), whole[1] += std::norm(expect.h[d]);
      }
    }
  }
  return {std::sqrt(error[0] / whole[0]), std::sqrt(error[1] / whole[1])};
}

/// The error falls with the square of the cells' size (D is piecewise linear in its normal component, the far
/// field is a weighted mean), of near fields too: inside, the integrals are far better than D of the cells.
/// Measured 0.089 and 0.090 dB, fields 1.2 % inside, 0.6 % outside.
TEST(VolumeEquation, SphereConvergesToMie) {
  const double k = 1.0;
  const struct {
    Complex epsilon;
    int coarse, fine;
  } cases[] = {{{2.5, 0}, 2, 4}, {{2.56, -0.1}, 2, 4}};
  for (const auto& c : cases) {
    const test::Mie mie(test::dielectric_sphere(1.0, c.epsilon), k);
    Sphere coarse(c.coarse, 1.0, c.epsilon, k), fine(c.fine, 1.0, c.epsilon, k);
    solve(coarse, 1e-4, 1e-3), solve(fine, 1e-4, 1e-3);

    EXPECT_LT(fine.rms_db(mie), 0.1);
    EXPECT_GT(coarse.rms_db(mie) / fine.rms_db(mie), std::pow(2, 1.7));
    EXPECT_LT(fine.sections().imbalance(), 1e-3);
    EXPECT_NEAR(fine.sections().extinction / pi, mie.q_extinction(), 0.04 * mie.q_extinction());
    for (const double radius : {0.6, 3.0}) {
      const auto before = field_errors(coarse, mie, radius), after = field_errors(fine, mie, radius);
      EXPECT_LT(after.e, 0.015) << radius;
      EXPECT_LT(after.h, 0.015) << radius;
      EXPECT_GT(before.e / after.e, 2) << radius;
      EXPECT_GT(before.h / after.h, 2) << radius;
    }
  }
}

/// A solution with products by NGIM against one with the stored matrix: same currents, same number of
/// iterations.
TEST(VolumeEquation, AcceleratedSolutionIsThatOfTheStoredMatrix) {
  const Sphere s(3, 1.0, {4, -0.2}, 1.5);
  const double tolerance = 1e-5;
  SolveOptions options;
  options.direct = false, options.accelerated = true, options.acceleration_tolerance = tolerance;
  options.preconditioner = Preconditioner::jacobi;
  options.krylov = {.method = linalg::KrylovMethod::gmres, .tolerance = tolerance, .restart = 200};
  std::vector<Complex> fast = s.b, direct = s.b, stored(s.b.size());

  const MixedPotentialEquation equation(s.system, integration_for(1e-2));

  const auto accelerated = solve(equation, options, fast, 1);
  options.direct = true;
  solve(equation, options, direct, 1);
  const DenseOperator matrix(equation.full_matrix());
  linalg::Krylov<Complex> krylov(matrix, &matrix.jacobi(), options.krylov);
  const auto iterated = krylov.solve(s.b.data(), stored.data());

  EXPECT_EQ(accelerated.krylov.at(0).iterations, iterated.iterations);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < fast.size(); ++i)
    error += std::norm(fast[i] - direct[i]), size += std::norm(direct[i]);
  EXPECT_LT(std::sqrt(error / size), 10 * tolerance);  // 10: the matrix's condition
}

/// The optical theorem holds to the accuracy of the integrals, whatever the mesh.
TEST(VolumeEquation, PowerBalances) {
  Sphere s(3, 1.0, {2.56, -0.1}, 1.0);
  solve(s, 1e-5, 1e-3);
  const auto q = s.sections();
  EXPECT_GT(q.absorption, 0.05 * q.extinction);
  EXPECT_LT(q.imbalance(), 1e-3);
}

/// Greatest distance of the far field in the plane of E from the series [V].
double far_field_distance(const Sphere& s, const test::Mie& mie) {
  const FarFields fields(radiating_points(s.system, 3));
  double greatest = 0;
  for (int i = 0; i <= 12; ++i) {
    const fields::Direction u{i * pi / 12, 0};
    greatest = std::max(greatest, std::abs(fields.pattern(s.x.data(), 1, std::span(&u, 1)).e_theta[0] -
                                           mie.far_field(u.theta, 0).theta));
  }
  return greatest;
}

/// One solution's estimate against the series. Measured 0.74 to 4.0 times the error; without the charge of
/// the facets 0.4 at k = 0.1.
TEST(VolumeEquation, EstimatedErrorIsThatOfTheFarField) {
  for (const Complex epsilon : {Complex(2, 0), Complex(4, -1), Complex(8, 0)})
    for (const double k : {0.1, 1.5}) {
      Sphere s(3, 1.0, epsilon, k);
      solve(s, 1e-5, 1e-3);
      const auto ball = ball_of_equal_volume(3, 1.0);
      const auto error = far_field_error(ball, s.basis, s.epsilon_r, k,
                                         std::vector<Vec3<double>>(ball.nodes.size()), s.x.data());
      const double ratio =
          error.elements / far_field_distance(s, test::Mie(test::dielectric_sphere(1.0, epsilon), k));
      EXPECT_GT(ratio, 0.7) << epsilon << k;
      EXPECT_LT(ratio, 5) << epsilon << k;
      EXPECT_EQ(error.shape, 0);
    }
}

/// A sphere that is larger by 2 % instead of its gaps: the far field of a small one grows by 6 %.
TEST(VolumeEquation, GapsChangeTheFarFieldAsALargerSphereDoes) {
  const double k = 0.1, gap = 0.02;
  Sphere s(3, 1.0, {4, 0}, k);
  solve(s, 1e-5, 1e-3);
  const auto ball = ball_of_equal_volume(3, 1.0);
  std::vector<Vec3<double>> gaps;
  for (const auto& node : ball.nodes) gaps.push_back(gap * node);
  const double field = std::abs(test::Mie(test::dielectric_sphere(1.0, {4, 0}), k).far_field(0, 0).theta);
  const auto error = far_field_error(ball, s.basis, s.epsilon_r, k, gaps, s.x.data());
  EXPECT_NEAR(error.shape / (3 * gap * field), 1, 0.1);
}

}  // namespace
}  // namespace curlew::ie
