// SPDX-License-Identifier: BSD-3-Clause
// Port modes by finite elements against closed forms and transcendental equations solved here: coaxial lines,
// hollow and partially filled guides, lossy walls; and through the driven problem to S.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "coax_mesh.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "fem/eigen/nonlinear_eigen.hpp"
#include "fem/model/shared_rims.hpp"
#include "fem/ports/lumped_port.hpp"
#include "fem/ports/waveguide_port.hpp"
#include "io/config.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

/// A zero of f between a and b, where it changes sign once.
double bisect(const std::function<double(double)>& f, double a, double b) {
  const bool rising = f(b) > 0;
  for (int i = 0; i < 200; ++i) {
    const double m = 0.5 * (a + b);
    ((f(m) > 0) == rising ? b : a) = m;
  }
  return 0.5 * (a + b);
}

struct Line {
  mesh::Mesh mesh;
  mesh::Topology topology;
  explicit Line(mesh::Mesh m) : mesh(std::move(m)), topology(mesh::build_topology(mesh)) {}
};

// ---- coaxial line ----

constexpr double inner = 0.65e-3, outer = 2.1e-3, teflon = 2.07;

Model coax_model(const std::string& walls_type = "pec",
                 ImpedanceDefinition definition = ImpedanceDefinition::automatic) {
  Model model;
  model.order = 2;
  model.materials = {{.regions = {"fill"}, .epsilon_r = teflon}};
  model.boundaries = {{.regions = {"inner", "outer"}, .condition = pec_condition()}};
  if (walls_type == "lossy")
    model.boundaries[0].condition = law_condition(material::make_wall(material::Conductor{1e7}));
  const auto kind = waveguide_port({.absorbed_modes = 2, .impedance = definition});
  model.ports = {{.region = "z0", .kind = kind}, {.region = "z1", .kind = kind}};
  return model;
}

TEST(CoaxialPort, IsTemWithTheImpedanceOfTheFormula) {
  const double length = 4e-3, f = 10e9;
  const Line line(test::make_coax(inner, outer, length, {4, 10, 2}, 2));
  const double exact = vacuum_impedance / (2 * pi * std::sqrt(teflon)) * std::log(outer / inner);
  const double beta = 2 * pi * f * std::sqrt(teflon) / speed_of_light;
  for (const auto definition : {ImpedanceDefinition::power_current, ImpedanceDefinition::power_voltage}) {
    DrivenProblem problem(line.mesh, line.topology, coax_model("pec", definition), {});
    problem.analyse();
    const auto solution = problem.solve(f);
    EXPECT_EQ(problem.ports()[0]->modes[0].family, ModeFamily::tem);
    EXPECT_NEAR(solution.modes[0].impedance.real() / exact, 1, 1e-3);
    EXPECT_NEAR(solution.modes[0].impedance.imag(), 0, 1e-9 * exact);
    EXPECT_NEAR(solution.modes[0].gamma.imag(), beta, 1e-9 * beta);
    const auto& s = solution.scattering.s;
    EXPECT_LT(std::abs(s(0, 0)), 1e-3);
    EXPECT_LT(std::abs(s(1, 0) - std::exp(Complex(0, -beta * length))), 2e-3);
    EXPECT_LT(check_scattering(s, solution.modes).power_balance, 1e-5);
  }
}

/// TE11 of a coaxial guide: J1'(ka) Y1'(kb) = J1'(kb) Y1'(ka). Source: Marcuvitz (1951), section 2.4.
TEST(CoaxialPort, HasTheCutOffOfTheFirstHigherMode) {
  const Line line(test::make_coax(inner, outer, 1e-3, {2, 10, 1}, 2));
  Model model = coax_model();
  model.ports[0].kind = waveguide_port({.modes = 3, .absorbed_modes = 2});
  const DrivenProblem problem(line.mesh, line.topology, model, {});
  const auto slope = [](auto&& c, double x) { return 0.5 * (c(0.0, x) - c(2.0, x)); };
  const auto j = [](double n, double x) { return std::cyl_bessel_j(n, x); };
  const auto y = [](double n, double x) { return std::cyl_neumann(n, x); };
  const double kc = bisect(
      [&](double k) {
        return slope(j, k * inner) * slope(y, k * outer) - slope(j, k * outer) * slope(y, k * inner);
      },
      0.7 * 2 / (inner + outer), 1.3 * 2 / (inner + outer));
  const auto& modes = problem.ports()[0]->modes;
  EXPECT_NEAR(modes[1].cutoff / kc, 1, 1e-3);
  EXPECT_NEAR(modes[2].cutoff / kc, 1, 1e-3);
  EXPECT_EQ(modes[1].family, ModeFamily::te);
}

