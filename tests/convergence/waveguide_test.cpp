// SPDX-License-Identifier: BSD-3-Clause
// Driven waveguides against transmission-line theory: the whole chain of ports, assembly, solve and
// S-parameters.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "fem/ports/waveguide_port.hpp"
#include "fem/system/coarse_order.hpp"
#include "fem/system/system_terms.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

constexpr double a = 22.86e-3, b = 10.16e-3;  // WR-90

double beta_te10(double frequency, Complex eps_r = 1.0) {
  const double k0 = 2 * pi * frequency / speed_of_light;
  return std::sqrt((k0 * k0 * eps_r - std::pow(pi / a, 2)).real());
}

/// A guide along z, meshed by a box; cells with their centre in [slab_lo, slab_hi] are the volume "slab".
struct Guide {
  mesh::Mesh mesh;
  mesh::Topology topology;
};

Guide make_guide(double length, std::array<int, 3> blocks, double slab_lo = 0, double slab_hi = 0) {
  Guide guide;
  guide.mesh = mesh::make_box({.hi = {a, b, length}, .blocks = blocks, .shuffle_seed = 7});
  mesh::Region air{"air", {}}, slab{"slab", {}};
  for (Index c = 0; c < guide.mesh.num_cells(); ++c) {
    double z = 0;
    for (int i = 0; i < 4; ++i) z += 0.25 * guide.mesh.nodes[std::size_t(guide.mesh.cell(c)[i])].z;
    (z > slab_lo && z < slab_hi ? slab : air).entities.push_back(c);
  }
  guide.mesh.volumes = {air};
  if (!slab.entities.empty()) guide.mesh.volumes.push_back(slab);
  guide.topology = mesh::build_topology(guide.mesh);
  return guide;
}

Model guide_model(int order, Coefficient slab_eps = 1.0) {
  Model model;
  model.order = order;
  model.materials = {{.regions = {"air"}}};
  if (!(slab_eps.is_scalar && slab_eps.scalar == 1.0))
    model.materials.push_back({.regions = {"slab"}, .epsilon_r = slab_eps});
  model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
  model.ports = {{.region = "z0", .excite = true}, {.region = "z1"}};
  return model;
}

/// 10 cells per free-space wavelength at 12.4 GHz (24.2 mm) is a block of 2.4 mm.
TEST(Waveguide, StraightSectionIsALine) {
  const double length = 30e-3;
  const Guide guide = make_guide(length, {10, 5, 13});
  DrivenProblem problem(guide.mesh, guide.topology, guide_model(2), {});
  problem.analyse();
  for (const double f : {8.2e9, 10.3e9, 12.4e9}) {
    const auto solution = problem.solve(f);
    const auto& s = solution.scattering.s;
    EXPECT_LT(20 * std::log10(std::abs(s(0, 0))), -75) << f;
    EXPECT_LT(20 * std::log10(std::abs(s(1, 1))), -75) << f;
    // exp(-jβL): sign of the phase, hence of the time factor, and the same direction of E at both ports
    const double phase_error = std::arg(s(1, 0) * std::exp(Complex(0, beta_te10(f) * length))) * 180 / pi;
    EXPECT_LT(std::abs(phase_error), 0.05) << f;
    EXPECT_LT(std::abs(s(1, 0) - s(0, 1)), 1e-9) << f;
    const auto checks = check_scattering(s, solution.modes);
    EXPECT_LT(checks.power_balance, 1e-5) << f;
    EXPECT_LT(checks.largest_gain, 1e-5) << f;
  }
}

/// A TEM wave between plates, along z, in cells of no regular shape.
Guide distorted_plates(double length, int n) {
  Guide guide;
  guide.mesh = mesh::make_box({.hi = {a, b, length}, .blocks = {n, n / 2, 5 * n}, .shuffle_seed = 7});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-0.2, 0.2);
  const double tiny = 1e-9;
  for (auto& x : guide.mesh.nodes) {
    const Vec3<double> size{a, b, length};
    for (int i = 0; i < 3; ++i) {
      const double moved = x[i] + u(random) * a / n;
      if (x[i] > tiny && x[i] < size[i] - tiny) x[i] = moved;
    }
  }
  guide.mesh.volumes = {{"air", {}}};
  for (Index c = 0; c < guide.mesh.num_cells(); ++c) guide.mesh.volumes[0].entities.push_back(c);
  guide.topology = mesh::build_topology(guide.mesh);
  return guide;
}

