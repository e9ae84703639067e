// SPDX-License-Identifier: BSD-3-Clause
// Spheres by surface and volume equations against Mie's series; a strip dipole and a plate, which have none,
// against the limit of three halvings by Richardson's extrapolation.

#include <fmt/format.h>

#include <cmath>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "bench/error_cases.hpp"
#include "fields/pattern_error.hpp"
#include "icosphere.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/far_fields.hpp"
#include "ie/sources/port_network.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/volume/volume_error.hpp"
#include "ie/volume/volume_system.hpp"
#include "mesh/refine.hpp"
#include "mesh/second_order.hpp"
#include "mesh/straighten.hpp"
#include "mie.hpp"

namespace curlew::bench {
namespace {

constexpr double frequency = speed_of_light;  // a wavelength of 1 m
constexpr double k0 = 2 * pi;
const ie::PlaneWave wave{.theta = pi};  // travels along +z with E along x, as the series has it

std::vector<fields::Direction> directions_of_cuts() {
  std::vector<fields::Direction> directions;
  for (const double phi : {0.0, pi / 2})
    for (int i = 0; i <= 36; ++i) directions.push_back({pi * i / 36, phi});
  return directions;
}

/// The pattern of one solution, with a 1 in the place of power.
fields::Quantities pattern_of(const ie::FarFields& far, const std::vector<Complex>& x) {
  const auto of = far.pattern(x.data(), 1, directions_of_cuts());
  fields::Quantities q = of.e_theta;
  q.insert(q.end(), of.e_phi.begin(), of.e_phi.end());
  q.push_back(1);
  return q;
}

/// Bars as ie-solve makes them, against magnitudes that are known.
std::vector<BarredResult> compare(const fields::PatternError& error, const std::vector<double>& exact) {
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    wrong += std::pow(error.strength[i] - exact[i], 2), size += exact[i] * exact[i];
  const std::size_t back = 36;
  return {{"far field", std::sqrt(wrong / size), error.relative},
          {"back |E|", std::abs(error.strength[back] / exact[back] - 1), error.field[back] / exact[back]}};
}

std::vector<BarredResult> compare(const fields::Quantities& before, const fields::Quantities& after,
                                  const std::vector<double>& exact, const fields::Quantities& moved = {}) {
  return compare(fields::pattern_error(before, fields::changes_of(before, after, moved), 0, exact.size()),
                 exact);
}

/// The body on the meshes that ie-solve takes. @param solve on a straight mesh
template <class Solve>
std::vector<BarredResult> compare_meshes(const mesh::Mesh& mesh, const std::vector<double>& exact,
                                         Solve solve) {
  const auto moved = mesh::moved_flat(mesh);
  return compare(solve(mesh::straighten(mesh)), solve(mesh::refined_flat(mesh)), exact,
                 moved ? solve(*moved) : fields::Quantities());
}

std::vector<double> exact_of(const test::Sphere& sphere) {
  const test::Mie mie(sphere, k0);
  std::vector<double> exact;
  for (const auto& d : directions_of_cuts())
    exact.push_back(std::sqrt(mie.rcs(d.theta, d.phi).total() / (4 * pi)));
  return exact;
}

// ---- surface equations ----

/// 20 n² triangles; of second order with all middle nodes on the sphere.
mesh::Mesh sphere_mesh(double radius, int n, int order) {
  const auto soup = mesh::icosphere(n, radius);
  mesh::Mesh mesh;
  mesh.nodes = soup.nodes;
  mesh.surfaces = {{"sphere", {}}};
  for (auto t : soup.triangles) {
    std::sort(t.begin(), t.end());
    mesh.surfaces[0].entities.push_back(mesh.num_triangles());
    mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
  }
  if (order == 1) return mesh;
  mesh = mesh::second_order(mesh);
  for (auto& p : mesh.nodes) p = radius * normalized(p);
  return mesh;
}

fields::Quantities solve_surface(const mesh::Mesh& flat, const ie::Surface& surface, ie::Equation equation) {
  ie::Problem problem;
  problem.mesh = ie::extract_surfaces(flat, {"sphere"});
  problem.surfaces = {surface};
  problem.frequency = frequency, problem.equation = equation;
  const ie::System system(problem);
  auto x = ie::right_hand_side(system, wave);
  ie::solve(ie::SurfaceEquation(system), {}, x, 1);
  return pattern_of(ie::FarFields(system), x);
}

struct SphereSurface {
  std::string name;
  test::Sphere sphere;
  ie::Surface surface;
  ie::Equation equation;
};

std::vector<SphereSurface> kinds_of(double radius) {
  using enum ie::Equation;
  const Complex lossy(3, -1), ohm(100, 80);
  const auto of = [](Complex eps) {
    return ie::Surface{.boundary = ie::Boundary::dielectric, .epsilon_r = eps};
  };
  return {{"metal, efie", test::conducting_sphere(radius), {}, efie},
          {"metal, mfie", test::conducting_sphere(radius), {}, mfie},
          {"metal, cfie", test::conducting_sphere(radius), {}, cfie},
          {"eps 4", test::dielectric_sphere(radius, 4.0), of(4), efie},
          {"eps 3 - 1j", test::dielectric_sphere(radius, lossy), of(lossy), efie},
          {"100 + 80j ohm",
           test::impedance_sphere(radius, ohm),
           {.boundary = ie::Boundary::impedance, .surface_impedance = ohm},
           efie}};
}

// ---- the volume equation ----

/// Bars from one solution.
std::vector<BarredResult> volume_bars(const mesh::Mesh& given, Complex epsilon_r,
                                      const std::vector<double>& exact) {
  const mesh::Mesh flat = mesh::straighten(given);
  const auto topology = mesh::build_topology(flat);
  const auto basis = ie::make_swg(flat, topology, std::vector<bool>(std::size_t(flat.num_cells()), true));
  const std::vector<Complex> epsilon(basis.cells.size(), epsilon_r);
  const auto system = ie::make_volume_system(basis, epsilon, k0);
  auto x = ie::test_field(system, [](Vec3<double> r) { return wave.electric(k0, r); });
  ie::solve(ie::MixedPotentialEquation(system, ie::integration_for(1e-3)), {}, x, 1);
  const auto bound = ie::far_field_error(flat, basis, epsilon, k0, mesh::flat_gaps(given), x.data());
  const auto q = pattern_of(ie::FarFields(ie::radiating_points(system, 2)), x);
  return compare(fields::uniform_error(q, 0, exact.size(), ie::bound_safety * bound.elements,
                                       fields::shape_safety * bound.shape),
                 exact);
}

mesh::Mesh ball_mesh(double radius, int n, int order) {
  auto mesh = test::make_ball(n, order);
  for (auto& p : mesh.nodes) p = radius * p;
  return mesh;
}

// ---- strip and plate ----

/// A strip of squares in the plane x = 0 around the origin, [across, along], along z; the two rows in the
/// middle are the port.
mesh::Mesh strip_mesh(double width, double length, int across, int along, bool has_port) {
  mesh::Mesh mesh;
  mesh.surfaces = {{"sphere", {}}, {"port", {}}};
  if (!has_port) mesh.surfaces.pop_back();
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i <= across; ++i)
      mesh.nodes.push_back({0, width * (double(i) / across - 0.5), length * (double(j) / along - 0.5)});
  for (int j = 0; j < along; ++j) {
    const bool in_port = has_port && (j == along / 2 || j == along / 2 - 1);
    for (int i = 0; i < across; ++i) {
      const Index a = j * (across + 1) + i, b = a + across + 1;
      for (const std::array<Index, 3> t : {std::array<Index, 3>{a, a + 1, b}, {a + 1, b, b + 1}}) {
        mesh.surfaces[in_port ? 1 : 0].entities.push_back(mesh.num_triangles());
        mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
      }
    }
  }
  return mesh;
}

/// Input impedance of the strip [ohm].
Complex strip_impedance(const mesh::Mesh& flat) {
  ie::Problem problem;
  problem.mesh = ie::extract_surfaces(flat, {"sphere", "port"});
  problem.surfaces = {{}, {}};
  problem.frequency = frequency, problem.equation = ie::Equation::efie;
  const ie::System system(problem);
  const auto port = ie::find_port(system, {.name = "feed", .region = "port"});
  auto x = ie::right_hand_side(system, port);
  ie::solve(ie::SurfaceEquation(system), {}, x, 1);
  return 1.0 / ie::port_current(port, x.data());
}

/// The limit of a sequence of halvings, of its last three.
Complex limit_of(Complex a, Complex b, Complex c) {
  if (a == b) return c;
  const double ratio = std::clamp(std::abs(c - b) / std::abs(b - a), 0.1, 0.6);
  return c + (c - b) * (ratio / (1 - ratio));
}

constexpr int levels = 4;

std::vector<BarredResult> strip_bars(double length, int along) {
  std::vector<Complex> z;
  mesh::Mesh mesh = strip_mesh(0.02, length, 1, along, true);
  for (int l = 0; l < levels; ++l, mesh = mesh::refined_flat(mesh)) z.push_back(strip_impedance(mesh));
  const Complex exact = limit_of(z[1], z[2], z[3]);
  std::vector<BarredResult> results;
  for (const std::size_t l : {0, 1})
    results.push_back({fmt::format("impedance, halved {} times", l), std::abs(z[l] - exact),
                       fields::order_safety * std::abs(z[l + 1] - z[l])});
  return results;
}

/// Scattering of a plate in the plane x = 0, a wave from +x with E along z.
std::vector<BarredResult> plate_bars(double side, int n) {
  std::vector<fields::Quantities> q;
  mesh::Mesh mesh = strip_mesh(side, side, n, n, false);
  for (int l = 0; l < levels; ++l, mesh = mesh::refined_flat(mesh)) {
    ie::Problem problem;
    problem.mesh = ie::extract_surfaces(mesh, {"sphere"});
    problem.surfaces = {{}};
    problem.frequency = frequency, problem.equation = ie::Equation::efie;
    const ie::System system(problem);
    auto x = ie::right_hand_side(system, ie::PlaneWave{.theta = pi / 2});
    ie::solve(ie::SurfaceEquation(system), {}, x, 1);
    q.push_back(pattern_of(ie::FarFields(system), x));
  }
  std::vector<double> exact;
  const std::size_t count = directions_of_cuts().size();
  for (std::size_t i = 0; i < count; ++i)
    exact.push_back(std::hypot(std::abs(limit_of(q[1][i], q[2][i], q[3][i])),
                               std::abs(limit_of(q[1][count + i], q[2][count + i], q[3][count + i]))));
  std::vector<BarredResult> results;
  for (const std::size_t l : {0, 1}) {
    auto bars = compare(q[l], q[l + 1], exact);
    bars[0].quantity += fmt::format(", halved {} times", l);
    results.push_back(bars[0]);
  }
  return results;
}

}  // namespace