/// α = Rs/(2η) (1/a + 1/b)/ln(b/a), and the walls' reactance adds as much to β. Source: Pozar, section 2.7;
/// first order in Rs, so the skin effect of a bad conductor is kept small against the line.
TEST(CoaxialPort, LosesPowerToItsWallsByTheFormula) {
  const double f = 10e9, length = 2e-3;
  const Line line(test::make_coax(inner, outer, length, {4, 10, 1}, 2));
  DrivenProblem problem(line.mesh, line.topology, coax_model("lossy"), {});
  problem.analyse();
  const double rs = std::sqrt(pi * f * vacuum_permeability / 1e7), eta = vacuum_impedance / std::sqrt(teflon);
  const double alpha = rs / (2 * eta) * (1 / inner + 1 / outer) / std::log(outer / inner);
  const double beta = 2 * pi * f * std::sqrt(teflon) / speed_of_light;
  const auto solution = problem.solve(f);
  const Complex gamma = solution.modes[0].gamma;
  EXPECT_NEAR(gamma.real() / alpha, 1, 5e-3);
  EXPECT_NEAR((gamma.imag() - beta) / alpha, 1, 0.05);
  EXPECT_LT(std::abs(solution.scattering.s(1, 0) - std::exp(-gamma * length)), 1e-3);
  EXPECT_LT(std::abs(solution.scattering.s(0, 0)), 1e-3);
}

// ---- hollow guides ----

constexpr double a = 22.86e-3, b = 10.16e-3;  // WR-90

Model hollow_model(bool numeric) {
  Model model;
  model.order = 2;
  model.materials = {{.regions = {"volume"}}};
  model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
  const auto kind = waveguide_port({.modes = 3, .numeric = numeric});
  model.ports = {{.region = "z0", .kind = kind}, {.region = "z1", .kind = kind}};
  return model;
}

TEST(NumericPort, AgreesWithTheClosedFormOfARectangle) {
  const double f = 16e9;
  const Line line(mesh::make_box({.hi = {a, b, 8e-3}, .blocks = {8, 4, 3}, .shuffle_seed = 5}));
  DrivenProblem numeric(line.mesh, line.topology, hollow_model(true), {}),
      closed(line.mesh, line.topology, hollow_model(false), {});
  const auto &found = numeric.ports()[0]->modes, &known = closed.ports()[0]->modes;
  ASSERT_EQ(found.size(), known.size());
  for (std::size_t m = 0; m < 5; ++m) {
    EXPECT_NEAR(found[m].cutoff / known[m].cutoff, 1, 1e-3) << known[m].name;
    EXPECT_EQ(found[m].family, known[m].family) << known[m].name;
  }
  numeric.analyse(), closed.analyse();
  const Eigen::MatrixXcd difference = numeric.solve(f).scattering.s - closed.solve(f).scattering.s;
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 3e-3);  // the numeric β is the mesh's, the other the exact one
}

/// Half of the guide behind a magnetic wall has the same TE10.
TEST(NumericPort, TakesHalfAGuideWithAMagneticWall) {
  const double f = 10e9, length = 10e-3;
  const Line line(mesh::make_box({.hi = {a / 2, b, length}, .blocks = {4, 4, 4}, .shuffle_seed = 5}));
  Model model = hollow_model(false);
  model.boundaries = {{.regions = {"x0", "y0", "y1"}, .condition = pec_condition()},
                      {.regions = {"x1"}, .condition = pmc_condition()}};
  DrivenProblem problem(line.mesh, line.topology, model, {});
  problem.analyse();
  EXPECT_NEAR(problem.ports()[0]->modes[0].cutoff * a / pi, 1, 1e-4);
  const double beta = std::sqrt(std::pow(2 * pi * f / speed_of_light, 2) - std::pow(pi / a, 2));
  const auto s = problem.solve(f).scattering.s;
  EXPECT_LT(std::abs(s(3, 0) - std::exp(Complex(0, -beta * length))), 2e-3);
  EXPECT_LT(std::abs(s(0, 0)), 1e-3);
}

/// A square bent to a disc: its corners become flat, so the mesh is a fair one, not a good one.
/// Surfaces "left" and "right" of one of a box, by the side of x that their triangles lie on.
void halve(mesh::Mesh& mesh, const std::string& name, double x) {
  mesh::Region left{name + "left", {}}, right{name + "right", {}};
  for (const Index t : surface_triangles(mesh, name)) {
    double middle = 0;
    for (int i = 0; i < 3; ++i) middle += mesh.nodes[std::size_t(mesh.triangle(t)[i])].x / 3;
    (middle < x ? left : right).entities.push_back(t);
  }
  mesh.surfaces.push_back(left);
  mesh.surfaces.push_back(right);
}