/// The phase error of a lower order that the choice of a coarse level predicts. Halving the cells divides the
/// phase by 4 and 16, so that the limit of 1.4, which allows for the next term of the law (1.2 in the coarse
/// cells), detects a wrong power and a wrong factor.
TEST(Waveguide, PhasesAreWrongByWhatTheCoarseLevelExpects) {
  const double length = 120e-3, f = 12.4e9;
  for (const int order : {1, 2})
    for (const int n : {4, 8}) {
      const Guide guide = distorted_plates(length, n);
      Model model = guide_model(order);
      model.boundaries[0].regions = {"y0", "y1"};
      DrivenProblem problem(guide.mesh, guide.topology, model, {});
      problem.analyse();
      const Complex s21 = problem.solve(f).scattering.s(1, 0);
      const double k = 2 * pi * f / speed_of_light;
      const double wrong = std::abs(std::arg(s21 * std::exp(Complex(0, k * length))));
      const double expected = phase_error(guide.mesh, model, f, order);
      EXPECT_GT(wrong, expected / 1.4) << order << " " << n;
      EXPECT_LT(wrong, expected * 1.4) << order << " " << n;
    }
}

TEST(Waveguide, LongOnesKeepTheirOrderOnTheCoarseLevel) {
  const auto coarse_order = [](double length, int order, int asked) {
    const Guide guide = make_guide(length, {4, 2, 10});
    linalg::SystemOptions options;
    options.iterative.emplace().coarse_order = asked;
    choose_coarse_order(guide.mesh, guide_model(order), 12.4e9, options);
    return options.iterative->coarse_order;
  };
  EXPECT_EQ(coarse_order(0.06, 2, 0), 0);
  EXPECT_EQ(coarse_order(0.2, 2, 0), 2);
  EXPECT_EQ(coarse_order(0.2, 2, 1), 1);  // as asked
  EXPECT_EQ(coarse_order(0.06, 3, 0), 0);
  EXPECT_EQ(coarse_order(2.0, 1, 0), 0);  // has no lower one
  linalg::SystemOptions direct;
  const Guide guide = make_guide(0.2, {4, 2, 10});
  choose_coarse_order(guide.mesh, guide_model(2), 12.4e9, direct);
  EXPECT_FALSE(direct.iterative.has_value());
}

/// Phase of S21 is as accurate as the wavenumber: its error falls with h^(2p).
TEST(Waveguide, PhaseErrorFallsWithTwiceTheOrder) {
  const double length = 24e-3, f = 10e9;
  for (const int order : {1, 2}) {
    std::array<double, 2> error{};
    for (const int n : {1, 2}) {
      const Guide guide = make_guide(length, {5 * n, 3 * n, 5 * n});
      DrivenProblem problem(guide.mesh, guide.topology, guide_model(order), {});
      problem.analyse();
      const auto s = problem.solve(f).scattering.s;
      error[std::size_t(n - 1)] = std::abs(s(1, 0) - std::exp(Complex(0, -beta_te10(f) * length)));
    }
    EXPECT_GT(std::log2(error[0] / error[1]), 2 * order - 0.5)
        << order << ": " << error[0] << " " << error[1];
  }
}

/// Three layers of a line with TE wave impedances ωμ/β. Source: Pozar (2012), section 2.5 (ABCD
/// matrices 4.4).
std::array<Complex, 2> slab_line(double f, Complex eps_r, double before, double thickness, double after) {
  const double k0 = 2 * pi * f / speed_of_light, kc = pi / a;
  const Complex b0 = std::sqrt(Complex(k0 * k0 - kc * kc)), b1 = std::sqrt(k0 * k0 * eps_r - kc * kc);
  const Complex z = b0 / b1;  // relative impedance of the slab
  const Complex c = std::cos(b1 * thickness), s = Complex(0, 1) * std::sin(b1 * thickness);
  const Complex d = 2.0 * c + (z + 1.0 / z) * s;
  const Complex s11 = (z - 1.0 / z) * s / d, s21 = 2.0 / d;
  return {s11 * std::exp(Complex(0, -2) * b0 * before),
          s21 * std::exp(Complex(0, -1) * b0 * (before + after))};
}

TEST(Waveguide, DielectricSlabFollowsTheLineFormula) {
  const double length = 30e-3, lo = 10e-3, hi = 17.5e-3;
  const Guide guide = make_guide(length, {9, 4, 12}, lo, hi);
  for (const Complex eps : {Complex(2.54), Complex(4, -0.2)}) {
    DrivenProblem problem(guide.mesh, guide.topology, guide_model(2, eps), {});
    problem.analyse();
    for (const double f : {8.2e9, 10.3e9, 12.4e9}) {
      const auto s = problem.solve(f).scattering.s;
      const auto expected = slab_line(f, eps, lo, hi - lo, length - hi);
      EXPECT_LT(std::abs(s(0, 0) - expected[0]), 2e-3) << eps << " " << f;
      EXPECT_LT(std::abs(s(1, 0) - expected[1]), 2e-3) << eps << " " << f;
    }
  }
}

