// SPDX-License-Identifier: BSD-3-Clause
// Lossy and dispersive resonators against formulas: wall Q, dielectric Q, the quasi-static resonance of a
// Drude sphere. The lossy equation is not linear in frequency, so its iteration is tested here.

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <string>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/eigen/participation.hpp"
#include "fem/error/mode_residual.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "io/config.hpp"
#include "material/surface_law.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

constexpr double a = 0.03, b = 0.015, d = 0.04;

struct Box {
  mesh::Mesh mesh = mesh::make_box({.hi = {a, b, d}, .blocks = {5, 3, 6}, .shuffle_seed = 11});
  mesh::Topology topology = mesh::build_topology(mesh);
  std::vector<CavityMode> modes(const Model& model, const CavityOptions& options) const {
    const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
    return cavity_modes(space, model, options);
  }
};

Model box_model(Complex eps = 1.0) {
  Model model;
  model.materials = {{.regions = {"volume"}, .epsilon_r = eps}};
  model.boundaries = {{.regions = {"walls"}, .condition = pec_condition()}};
  return model;
}

double te101(double eps) {
  return speed_of_light / (2 * std::sqrt(eps)) * std::hypot(1 / a, 1 / d);
}

/// Qc of TE101. Source: Pozar (2012), equation (6.46).
double wall_q(double f, double rs) {
  const double k = 2 * pi * f / speed_of_light;
  return std::pow(k * a * d, 3) * b * vacuum_impedance / (2 * pi * pi * rs) /
         (2 * a * a * a * b + 2 * b * d * d * d + a * a * a * d + a * d * d * d);
}

TEST(LossyCavity, WallsGiveTheQOfTheFormula) {
  const Box box;
  Model model = box_model();
  const double sigma = 5.8e7;
  model.boundaries = {
      {.regions = {"walls"}, .condition = law_condition(material::make_wall(material::Conductor{sigma}))}};
  const auto modes = box.modes(model, {.modes = 1, .target = 0.9 * te101(1), .direct = {}});
  ASSERT_EQ(modes.size(), 1U);
  const double f = te101(1), rs = std::sqrt(pi * f * vacuum_permeability / sigma);
  EXPECT_NEAR(modes[0].q / wall_q(f, rs), 1, 5e-3);
  // the walls' reactance lowers f by as much as their resistance damps it: f (1 - 1/2Q)
  EXPECT_NEAR(modes[0].frequency.real() / (f * (1 - 0.5 / wall_q(f, rs))), 1, 2e-4);
  EXPECT_LT(modes[0].residual, 1e-9);
}

TEST(LossyCavity, WallsAndFillingLoseTogether) {
  const Box box;
  const double eps = 2.08, tangent = 2e-3, sigma = 1e6, f = te101(eps);
  Model model = box_model(eps);
  model.materials[0].loss_tangent = tangent;
  model.boundaries = {
      {.regions = {"walls"}, .condition = law_condition(material::make_wall(material::Conductor{sigma}))}};
  const double of_walls =
      wall_q(te101(1), std::sqrt(pi * f * vacuum_permeability / sigma)) / std::sqrt(eps);  // k as in vacuum
  for (const double target : {0.9, 0.2}) {                                                 // of the frequency
    const auto modes = box.modes(model, {.modes = 4, .target = target * f, .direct = {}});
    ASSERT_GE(modes.size(), 4U);
    EXPECT_NEAR(modes[0].q * (tangent + 1 / of_walls), 1, 5e-3) << target;
    for (const auto& mode : modes) EXPECT_LT(mode.residual, 1e-8) << target;
  }
}