/// Two guides beside each other open into one of twice the width and continue as two. Waves of opposite phase
/// in them are TE20 of the wide one, which is TE10 in each of its halves: it passes without reflection. Each
/// port is the rectangle between metal, though no boundary reaches the rim that they share.
TEST(TouchingPorts, HaveMetalAtTheirCommonRim) {
  const double length = 30e-3, f = 9e9;
  mesh::Mesh box = mesh::make_box({{0, 0, 0}, {2 * a, b, length}, {8, 2, 6}});
  for (const char* end : {"z0", "z1"}) halve(box, end, a);
  const Line guide(std::move(box));
  Model model;
  model.order = 2;
  model.materials = {{.regions = {"volume"}}};
  model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = pec_condition()}};
  for (const char* name : {"z0left", "z0right", "z1left", "z1right"})
    model.ports.push_back({.region = name, .kind = waveguide_port()});
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  problem.analyse();
  const auto solution = problem.solve(f);

  const double k = 2 * pi * f / speed_of_light, kc = pi / a, beta = std::sqrt(k * k - kc * kc);
  for (const auto& mode : solution.modes) EXPECT_NEAR(mode.gamma.imag(), beta, 1e-9 * beta);
  const auto& s = solution.scattering.s;
  EXPECT_LT(std::abs(s(0, 0) - s(0, 1)), 3e-3);
  EXPECT_LT(std::abs(s(2, 0) - s(2, 1) - std::exp(Complex(0, -beta * length))), 5e-3);
  EXPECT_EQ(shared_rims(model, guide.mesh, guide.topology).size(), 2U);
}

/// A boundary on the rim keeps its condition, and lumped ports side by side are one source.
TEST(TouchingPorts, KeepTheBoundaryBetweenThem) {
  mesh::Mesh box = mesh::make_box({{0, 0, 0}, {2, 1, 1}, {4, 2, 2}});
  halve(box, "z0", 1);
  const Line line(std::move(box));
  Model model;
  model.boundaries = {{.regions = {"y0"}, .condition = pec_condition()}};
  for (const char* name : {"z0left", "z0right"})
    model.ports.push_back({.region = name, .kind = waveguide_port()});
  const auto rims = shared_rims(model, line.mesh, line.topology);
  ASSERT_EQ(rims.size(), 1U);
  EXPECT_EQ(rims[0].edges.size(), 2U);
  model.boundaries[0].regions = {"z0"};
  EXPECT_TRUE(shared_rims(model, line.mesh, line.topology).empty());
  model.boundaries[0].regions = {"y0"};
  model.ports[1].kind = lumped_port({});
  EXPECT_TRUE(shared_rims(model, line.mesh, line.topology).empty());
}

TEST(NumericPort, FindsTheCutOffsOfACircle) {
  const double radius = 10e-3;
  mesh::Mesh disc = mesh::make_box(
      {.lo = {-1, -1, 0}, .hi = {1, 1, 2e-3}, .blocks = {6, 6, 1}, .geometry_order = 2, .shuffle_seed = 3});
  for (auto& p : disc.nodes)
    p = {radius * p.x * std::sqrt(1 - p.y * p.y / 2), radius * p.y * std::sqrt(1 - p.x * p.x / 2), p.z};
  const Line line(std::move(disc));
  Model model = hollow_model(true);
  model.ports.pop_back();
  model.ports[0].kind = waveguide_port({.modes = 5, .numeric = true});
  model.boundaries[0].regions.push_back("z1");
  const DrivenProblem problem(line.mesh, line.topology, model, {});
  const double zeros[] = {1.841183781340659, 1.841183781340659, 2.404825557695773, 3.054236928227140,
                          3.054236928227140};
  for (std::size_t m = 0; m < 5; ++m)
    EXPECT_NEAR(problem.ports()[0]->modes[m].cutoff * radius / zeros[m], 1, 1e-3) << m;
}

// ---- two media ----

/// Cells with their centre at y < h (or x < h) are the volume "slab".
mesh::Mesh two_media(double length, std::array<int, 3> blocks, int axis, double h) {
  mesh::Mesh guide = mesh::make_box({.hi = {a, b, length}, .blocks = blocks, .shuffle_seed = 7});
  mesh::Region air{"air", {}}, slab{"slab", {}};
  for (Index c = 0; c < guide.num_cells(); ++c) {
    Vec3<double> centre{};
    for (int i = 0; i < 4; ++i) centre += 0.25 * guide.nodes[std::size_t(guide.cell(c)[i])];
    (centre[axis] < h ? slab : air).entities.push_back(c);
  }
  guide.volumes = {air, slab};
  return guide;
}

Model slab_model(Complex eps, int modes) {
  Model model = hollow_model(false);
  model.materials = {{.regions = {"air"}}, {.regions = {"slab"}, .epsilon_r = eps}};
  for (auto& port : model.ports) port.kind = waveguide_port({.modes = modes});
  return model;
}