std::vector<ErrorCase> surface_cases() {
  std::vector<ErrorCase> cases;
  for (const double ka : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    const double radius = ka / k0;
    for (const auto& kind : kinds_of(radius)) {
      const bool two_currents = kind.surface.boundary != ie::Boundary::conductor;
      if (two_currents && ka > 2) continue;
      for (const int geometry : {1, 2}) {
        for (const int n : ka > 2 ? std::vector{4} : two_currents ? std::vector{2, 3} : std::vector{2, 4}) {
          cases.push_back({fmt::format("sphere, {}, ka {:g}, {}, {} triangles", kind.name, ka,
                                       geometry == 1 ? "straight" : "curved", 20 * n * n),
                           1, ka == 1.0 && n == 2 && kind.name == "metal, cfie", [=] {
                             return compare_meshes(sphere_mesh(radius, n, geometry), exact_of(kind.sphere),
                                                   [&](const mesh::Mesh& flat) {
                                                     return solve_surface(flat, kind.surface, kind.equation);
                                                   });
                           }});
        }
      }
    }
  }
  for (const double length : {0.3, 0.46, 0.6})
    cases.push_back({fmt::format("strip dipole, {:g} wavelengths", length), 1, false,
                     [=] { return strip_bars(length, 12); }});
  for (const double side : {0.4, 1.0})
    cases.push_back(
        {fmt::format("square plate, {:g} wavelengths", side), 1, false, [=] { return plate_bars(side, 4); }});
  return cases;
}

std::vector<ErrorCase> volume_cases() {
  std::vector<ErrorCase> cases;
  for (const double ka : {0.5, 1.0, 1.5}) {
    for (const Complex epsilon : {Complex(2), Complex(4), Complex(3, -1)}) {
      for (const int geometry : {1, 2}) {
        for (const int n : {2, 3}) {
          const double radius = ka / k0;
          cases.push_back(
              {fmt::format("ball, eps {:g}{:+g}j, ka {:g}, {}, {} cells", epsilon.real(), epsilon.imag(), ka,
                           geometry == 1 ? "straight" : "curved", 8 * n * n * n),
               1, ka == 1.0 && n == 2 && geometry == 1 && epsilon == 4.0, [=] {
                 return volume_bars(ball_mesh(radius, n, geometry), epsilon,
                                    exact_of(test::dielectric_sphere(radius, epsilon)));
               }});
        }
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