/// Bars out of the modes' own residuals contain the errors of f and Q, and are not much wider. The phase of a
/// lossy mode, which no result depends on, must not mix the two; real and imaginary parts take separate steps
/// to their corrections, which differ by some percent.
TEST(LossyCavity, ResidualsBoundFrequencyAndQ) {
  const Box box;
  Model model = box_model();
  const double sigma = 1e6;
  model.boundaries = {
      {.regions = {"walls"}, .condition = law_condition(material::make_wall(material::Conductor{sigma}))}};
  const auto space = make_space(box.mesh, box.topology, model.order, pec_triangles(model, box.mesh));
  const auto modes = cavity_modes(space, model, {.modes = 1, .target = 0.9 * te101(1), .direct = {}});
  ASSERT_EQ(modes.size(), 1U);

  const auto bars = mode_residual_errors(space, model, modes, false);

  const double f = te101(1), q = wall_q(f, std::sqrt(pi * f * vacuum_permeability / sigma)),
               error = std::abs(modes[0].frequency.real() - f * (1 - 0.5 / q)),
               loss = std::abs(1 / modes[0].q - 1 / q);
  EXPECT_GT(bars[0].whole, error);
  EXPECT_LT(bars[0].whole, 10 * error);
  EXPECT_GT(bars[0].loss, loss);
  EXPECT_LT(bars[0].loss, 0.2 / q);
  EXPECT_EQ(bars[0].whole, bars[0].elements);  // no facet moves
  auto turned = modes;
  for (Complex& x : turned[0].x) x *= std::polar(1.0, 0.6);
  EXPECT_NEAR(mode_residual_errors(space, model, turned, false)[0].loss, bars[0].loss, 0.05 * bars[0].loss);
}

/// Straight cells in a ball of metal: most of the error is that of the shape, which residuals do not contain.
TEST(LossyCavity, ResidualErrorsContainTheFacets) {
  const mesh::Mesh mesh = test::make_ball(6, 1);
  const auto topology = mesh::build_topology(mesh);
  Model model;
  model.materials = {{.regions = {mesh.volumes.front().name}}};
  model.boundaries = {{.regions = {mesh.surfaces.front().name}, .condition = pec_condition()}};
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  const double f = 2.743707 * speed_of_light / (2 * pi);  // TM101 of radius 1
  const auto modes = cavity_modes(space, model, {.modes = 1, .target = 0.8 * f, .direct = {}});

  const auto bars = mode_residual_errors(space, model, modes, true);

  const double error = std::abs(modes[0].frequency.real() - f);
  EXPECT_TRUE(have_residual_errors(model));
  EXPECT_GT(bars[0].whole, error);
  EXPECT_LT(bars[0].whole, 10 * error);
  EXPECT_LT(bars[0].elements, error);
}

/// Plates of a superconductor d apart, half a wave long: fields reach λ into each, so the inductance is that
/// of d + 2λ, and f falls by sqrt(1 + 2λ/d), to (λ/d)² (kd)² of what is across. A little loss puts the mode
/// beside the real axis, where the wall's root must not change its branch.
TEST(LossyCavity, KineticInductanceLowersTheFrequency) {
  const double l = 500e-6, gap = 20e-6, lambda = 1e-6;
  const mesh::Mesh mesh = mesh::make_box({.hi = {l, 60e-6, gap}, .blocks = {6, 1, 1}});
  const auto topology = mesh::build_topology(mesh);
  const auto wall = material::read_surface_law(
      io::Config::parse("london_depth = 1e-6\ncritical_temperature = 1e3\ntemperature = 1\n", "b.toml"),
      "superconductor");
  Model model;
  model.order = 3;
  model.materials = {{.regions = {"volume"}, .epsilon_r = 11.7}};
  model.boundaries = {{.regions = {"x0", "x1"}, .condition = pec_condition()},
                      {.regions = {"y0", "y1"}, .condition = pmc_condition()},
                      {.regions = {"z0", "z1"}, .condition = law_condition(wall)}};
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  const double metal = speed_of_light / (2 * l * std::sqrt(11.7));
  for (const double loss : {0.0, 1e-5}) {
    model.materials[0].loss_tangent = loss;
    const auto modes = cavity_modes(space, model, {.modes = 1, .target = 0.7 * metal, .direct = {}});
    EXPECT_NEAR(modes[0].frequency.real() * std::sqrt(1 + 2 * lambda / gap) / metal, 1, 1e-4) << loss;
  }
}

/// Roughness of a depth far above the skin depth doubles the loss (Hammerstad and Jensen 1980).
TEST(LossyCavity, RoughWallsLoseUpToTwice) {
  const Box box;
  Model model = box_model();
  model.boundaries = {
      {.regions = {"walls"}, .condition = law_condition(material::make_wall(material::Conductor{5.8e7}))}};
  const CavityOptions options{.modes = 1, .target = 0.9 * te101(1), .direct = {}};
  const double smooth = box.modes(model, options)[0].q;
  model.boundaries[0].condition = law_condition(material::make_wall(
      material::Conductor{5.8e7, {.model = material::Roughness::Model::hammerstad, .rms = 1e-3}}));
  EXPECT_NEAR(smooth / box.modes(model, options)[0].q, 2, 0.01);
}