/// LSM to y: (ky1/ε) tan(ky1 h) + ky2 tan(ky2 (b - h)) = 0, ky² = ε k0² - (π/a)² - β².
/// Source: Collin (1991), Field Theory of Guided Waves, section 6.1; Harrington (1961), section 4.6.
double lsm_beta(double f, double eps, double h) {
  const double k0 = 2 * pi * f / speed_of_light;
  const auto term = [](double square, double d) {  // k tan(k d), real for either sign of k²
    const double k = std::sqrt(std::abs(square));
    return square > 0 ? k * std::tan(k * d) : -k * std::tanh(k * d);
  };
  const auto f_of = [&](double beta) {
    const double t = std::pow(pi / a, 2) + beta * beta;
    return term(eps * k0 * k0 - t, h) / eps + term(k0 * k0 - t, b - h);
  };
  return bisect(f_of, std::sqrt(k0 * k0 - std::pow(pi / a, 2)),
                std::sqrt(eps * k0 * k0 - std::pow(pi / a, 2)));
}

TEST(PartiallyFilledPort, HasTheHybridModeOfTheTranscendentalEquation) {
  const double f = 11e9, h = b / 2, eps = 2.5, length = 8e-3;
  const Line line(two_media(length, {6, 4, 4}, 1, h));
  DrivenProblem problem(line.mesh, line.topology, slab_model(eps, 1), {});
  problem.analyse();
  EXPECT_TRUE(problem.ports()[0]->is_dispersive());
  const auto solution = problem.solve(f);
  const double beta = lsm_beta(f, eps, h), k0 = 2 * pi * f / speed_of_light;
  const Complex gamma = solution.modes[0].gamma;
  // effective permittivity of the travelling wave, (β/k0)²
  EXPECT_NEAR(std::pow(gamma.imag() / k0, 2) / std::pow(beta / k0, 2), 1, 2e-3);
  EXPECT_EQ(gamma.real(), 0);
  const auto& s = solution.scattering.s;
  EXPECT_LT(std::abs(s(0, 0)), 2e-3);
  EXPECT_LT(std::abs(s(1, 0) - std::exp(Complex(0, -beta * length))), 5e-3);
  const auto checks = check_scattering(s, solution.modes);
  EXPECT_LT(checks.power_balance, 1e-4);
  EXPECT_LT(checks.reciprocity, 1e-8);
}

TEST(PartiallyFilledPort, IsRefusedByAnAdaptiveSweep) {
  const Line line(two_media(2e-3, {4, 2, 1}, 1, b / 2));
  DrivenProblem problem(line.mesh, line.topology, slab_model(2.5, 1), {});
  EXPECT_THROW(fast_sweep(problem, {10e9, 11e9}, {}), InputError);
}

/// Hybrid modes are not orthogonal in L2; the port must keep several of them apart anyway.
TEST(PartiallyFilledPort, KeepsHybridModesApart) {
  const double f = 17e9, length = 5e-3;
  const Line line(two_media(length, {8, 4, 3}, 1, b / 2));
  DrivenProblem problem(line.mesh, line.topology, slab_model(4, 3), {});
  problem.analyse();
  const auto solution = problem.solve(f);
  const auto& s = solution.scattering.s;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(solution.modes[std::size_t(i)].propagates);
    for (int j = 0; j < 3; ++j) {
      const Complex expected = i == j ? std::exp(-solution.modes[std::size_t(i)].gamma * length) : 0.0;
      EXPECT_LT(std::abs(s(3 + i, j) - expected), 2e-2) << i << " " << j;
      EXPECT_LT(std::abs(s(i, j)), 2e-2) << i << " " << j;
    }
  }
  EXPECT_LT(check_scattering(s, solution.modes).power_balance, 1e-3);
}

/// A slab across: E_y only, k1 cot(k1 d) + k2 cot(k2 (a - d)) = 0, and a loss tangent by perturbation of it.
TEST(PartiallyFilledPort, AttenuatesInALossySlab) {
  const double f = 9e9, d = a / 2, eps = 2.2, k0 = 2 * pi * f / speed_of_light;
  const Line line(two_media(2e-3, {8, 2, 1}, 0, d));
  const auto beta_of = [&](double e) {
    return bisect(
        [&](double beta) {
          const double k1 = std::sqrt(e * k0 * k0 - beta * beta), square = k0 * k0 - beta * beta;
          const double k2 = std::sqrt(std::abs(square));
          return k1 / std::tan(k1 * d) +
                 (square > 0 ? k2 / std::tan(k2 * (a - d)) : k2 / std::tanh(k2 * (a - d)));
        },
        0.8 * k0, std::sqrt(e) * k0 * 0.9999);
  };
  const double loss = 0.01, step = 1e-3;
  const double alpha = loss * eps * (beta_of(eps + step) - beta_of(eps - step)) / (2 * step);
  const DrivenProblem problem(line.mesh, line.topology, slab_model(Complex(eps, -loss * eps), 1), {});
  const Complex gamma = problem.mode_states(f)[0].gamma;
  EXPECT_NEAR(gamma.imag() / beta_of(eps), 1, 1e-3);
  EXPECT_NEAR(gamma.real() / alpha, 1, 5e-3);
}