/// Several modes: a straight guide keeps them apart, and evanescent ones decay.
TEST(Waveguide, ModesOfAPortDoNotMix) {
  const double length = 10e-3,
               f = 16e9;  // TE10, TE20, TE01 (cut-offs 6.6, 13.1, 14.8 GHz) propagate, TE11 not
  const Guide guide = make_guide(length, {10, 5, 5});
  Model model = guide_model(2);
  model.ports[0].kind = model.ports[1].kind = waveguide_port({.modes = 4});
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  problem.analyse();
  const auto solution = problem.solve(f);
  const auto& s = solution.scattering.s;
  const std::array<bool, 4> propagates{true, true, true, false};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(solution.modes[std::size_t(i)].propagates, propagates[std::size_t(i)]);
    for (int j = 0; j < 4; ++j) {
      const Complex expected = i == j ? std::exp(-solution.modes[std::size_t(i)].gamma * length) : 0.0;
      EXPECT_LT(std::abs(s(4 + i, j) - expected), 5e-3) << i << " " << j;
      EXPECT_LT(std::abs(s(i, j)), 5e-3) << i << " " << j;
    }
  }
}

/// A matched resistive sheet does not exist in a guide, but its reflection does: an impedance wall at the
/// end.
TEST(Waveguide, ImpedanceWallReflectsLikeALoad) {
  const double length = 20e-3, f = 10e9;
  const Guide guide = make_guide(length, {9, 4, 8});
  Model model = guide_model(2);
  model.ports.pop_back();
  const Complex zs(200, 100);
  model.boundaries.push_back({.regions = {"z1"}, .condition = law_condition(material::make_wall(zs))});
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  problem.analyse();
  const double beta = beta_te10(f);
  const double z0 = 2 * pi * f * vacuum_permeability / beta;
  const Complex expected = (zs - z0) / (zs + z0) * std::exp(Complex(0, -2 * beta * length));
  EXPECT_LT(std::abs(problem.solve(f).scattering.s(0, 0) - expected), 2e-3);
}

/// A dielectric resonator between two lengths of guide: steep S, few full solutions.
TEST(FastSweep, AgreesWithFullSolutions) {
  const Guide guide = make_guide(36e-3, {6, 3, 12}, 12e-3, 24e-3);
  Model model = guide_model(2, Complex(6, -0.002));
  model.materials[1].conductivity = 1e-3;
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  problem.analyse();
  std::vector<double> frequencies;
  for (int i = 0; i <= 200; ++i) frequencies.push_back(8.2e9 + 4.2e9 * i / 200);

  const auto fast =
      fast_sweep(problem, frequencies, {.tolerance = 1e-4, .max_solutions = 25, .on_solution = {}});

  EXPECT_TRUE(fast.converged);
  EXPECT_LE(fast.solved.size(), 25U);
  double worst = 0;
  for (std::size_t i = 0; i < frequencies.size(); i += 23) {
    const auto full = problem.solve(frequencies[i]);
    worst = std::max(worst, (full.scattering.s - fast.solutions[i].scattering.s).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst, 1e-4);
  EXPECT_THROW(fast_sweep(problem, frequencies, {.tolerance = 1e-12, .max_solutions = 4, .on_solution = {}}),
               NumericalError);
}

/// The sum that the reduced model is built on is the system itself, with every kind of term in it.
TEST(FastSweep, TermsAddUpToTheSystem) {
  const Guide guide = make_guide(10e-3, {4, 2, 4}, 3e-3, 7e-3);
  Model model = guide_model(2, Complex(4, -0.2));
  model.materials[1].conductivity = 0.3;
  model.materials[1].dispersion.poles = {{.type = material::Pole::Type::debye, .strength = 2, .time = 2e-11}};
  model.boundaries = {
      {.regions = {"x0", "y0", "y1"}, .condition = pec_condition()},
      {.regions = {"x1"}, .condition = law_condition(material::make_wall(material::Conductor{1e3}))}};
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  const double f = 9.7e9;
  auto system = problem.create_matrix(), term_matrix = system;
  problem.assemble(f, system);
  double largest = 0;
  for (const Complex v : system.values) largest = std::max(largest, std::abs(v));

  for (const auto& term : system_terms(problem.model(), problem.assembler(), problem.ports())) {
    term.assemble(term_matrix);
    const Complex factor = term.factor(f);
    for (std::size_t i = 0; i < system.values.size(); ++i) system.values[i] -= factor * term_matrix.values[i];
  }

  for (const Complex v : system.values) ASSERT_LT(std::abs(v), 1e-12 * largest);
}

}  // namespace
}  // namespace curlew::fem