TEST(LossyCavity, LossTangentAndConductivityGiveTheirQ) {
  const Box box;
  const CavityOptions options{.modes = 1, .target = 0.9 * te101(2.08), .direct = {}};
  Model model = box_model(2.08);
  model.materials[0].loss_tangent = 4e-4;
  EXPECT_NEAR(box.modes(model, options)[0].q * 4e-4, 1, 5e-3);
  model.materials[0].loss_tangent = 0;
  model.materials[0].conductivity = 1e-3;  // Q = ωε/σ
  const auto conducting = box.modes(model, options)[0];
  const double q = 2 * pi * te101(2.08) * vacuum_permittivity * 2.08 / 1e-3;
  EXPECT_NEAR(conducting.q / q, 1, 5e-3);
}

/// A Lorentz medium fills the cavity: the mode solves ε(f) f² = f0², here by Newton's method.
TEST(LossyCavity, DispersiveFillingFollowsItsPole) {
  const Box box;
  const double f0 = te101(1);
  Model model = box_model(1.5);
  model.materials[0].dispersion.poles = {{.type = material::Pole::Type::lorentz,
                                          .strength = 0.8,
                                          .frequency = 2 * pi * 1.7 * f0,
                                          .damping = 2 * pi * 0.05 * f0}};
  const auto mode = box.modes(model, {.modes = 1, .target = 0.6 * f0, .direct = {}})[0];
  const auto g = [&](Complex f) {
    const Complex ratio = f / (1.7 * f0);
    return (1.5 + 0.8 / (1.0 - ratio * ratio + Complex(0, 1) * (0.05 / 1.7) * ratio)) * f * f - f0 * f0;
  };
  Complex f = 0.66 * f0;
  for (int i = 0; i < 50; ++i) f -= g(f) / ((g(f * (1 + 1e-6)) - g(f * (1 - 1e-6))) / (2e-6 * f));
  EXPECT_LT(std::abs(mode.frequency / f - 1.0), 2e-4);
  EXPECT_NEAR(mode.q / (f.real() / (2 * f.imag())), 1, 5e-3);
}

TEST(LossyCavity, CountsItsModes) {
  const Box box;
  const Model model = box_model();
  const auto space = make_space(box.mesh, box.topology, 2, pec_triangles(model, box.mesh));
  RealFactors factors;
  const double target = 0.5 * te101(1);
  const auto modes =
      cavity_modes(space, model, {.modes = 3, .target = target, .direct = {}}, nullptr, &factors);
  const double last = modes.back().frequency.real();
  ASSERT_EQ(modes.size(), 4U);           // a = 2 b: the third one, TE201, comes with TE011
  EXPECT_GT(factors.below_target, 100);  // gradients
  EXPECT_EQ(count_modes(space, model, target, last * 1.0001, factors), Index(4));
  EXPECT_EQ(count_modes(space, model, 0.5 * te101(1), last * 1.0001), Index(4));
  EXPECT_EQ(count_modes(space, model, 0.5 * te101(1), 1.001 * te101(1)), Index(1));
}

/// A cube of side π m has f = c/2π sqrt(l² + m² + n²): 3 modes of sqrt 2, 2 of sqrt 3, 6 of sqrt 5. From 70
/// MHz on come whole sets, and nothing below.
TEST(Target, TakesWholeSetsAbove) {
  const mesh::Mesh mesh = mesh::make_box({.hi = {pi, pi, pi}, .blocks = {3, 3, 3}});
  const auto topology = mesh::build_topology(mesh);
  Model model = box_model();
  model.order = 3;
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  const auto modes = cavity_modes(space, model, {.modes = 4, .target = 70e6, .direct = {}});
  ASSERT_EQ(modes.size(), 8U);
  for (std::size_t i = 0; i < modes.size(); ++i)
    EXPECT_NEAR(modes[i].frequency.real() / (speed_of_light / (2 * pi) * std::sqrt(i < 2 ? 3 : 5)), 1, 1e-3);
  EXPECT_EQ(count_modes(space, model, 70e6, modes.back().frequency.real() * (1 + 1e-7)), Index(8));
}