// ---- lumped ports: a parallel-plate line between metal (y) and magnetic (x) walls ----

struct Plates {
  double width = 4e-3, height = 2e-3, length = 15e-3;
  double impedance() const { return vacuum_impedance * height / width; }
  Line line() const {
    return Line(mesh::make_box({.hi = {width, height, length}, .blocks = {2, 1, 8}, .shuffle_seed = 2}));
  }
  Model model() const {
    Model model;
    model.order = 2;
    model.materials = {{.regions = {"volume"}}};
    model.boundaries = {{.regions = {"y0", "y1"}, .condition = pec_condition()},
                        {.regions = {"x0", "x1"}, .condition = pmc_condition()}};
    return model;
  }
};

PortModel lumped(const std::string& region, double resistance) {
  return {.region = region, .kind = lumped_port({.resistance = resistance, .direction = {{0, 1, 0}}})};
}

/// S of a line of impedance z between resistances r1, r2. Source: Pozar (2012), table 4.2 (ABCD to S).
std::array<Complex, 3> line_s(double z, Complex phase, double r1, double r2) {
  const Complex j(0, 1), a0 = std::cos(phase), b0 = j * z * std::sin(phase), c0 = j * std::sin(phase) / z;
  const Complex d = a0 * r2 + b0 + c0 * r1 * r2 + a0 * r1;
  return {(a0 * r2 + b0 - c0 * r1 * r2 - a0 * r1) / d, 2.0 * std::sqrt(r1 * r2) / d,
          (-a0 * r2 + b0 - c0 * r1 * r2 + a0 * r1) / d};
}

TEST(LumpedPort, TerminatesALineLikeAResistor) {
  const Plates plates;
  const Line line = plates.line();
  Model model = plates.model();
  model.ports = {lumped("z0", 50), lumped("z1", 75)};
  DrivenProblem problem(line.mesh, line.topology, model, {});
  problem.analyse();
  for (const double f : {1e9, 7e9}) {
    const auto solution = problem.solve(f);
    const auto& s = solution.scattering.s;
    const auto exact = line_s(plates.impedance(), 2 * pi * f / speed_of_light * plates.length, 50, 75);
    EXPECT_LT(std::abs(s(0, 0) - exact[0]), 1e-4) << f;
    EXPECT_LT(std::abs(s(1, 0) - exact[1]), 1e-4) << f;
    EXPECT_LT(std::abs(s(1, 1) - exact[2]), 1e-4) << f;
    EXPECT_LT(check_scattering(s, solution.modes).power_balance, 1e-6);
  }
}

/// A guide's own mode on one end: its impedance by definition, S renormalised and de-embedded.
TEST(LumpedPort, MeetsAModalPortOfTheSameLine) {
  const Plates plates;
  const Line line = plates.line();
  const double f = 5e9, shift = 6e-3, k = 2 * pi * f / speed_of_light;
  Model model = plates.model();
  model.ports = {lumped("z0", 50),
                 {.region = "z1", .deembed = shift, .kind = waveguide_port({.absorbed_modes = 1})}};
  DrivenProblem problem(line.mesh, line.topology, model, {});
  problem.analyse();
  const auto solution = problem.solve(f);
  const double z = plates.impedance();
  EXPECT_NEAR(solution.modes[1].impedance.real() / z, 1, 1e-9);
  const auto own = line_s(z, k * (plates.length - shift), 50, z);
  EXPECT_LT(std::abs(solution.scattering.s(0, 0) - own[0]), 1e-4);
  EXPECT_LT(std::abs(std::abs(solution.scattering.s(1, 0)) - std::abs(own[1])), 1e-4);
  EXPECT_LT(std::abs(solution.scattering.s(1, 1) - own[2]), 1e-4);
  const auto s = renormalized(solution.scattering.s, {50, solution.modes[1].impedance}, {75, 75});
  const auto exact = line_s(z, k * (plates.length - shift), 75, 75);
  EXPECT_LT(std::abs(s(0, 0) - exact[0]), 1e-4);
  EXPECT_LT(std::abs(s(1, 1) - exact[2]), 1e-4);
}

/// The plates with the named surface "middle" across the line at half of its length.
Line with_middle(const Plates& plates) {
  mesh::Mesh mesh = plates.line().mesh;
  const auto topology = mesh::build_topology(mesh);
  mesh::Region middle{"middle", {}};
  for (const auto& face : topology.faces) {
    bool inside = true;
    for (const Index v : face)
      inside = inside && std::abs(mesh.nodes[std::size_t(v)].z - plates.length / 2) < 1e-9;
    if (!inside) continue;
    middle.entities.push_back(mesh.num_triangles());
    mesh.triangles.insert(mesh.triangles.end(), face.begin(), face.end());
  }
  mesh.surfaces.push_back(middle);
  return Line(std::move(mesh));
}

