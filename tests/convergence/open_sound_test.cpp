// SPDX-License-Identifier: BSD-3-Clause
// Sound outside of spheres against their series: radiation and scattering, far fields and powers.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "fem/acoustics/acoustic_radiation.hpp"
#include "fem/open/radiating_surface.hpp"
#include "mesh/box.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

constexpr double rho = 1.2, c = 340;
using Type = AcousticBoundaryType;

/// h_n of the second kind and j_n, with derivatives, by the standard library; exp(+jwt).
struct Radial {
  double j, dj;
  Complex h, dh;
};
Radial radial(unsigned n, double x) {
  const auto h = [&](unsigned m) { return Complex(std::sph_bessel(m, x), -std::sph_neumann(m, x)); };
  const Complex d = n == 0 ? -h(1) : h(n - 1) - double(n + 1) / x * h(n);
  return {h(n).real(), d.real(), h(n), d};
}

/// exp(-jkz) on a sphere of 1 m: the scattered p r exp(jkr) at theta from the direction of travel [m], and
/// cross-sections [m^2]. On the sphere p + gamma dp/dr = 0. Source: Morse and Ingard (1968), Theoretical
/// Acoustics, section 8.2.
struct Series {
  double k;
  std::optional<Complex> gamma;  ///< [m]; none: rigid
  Complex impedance = 0;         ///< of the wall [Pa s/m]

  static Series rigid(double ka) { return {ka, std::nullopt}; }
  static Series soft(double ka) { return {ka, 0.0}; }
  /// A wall of z rho c: p = Z v_n, n into it.
  static Series lined(double ka, Complex z) { return {ka, Complex(0, 1 / ka) * z, z * rho * c}; }

  AcousticBoundary boundary() const {
    AcousticBoundary b{.regions = {"body"},
                       .type = !gamma             ? Type::rigid
                               : impedance != 0.0 ? Type::impedance
                                                  : Type::dirichlet};
    b.impedance = impedance;
    return b;
  }
  int terms() const { return int(k + 4 * std::cbrt(k) + 12); }
  Complex term(int n) const {
    const auto r = radial(unsigned(n), k);
    return gamma ? (r.j + *gamma * k * r.dj) / (r.h + *gamma * k * r.dh) : r.dj / r.dh;
  }
  Complex far(double theta) const {
    Complex sum = 0;
    for (int n = 0; n < terms(); ++n)
      sum -= (2.0 * n + 1) * term(n) * std::legendre(unsigned(n), std::cos(theta));
    return Complex(0, 1 / k) * sum;
  }
  double scattering() const {
    double sum = 0;
    for (int n = 0; n < terms(); ++n) sum += (2.0 * n + 1) * std::norm(term(n));
    return 4 * pi / (k * k) * sum;
  }
  double extinction() const {
    double sum = 0;
    for (int n = 0; n < terms(); ++n) sum += (2.0 * n + 1) * term(n).real();
    return 4 * pi / (k * k) * sum;
  }
};

/// A sphere of 1 m in a shell of fluid and a layer around it.
struct Sphere {
  mesh::Mesh mesh;
  mesh::Topology topology;
  AcousticModel model;

  /// @param n triangles along the edge of an octant of the sphere @param h [m] between shells
  Sphere(int n, int order, AcousticBoundary boundary, double h, double k) {
    test::Shells shells;
    shells.first = n;
    const double quarter = pi / (2 * k);  // of a wavelength
    const int fluid = std::max(1, int(std::lround(std::min(0.4, quarter) / h))),
              layer = std::max(2, int(std::lround(std::min(0.8, 2 * quarter) / h)));
    for (int m = 0; m <= fluid + layer; ++m) shells.radius.push_back(1 + h * m);
    shells.surfaces = {{"body", n}, {"face", n + fluid}, {"back", n + fluid + layer}};
    shells.volumes = {{"air", n + fluid}, {"layer", n + fluid + layer}};
    mesh = test::make_shells(shells);
    topology = mesh::build_topology(mesh);
    model.order = order;
    model.media = {{.regions = {"air", "layer"}, .density = rho, .speed_of_sound = c}};
    model.boundaries = {boundary, {.regions = {"back"}}};
    PmlModel pml;
    pml.regions = {"layer"};
    pml.geometry = pml_geometry(mesh, topology, pml.regions, PmlShape::spherical);
    model.pml = {pml};
    model.layer_face = add_layer_surface(model.pml, {}, mesh, topology);
  }
};

struct Result {
  SoundPattern pattern;
  AcousticPower power;
};
std::vector<fields::Direction> cut() {
  std::vector<fields::Direction> directions;
  for (int i = 0; i <= 12; ++i) directions.push_back({i * pi / 12, 0.3});
  return directions;
}
Result solve(const Sphere& s, double k) {
  AcousticProblem problem(s.mesh, s.topology, s.model, {});
  problem.analyse();
  const auto solution = problem.solve(k * c / (2 * pi));
  return {SoundRadiation(problem.space(), s.model).pattern(solution, cut()), solution.power};
}