/// The three lowest modes of a cube have one frequency, with walls that lose too.
TEST(LossyCavity, DegenerateModesAreIndependent) {
  const mesh::Mesh mesh = mesh::make_box({.hi = {pi, pi, pi}, .blocks = {2, 2, 2}});
  const auto topology = mesh::build_topology(mesh);
  Model model = box_model();
  model.boundaries[0].condition = law_condition(material::make_wall(material::Conductor{1e3}));
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  const auto modes = cavity_modes(space, model, {.modes = 3, .target = 50e6, .direct = {}});
  ASSERT_EQ(modes.size(), 3U);
  Eigen::MatrixXcd x(Eigen::Index(modes[0].x.size()), 3);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto& mode = modes[std::size_t(i)];
    EXPECT_NEAR(mode.frequency.real() / (speed_of_light / (2 * pi) * std::sqrt(2)), 1, 0.02);
    x.col(i) = Eigen::Map<const Eigen::VectorXcd>(mode.x.data(), x.rows()).normalized();
  }
  EXPECT_GT(x.jacobiSvd().singularValues()[2], 0.1);
}

/// Modes of a box full of ferrite that is magnetised along its short side, uniform along it: f of an
/// ordinary filling with μ = (μ² - κ²)/μ. Source: Pozar (2012), section 9.1 (extraordinary wave).
TEST(GyrotropicCavity, HasTheEffectivePermeability) {
  const mesh::Mesh mesh = mesh::make_box({.hi = {20e-3, 15e-3, 4e-3}, .blocks = {4, 3, 1}});
  const auto topology = mesh::build_topology(mesh);
  Model model = box_model(12.0);
  model.order = 3;
  Mat3<Complex> mu = Mat3<Complex>::diagonal(1.0);
  mu(0, 0) = mu(1, 1) = 1.1;
  mu(0, 1) = Complex(0, 0.4), mu(1, 0) = Complex(0, -0.4);
  model.materials[0].mu_r = mu;
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  const double effective = (1.1 * 1.1 - 0.4 * 0.4) / 1.1;
  const auto f = [&](int m, int n) {
    return speed_of_light / 2 * std::hypot(m / 20e-3, n / 15e-3) / std::sqrt(12 * effective);
  };
  const auto modes = cavity_modes(space, model, {.modes = 3, .target = 0, .direct = {}});
  ASSERT_EQ(modes.size(), 3U);
  const double expected[] = {f(1, 1), f(2, 1), f(1, 2)};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(modes[i].frequency.real() / expected[i], 1, 1e-3) << i;
    EXPECT_TRUE(std::isinf(modes[i].q)) << i;
    EXPECT_LT(modes[i].residual, 1e-9) << i;
  }
}

/// The walls' table ends between two modes: the first one is there, with its Q, and the second one is named.
TEST(LossyCavity, AModeThatIsLostLeavesTheOthers) {
  const Box box;
  const double f = te101(1), rs = 0.5;
  const std::string file = testing::TempDir() + "wall.csv";
  std::ofstream(file) << "frequency_hz,impedance_re,impedance_im\n"
                      << 0.5 * f << ',' << rs << ",0\n"
                      << 1.2 * f << ',' << rs << ",0\n";
  Model model = box_model();
  model.boundaries[0].condition = law_condition(material::read_surface_law(
      io::Config::parse("table = \"" + file + "\"\n", "b.toml"), "tabulated_impedance"));
  const auto space = make_space(box.mesh, box.topology, model.order, pec_triangles(model, box.mesh));
  const CavityOptions options{.modes = 2, .target = 0.9 * f, .direct = {}};
  EXPECT_THROW(cavity_modes(space, model, options), InputError);
  LostModes lost;
  const auto modes = cavity_modes(space, model, options, &lost);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_NEAR(modes[0].q / wall_q(f, rs), 1, 5e-3);
  EXPECT_EQ(lost.count, 1);
  ASSERT_EQ(lost.places.size(), 1U);
  EXPECT_NE(lost.places[0].find("near 9.0"), std::string::npos) << lost.places[0];
}