/// A resistive sheet across a matched line is a shunt of R h/w.
TEST(Sheet, AcrossALineIsAShunt) {
  const Plates plates;
  const Line line = with_middle(plates);
  Model model = plates.model();
  const double z = plates.impedance(), sheet = 300, shunt = sheet * plates.height / plates.width;
  model.boundaries.push_back(
      {.regions = {"middle"}, .condition = law_condition(material::make_wall(Complex(sheet)))});
  model.ports = {lumped("z0", z), lumped("z1", z)};
  DrivenProblem problem(line.mesh, line.topology, model, {});
  problem.analyse();
  const auto s = problem.solve(3e9).scattering.s;
  EXPECT_NEAR(std::abs(s(0, 0)), z / (z + 2 * shunt), 1e-4);
  EXPECT_NEAR(std::abs(s(1, 0)), 2 * shunt / (z + 2 * shunt), 1e-4);
}

/// A lumped port inside the mesh sees both halves of the line.
TEST(LumpedPort, InsideTheMeshSeesBothSides) {
  const Plates plates;
  const Line line = with_middle(plates);
  Model model = plates.model();
  const double z = plates.impedance();
  model.ports = {lumped("z0", z), lumped("z1", z), lumped("middle", 50)};
  DrivenProblem problem(line.mesh, line.topology, model, {});
  problem.analyse();
  const auto solution = problem.solve(3e9);
  EXPECT_LT(std::abs(solution.scattering.s(2, 2) - (z / 2 - 50) / (z / 2 + 50)), 1e-4);
  EXPECT_LT(check_scattering(solution.scattering.s, solution.modes).power_balance, 1e-6);
}

TEST(LumpedPort, RefusesADirectionOutOfItsPlane) {
  const Plates plates;
  const Line line = plates.line();
  Model model = plates.model();
  model.ports = {{.region = "z0", .kind = lumped_port({.direction = {{0, 0, 1}}})}};
  EXPECT_THROW(DrivenProblem(line.mesh, line.topology, model, {}), InputError);
}

// ---- elements between the terminals of a lumped port and its gap ----

/// Chain matrices. Source: Pozar (2012), table 4.1; their S, table 4.2.
struct Chain {
  Complex a = 1, b = 0, c = 0, d = 1;

  static Chain series(Complex z) { return {1, z, 0, 1}; }
  static Chain shunt(Complex y) { return {1, 0, y, 1}; }
  static Chain line(double z, double phase) {
    return {std::cos(phase), Complex(0, z * std::sin(phase)), Complex(0, std::sin(phase) / z),
            std::cos(phase)};
  }
  Chain operator*(const Chain& o) const {
    return {a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d};
  }
  /// S11, S21 = S12 and S22 between resistances.
  std::array<Complex, 3> s(double r1, double r2) const {
    const Complex sum = a * r2 + b + c * r1 * r2 + d * r1;
    return {(a * r2 + b - c * r1 * r2 - d * r1) / sum, 2 * std::sqrt(r1 * r2) / sum,
            (-a * r2 + b - c * r1 * r2 + d * r1) / sum};
  }
};

class LoadedPort : public testing::Test {
 protected:
  static constexpr double r1 = 50, r2 = 75;
  const Plates plates_;
  const material::Circuit series_{20, 1.5e-9, 0.8e-12}, parallel_{400, 2e-9, 0.2e-12};

  /// All elements at the first port, some at the second. @param loss with the resistances
  Model model(bool loss) const {
    material::Circuit series = series_, parallel = parallel_;
    if (!loss) series.resistance = parallel.resistance = 0;
    Model model = plates_.model();
    const CurrentDirection up{{0, 1, 0}};
    model.ports = {
        {.region = "z0",
         .kind = lumped_port({.resistance = r1, .direction = up, .series = series, .parallel = parallel})},
        {.region = "z1", .kind = lumped_port({.resistance = r2, .direction = up, .series = series})}};
    return model;
  }
  std::array<Complex, 3> exact(double f, bool loss) const {
    const Complex w(0, 2 * pi * f);
    const Complex zs = (loss ? 20.0 : 0.0) + w * 1.5e-9 + 1.0 / (w * 0.8e-12),
                  yp = (loss ? 1 / 400.0 : 0.0) + w * 0.2e-12 + 1.0 / (w * 2e-9);
    const Chain line = Chain::line(plates_.impedance(), 2 * pi * f / speed_of_light * plates_.length);
    return (Chain::series(zs) * Chain::shunt(yp) * line * Chain::series(zs)).s(r1, r2);
  }
};