double greatest_error(const std::vector<Complex>& far, const std::function<Complex(double)>& exact) {
  double error = 0, size = 0;
  const auto directions = cut();
  for (std::size_t i = 0; i < far.size(); ++i) {
    error = std::max(error, std::abs(far[i] - exact(directions[i].theta)));
    size = std::max(size, std::abs(exact(directions[i].theta)));
  }
  return error / size;
}

/// A wave along +z.
Result scatter(AcousticBoundary body, int n, int order, double ka, double h) {
  Sphere s(n, order, std::move(body), h, ka);
  s.model.wave = green::ArrivingWave{pi, 0, 0, 2.0};
  return solve(s, ka);
}
double error_of(const Series& exact, int n, int order, double h) {
  const auto r = scatter(exact.boundary(), n, order, exact.k, h);
  return greatest_error(r.pattern.pressure, [&](double theta) { return 2.0 * exact.far(theta); });
}

/// Functionals converge with twice the order; curved cells of second order have an error of h^4.
TEST(OpenSound, DISABLED_FarFieldsConvergeWithTwiceTheOrder) {
  for (const Series& exact : {Series::rigid(2), Series::soft(2)})
    for (const int order : {1, 2}) {
      const int n = order == 1 ? 5 : 3;
      const double coarse = error_of(exact, n, order, 1.2 / n), fine = error_of(exact, 2 * n, order, 0.6 / n);
      EXPECT_GT(std::log2(coarse / fine), 2 * order - 0.9) << order << ": " << coarse << " " << fine;
    }
}

void expect_series(const Series& exact, int n, double h) {
  const auto r = scatter(exact.boundary(), n, 3, exact.k, h);
  const auto& sections = *r.pattern.sections;
  EXPECT_LT(greatest_error(r.pattern.pressure, [&](double t) { return 2.0 * exact.far(t); }), 3e-3);
  EXPECT_NEAR(sections.scattering / exact.scattering(), 1, 2e-3);
  EXPECT_NEAR(sections.extinction / exact.extinction(), 1, 2e-3);
  EXPECT_NEAR(sections.absorption, exact.extinction() - exact.scattering(), 2e-3 * exact.extinction());
  EXPECT_LT(sections.imbalance(), 1e-9);  // the elements conserve power
  EXPECT_NEAR(*r.pattern.far_power / r.pattern.power, 1, 2e-3);
}

TEST(OpenSound, SpheresScatterAsTheirSeries) {
  for (const Series& exact : {Series::rigid(1), Series::soft(3), Series::lined(3, {1.5, -0.5})})
    expect_series(exact, 4, 0.3);
}

TEST(OpenSound, DISABLED_LargeSpheresScatterAsTheirSeries) {
  for (const Series& exact : {Series::rigid(6), Series::soft(10), Series::rigid(10)})
    expect_series(exact, 8, 0.12);
}

/// The whole surface moves in phase: p = rho c v jka^2 / (1 + jka) exp(jka), and the load of the fluid.
TEST(OpenSound, PulsatingSphere) {
  const double ka = 2, v = 1e-3;
  const Sphere s(4, 3, {.regions = {"body"}, .type = Type::neumann, .normal_velocity = -v}, 0.3, ka);
  const auto r = solve(s, ka);
  const Complex far = rho * c * v * Complex(0, ka) / Complex(1, ka) * std::polar(1.0, ka);
  const double power = 2 * pi * rho * c * v * v * ka * ka / (1 + ka * ka);
  EXPECT_LT(greatest_error(r.pattern.pressure, [&](double) { return far; }), 2e-3);
  EXPECT_NEAR(r.pattern.power / power, 1, 2e-3);
  EXPECT_NEAR(r.power.input, r.power.radiated, 1e-10 * power);
}

/// A sphere that moves along z: a dipole. Source: Pierce (2019), Acoustics, section 4.2.
TEST(OpenSound, VibratingSphere) {
  const double ka = 2, v = 1e-3;
  const Sphere s(4, 3, {.regions = {"body"}, .type = Type::neumann, .velocity = Vec3<double>{0, 0, v}}, 0.3,
                 ka);
  const auto r = solve(s, ka);
  const Complex axial = Complex(0, rho * c * v / ka) / radial(1, ka).dh;  // -j h_1 -> j exp(-jkr)/kr
  EXPECT_LT(greatest_error(r.pattern.pressure, [&](double theta) { return axial * std::cos(theta); }), 2e-3);
  EXPECT_NEAR(r.pattern.directivity(0, rho * c), 3, 0.01);
}