/// |∫E|² / (V ∫|E|²) over a region: 1 for a uniform field.
double uniformity(const NedelecSpace& space, const mesh::Region& region, const std::vector<Complex>& x) {
  const FieldEvaluator evaluator(space, {{0.25, 0.25, 0.25}});
  Vec3<Complex> sum{};
  double squares = 0, volume = 0;
  for (const Index c : region.entities) {
    Vec3<Complex> e;
    evaluator.evaluate(c, x.data(), &e, nullptr);
    const double v = std::abs(determinant(jacobian(cell_geometry(*space.mesh, c), {0.25, 0.25, 0.25}))) / 6;
    sum += Complex(v) * e;
    squares += v * (std::norm(e.x) + std::norm(e.y) + std::norm(e.z));
    volume += v;
  }
  return (std::norm(sum.x) + std::norm(sum.y) + std::norm(sum.z)) / (volume * squares);
}

/// A sphere of collisionless Drude metal, radius 0.5, concentric in a metal sphere of radius 1, all far below
/// the wavelength: the dipole's potential A r inside, B (1/r² - r) outside gives
/// ε = -(2 + x) / (1 - x), x = (0.5)³, hence f = fp / √(1 - ε). Without the outer sphere that is ε = -2.
/// The eigenform at a target: of all modes near it those whose field in the metal is uniform, as the dipole's
/// is. (A faceted surface has short surface waves of its own at nearby ε, which the mesh does not resolve.)
TEST(DrudeSphere, ResonatesAtItsQuasiStaticFrequency) {
  mesh::Mesh ball = test::make_ball(6, 2);
  const double unit = 1e-2, plasma = 1e9;  // k0 times the radius is 0.06
  mesh::Region metal{"metal", {}}, air{"air", {}};
  const auto radius = [&](Index node) { return norm(ball.nodes[std::size_t(node)]); };
  for (Index c = 0; c < ball.num_cells(); ++c) {
    const Index* cell = ball.cell(c);
    double largest = 0;
    for (int i = 0; i < 4; ++i) largest = std::max(largest, radius(cell[i]));
    (largest < 0.5 + 1e-9 ? metal : air).entities.push_back(c);
  }
  // The inner sphere is round, too: middles of the edges of faces between air and metal.
  std::set<std::array<Index, 3>> outside;
  const auto face = [&](Index c, std::size_t f) {
    const auto& v = mesh::cell_face_vertices[f];
    const Index* cell = ball.cell(c);
    return std::array<Index, 3>{cell[v[0]], cell[v[1]], cell[v[2]]};
  };
  for (const Index c : air.entities)
    for (std::size_t f = 0; f < 4; ++f) outside.insert(face(c, f));
  std::set<Index> middles;
  for (const Index c : metal.entities)
    for (std::size_t f = 0; f < 4; ++f) {
      if (outside.count(face(c, f)) == 0) continue;
      for (std::size_t e = 0; e < 6; ++e) {
        const auto [i, j] = mesh::cell_edge_vertices[e];
        if (std::size_t(i) != f && std::size_t(j) != f) middles.insert(ball.cell(c)[4 + e]);
      }
    }
  for (const Index m : middles) ball.nodes[std::size_t(m)] = 0.5 * normalized(ball.nodes[std::size_t(m)]);
  ball.volumes = {metal, air};
  for (auto& p : ball.nodes) p = unit * p;
  const auto topology = mesh::build_topology(ball);
  Model model;
  model.order = 2;
  model.materials = {{.regions = {"air"}}, {.regions = {"metal"}}};
  model.materials[1].dispersion.poles = {{.type = material::Pole::Type::drude, .frequency = 2 * pi * plasma}};
  model.boundaries = {{.regions = {"sphere"}, .condition = pec_condition()}};
  const auto space = make_space(ball, topology, model.order, pec_triangles(model, ball));
  const double x = 0.125, exact = plasma / std::sqrt(1 + (2 + x) / (1 - x));

  const auto modes = cavity_modes(space, model, {.modes = 8, .target = 0.995 * exact, .direct = {}});

  int dipoles = 0;
  for (const auto& mode : modes) {
    EXPECT_LT(std::abs(mode.frequency.imag()), 1e-6 * exact);
    if (uniformity(space, ball.volumes[0], mode.x) < 0.9) continue;
    ++dipoles;
    EXPECT_NEAR(mode.frequency.real() / exact, 1, 5e-3);
  }
  EXPECT_EQ(dipoles, 3);  // three directions
}

}  // namespace
}  // namespace curlew::fem