TEST_F(LoadedPort, HasTheScatteringOfTheCircuit) {
  const Line line = plates_.line();
  for (const bool loss : {false, true}) {
    EXPECT_EQ(model(loss).is_lossless(), !loss);
    DrivenProblem problem(line.mesh, line.topology, model(loss), {});
    problem.analyse();
    for (const double f : {1e9, 4e9, 7e9}) {
      const auto solution = problem.solve(f);
      const auto& s = solution.scattering.s;
      const auto expected = exact(f, loss);
      EXPECT_LT(std::abs(s(0, 0) - expected[0]), 1e-4) << f;
      EXPECT_LT(std::abs(s(1, 0) - expected[1]), 1e-4) << f;
      EXPECT_LT(std::abs(s(0, 1) - expected[1]), 1e-4) << f;
      EXPECT_LT(std::abs(s(1, 1) - expected[2]), 1e-4) << f;
      const double balance = check_scattering(s, solution.modes).power_balance;
      if (loss)
        EXPECT_GT(balance, 1e-2);
      else
        EXPECT_LT(balance, 1e-6);
      EXPECT_NEAR(solution.modes[0].impedance.real(), r1, 1e-12);
    }
  }
}

/// The gap of the second port, with its elements in series: V + Zs I = √(2R) S21, R I = -√(2R) S21. A current
/// on that gap that 1 W at its terminals makes leaves by the first port what that watt does.
TEST_F(LoadedPort, HasTheFieldsOfOneWattAtItsTerminals) {
  const Line line = plates_.line();
  DrivenProblem problem(line.mesh, line.topology, model(true), {});
  problem.analyse();
  const double f = 4e9;
  const auto alone = problem.solve(f);
  const auto n = std::size_t(problem.space().num_dofs());
  const auto loads = problem.loads(f);
  Complex gap = 0;
  for (std::size_t d = 0; d < n; ++d) gap += loads[n + d] * alone.x[d];
  const Complex w(0, 2 * pi * f), zs = 20.0 + w * 1.5e-9 + 1.0 / (w * 0.8e-12);
  const Complex expected = std::sqrt(2 * r2) * alone.scattering.s(1, 0) * (1.0 + zs / r2);
  EXPECT_LT(std::abs(gap / expected - 1.0), 1e-9);

  // a current 2a/(R + Zs) into the gap, √(2R) volts of incident wave
  const Complex current = 2 * std::sqrt(2 * r2) / (r2 + zs);
  std::vector<Complex> source(n);
  for (std::size_t d = 0; d < n; ++d) source[d] = w * vacuum_permeability * current * loads[n + d];
  const auto driven = problem.solve(f, source);
  EXPECT_LT(std::abs(driven.source_waves(0, 0) / alone.scattering.s(0, 1) - 1.0), 1e-9);
}

/// Half of the line behind a magnetic plane has the S of the full line, also with circuit elements; a reduced
/// model contains their frequency dependence.
TEST_F(LoadedPort, OfHalfAStructureIsThatOfTheWhole) {
  Plates half = plates_;
  half.width /= 2;
  const Line line = half.line();
  Model cut = model(true);
  cut.mirrors = {{{1, 0, 0}, 0, false}};
  DrivenProblem problem(line.mesh, line.topology, cut, {});
  problem.analyse();
  FastSweepOptions options;
  options.tolerance = 1e-4;
  const auto swept = fast_sweep(problem, {2e9, 3e9, 4e9, 5e9, 6e9}, options);
  for (const auto& solution : swept.solutions) {
    const auto expected = exact(solution.frequency, true);
    EXPECT_LT(std::abs(solution.scattering.s(0, 0) - expected[0]), 3e-4) << solution.frequency;
    EXPECT_LT(std::abs(solution.scattering.s(1, 0) - expected[1]), 3e-4) << solution.frequency;
  }
}

// ---- lumped elements ----

struct Element {
  const char* keys;
  Complex (*impedance)(Complex s);  ///< s = jω
};
const Element elements[] = {
    {"resistance = 30\ninductance = 2e-9\ncapacitance = 1e-12\n",
     [](Complex s) { return 30.0 + s * 2e-9 + 1.0 / (s * 1e-12); }},
    {"resistance = 120\ninductance = 2e-9\ncapacitance = 1e-12\nconnection = \"parallel\"\n",
     [](Complex s) { return 1.0 / (1 / 120.0 + 1.0 / (s * 2e-9) + s * 1e-12); }},
    {"capacitance = 0.5e-12\n", [](Complex s) { return 1.0 / (s * 0.5e-12); }},
};

BoundaryCondition lumped_element(const std::string& region, const std::string& keys) {
  return {{region},
          read_condition(io::Config::parse("type = \"lumped\"\ndirection = \"y\"\n" + keys, "e.toml"), 1)};
}