/// Far fields are linear in the pressure and powers quadratic: central differences are exact.
void expect_loads(const LagrangeSpace& space, const AcousticModel& model, const AcousticSolution& solution) {
  const SoundRadiation radiation(space, model);
  const std::array<fields::Direction, 1> direction{{{0.7, 0.4}}};
  const auto far = radiation.far_load(direction[0], solution.frequency),
             power = radiation.power_load(solution);
  AcousticSolution more = solution, less = solution;
  Complex of_far = 0, of_power = 0;
  for (std::size_t i = 0; i < std::size_t(space.num_free); ++i) {
    const Complex v = 0.1 * std::abs(solution.pressure[i]) * std::polar(1.0, 0.7 * double(i));
    more.pressure[i] += v, less.pressure[i] -= v;
    of_far += far[i] * v, of_power += power[i] * v;
  }
  const auto above = radiation.pattern(more, direction), below = radiation.pattern(less, direction);
  EXPECT_LT(std::abs(above.pressure[0] - below.pressure[0] - 2.0 * of_far), 1e-9 * std::abs(of_far));
  EXPECT_NEAR(above.power - below.power, 2 * of_power.real(), 1e-9 * std::abs(of_power));
}

TEST(OpenSound, LoadsOfErrorBarsWithAWave) {
  Sphere s(2, 2, Series::rigid(2).boundary(), 0.6, 2);
  s.model.wave = green::ArrivingWave{pi, 0, 0, 2.0};
  AcousticProblem problem(s.mesh, s.topology, s.model, {});
  problem.analyse();
  expect_loads(problem.space(), s.model, problem.solve(c / pi));
}

/// A part of a rigid ground z = 0 moves, x in [0.1, 0.3], y in [0, 0.2], with its images in x = 0, rigid or
/// soft, and in the rigid y = 0: a Cartesian layer, and Rayleigh's integral. Source: Pierce (2019),
/// section 5.2.
TEST(OpenSound, PistonInABaffle) {
  const double v = 1e-3, k = 10, inner = 0.4;
  for (const bool soft : {false, true}) {
    mesh::Mesh mesh = mesh::make_box({.hi = {0.7, 0.7, 0.7}, .blocks = {7, 7, 7}, .shuffle_seed = 5});
    const auto center = [&](const Index* nodes, int n) {
      Vec3<double> sum;
      for (int i = 0; i < n; ++i) sum += 1.0 / n * mesh.nodes[std::size_t(nodes[i])];
      return sum;
    };
    mesh.volumes = {{"air", {}}, {"layer", {}}};
    for (Index cell = 0; cell < mesh.num_cells(); ++cell) {
      const auto at = center(mesh.cell(cell), 4);
      mesh.volumes[std::max({at.x, at.y, at.z}) > inner].entities.push_back(cell);
    }
    mesh::Region piston{"piston", {}}, ground{"ground", {}};
    for (const Index t : mesh::find_region(mesh.surfaces, "z0")->entities) {
      const auto at = center(mesh.triangle(t), 3);
      (at.x > 0.1 && at.x < 0.3 && at.y < 0.2 ? piston : ground).entities.push_back(t);
    }
    mesh.surfaces.push_back(piston), mesh.surfaces.push_back(ground);
    auto topology = mesh::build_topology(mesh);
    AcousticModel model;
    model.order = 3;
    model.media = {{.regions = {"air", "layer"}, .density = rho, .speed_of_sound = c}};
    model.boundaries = {{.regions = {"piston"}, .type = Type::neumann, .normal_velocity = -v},
                        {.regions = {"ground", "y0", "x1", "y1", "z1"}},
                        {.regions = {"x0"}, .type = soft ? Type::dirichlet : Type::rigid}};
    PmlModel pml;
    pml.regions = {"layer"};
    pml.geometry = pml_geometry(mesh, topology, pml.regions, PmlShape::cartesian);
    model.pml = {pml};
    model.layer_face = add_layer_surface(model.pml, {}, mesh, topology);
    const fields::SymmetryPlane floor{2, 0, false};
    model.symmetry = {{{0, 0, soft}, {1, 0, false}, floor}, floor};
    AcousticProblem problem(mesh, topology, model, {});
    problem.analyse();
    const auto solution = problem.solve(k * c / (2 * pi));
    std::vector<fields::Direction> directions;
    for (int i = 0; i < 30; ++i) directions.push_back({(i % 6) * pi / 12, i * 0.4});
    const auto pattern = SoundRadiation(problem.space(), model).pattern(solution, directions);
    double error = 0, greatest = 0;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const Vec3<double> u = k * directions[i].radial();
      const Complex x = soft ? Complex(0, 2 / u.x * (std::cos(0.1 * u.x) - std::cos(0.3 * u.x)))
                             : 2 / u.x * (std::sin(0.3 * u.x) - std::sin(0.1 * u.x));
      const bool axial = i % 6 == 0;
      const Complex exact = Complex(0, k * rho * c * v / (2 * pi)) * (axial ? (soft ? 0 : 0.4) : x) *
                            (axial ? 0.4 : 2 / u.y * std::sin(0.2 * u.y));
      error = std::max(error, std::abs(pattern.pressure[i] - exact));
      greatest = std::max(greatest, std::abs(exact));
    }
    EXPECT_LT(error, 2e-4 * greatest) << soft;
    EXPECT_NEAR(*pattern.far_power / pattern.power, 1, 1e-3) << soft;
    EXPECT_NEAR(pattern.power, 4 * solution.power.input, 1e-9 * pattern.power) << soft;
    expect_loads(problem.space(), model, solution);
  }
}

}  // namespace
}  // namespace curlew::fem