/// Γ = (Zin - R)/(Zin + R) of a line that ends in Z. Source: Pozar (2012), equation (2.44).
TEST(LumpedElement, EndsALineByItsImpedance) {
  const Plates plates;
  const Line line = plates.line();
  for (const Element& element : elements) {
    Model model = plates.model();
    model.boundaries.push_back(lumped_element("z1", element.keys));
    model.ports = {lumped("z0", 50)};
    DrivenProblem problem(line.mesh, line.topology, model, {});
    problem.analyse();
    for (const double f : {0.5e9, 3.3e9, 7e9}) {
      const double z0 = plates.impedance();
      const Complex jt(0, std::tan(2 * pi * f / speed_of_light * plates.length));
      const Complex z = element.impedance(Complex(0, 2 * pi * f)), in = z0 * (z + z0 * jt) / (z0 + z * jt);
      EXPECT_LT(std::abs(problem.solve(f).scattering.s(0, 0) - (in - 50.0) / (in + 50.0)), 2e-4)
          << element.keys << f;
    }
  }
}

/// Inside of the mesh it is a shunt: S11 = -z0/(z0 + 2Z), S21 = 2Z/(z0 + 2Z). Half of the line with a
/// magnetic plane of symmetry has the S of the whole.
TEST(LumpedElement, AcrossALineIsAShuntOfTheWholeStructure) {
  Plates plates;
  const double z0 = plates.impedance(), f = 3e9;
  const Complex z = elements[0].impedance(Complex(0, 2 * pi * f));
  for (const bool half : {false, true}) {
    Model model = plates.model();
    if (half) plates.width /= 2, model.mirrors = {{{1, 0, 0}, 0, false}};
    const Line line = with_middle(plates);
    model.boundaries.push_back(lumped_element("middle", elements[0].keys));
    model.ports = {lumped("z0", z0), lumped("z1", z0)};
    DrivenProblem problem(line.mesh, line.topology, model, {});
    problem.analyse();
    const auto s = problem.solve(f).scattering.s;
    EXPECT_LT(std::abs(std::abs(s(0, 0)) - std::abs(z0 / (z0 + 2.0 * z))), 1e-4) << half;
    EXPECT_LT(std::abs(s(1, 0) / s(0, 0) + 2.0 * z / z0), 1e-3) << half;
  }
}

/// A line of length d, shorted at one end, with R and C side by side at the other: Y + 1/(jz0 tan kd) = 0.
TEST(LumpedElement, TunesAndDampsAResonator) {
  const Plates plates;
  const Line line = plates.line();
  Model model = plates.model();
  model.boundaries[0].regions.push_back("z0");
  model.boundaries.push_back(
      lumped_element("z1", "resistance = 2e3\ncapacitance = 0.3e-12\nconnection = \"parallel\"\n"));
  EXPECT_FALSE(model.is_lossless());
  Complex k = 50;  // Newton
  const auto equation = [&](Complex at) {
    const Complex s = Complex(0, speed_of_light) * at;
    return (1 / 2e3 + s * 0.3e-12) * Complex(0, plates.impedance()) * std::sin(at * plates.length) +
           std::cos(at * plates.length);
  };
  for (int i = 0; i < 30; ++i) k -= equation(k) * 1e-4 / (equation(k + 1e-4) - equation(k));
  const auto space = make_space(line.mesh, line.topology, model.order, pec_triangles(model, line.mesh));
  const auto modes = nonlinear_modes(space, model, {.modes = 1, .target = 0, .direct = {}},
                                     0.7 * k.real() * speed_of_light / (2 * pi), nullptr);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_GT(k.imag(), 0.1);
  EXPECT_LT(std::abs(std::sqrt(modes[0].square) / k - 1.0), 1e-4);
}

TEST(LumpedElement, RefusesWhatIsNone) {
  EXPECT_THROW(lumped_element("z1", ""), InputError);
  EXPECT_THROW(lumped_element("z1", "resistance = -1\n"), InputError);
  EXPECT_THROW(lumped_element("z1", "resistance = 50\nconnection = \"star\"\n"), InputError);
  const Plates plates;
  const Line line = plates.line();
  for (const char* direction : {"x", "z"}) {  // to magnetic walls, out of the plane
    Model model = plates.model();
    model.ports = {lumped("z0", 50)};
    model.boundaries.push_back(
        {{"z1"},
         read_condition(
             io::Config::parse(
                 fmt::format("type = \"lumped\"\nresistance = 50\ndirection = \"{}\"\n", direction),
                 "e.toml"),
             1)});
    EXPECT_THROW(DrivenProblem(line.mesh, line.topology, model, {}), InputError) << direction;
  }
}

}  // namespace
}  // namespace curlew::fem
