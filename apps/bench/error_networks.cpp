// SPDX-License-Identifier: BSD-3-Clause
// Networks whose answers are series or chain matrices: steps, tees and bends of a guide, lossy blocks,
// periodic cells, lines between lumped ports.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "bench/network_errors.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/periodic/floquet_port.hpp"
#include "fem/ports/lumped_port.hpp"
#include "mesh/box.hpp"
#include "mode_matching.hpp"
#include "periodic_cell.hpp"

namespace curlew::bench {
namespace {

constexpr double width = 22.86e-3, height = 10.16e-3, length = 30e-3;  // [m]

/// S11, S21, S22 in the lower triangle.
Eigen::Matrix2cd two_port(Complex s11, Complex s21, Complex s22) {
  Eigen::Matrix2cd s;
  s << s11, 0, s21, s22;
  return s;
}

/// ABCD of lengths of line one after the other, and S between resistances. Source: Pozar (2012),
/// sections 4.4, 2.5.
struct Chain {
  Complex a = 1, b = 0, c = 0, d = 1;
  Chain line(Complex z, Complex phase) const {
    const Complex co = std::cos(phase), s = Complex(0, 1) * std::sin(phase);
    return {a * co + b * s / z, a * z * s + b * co, c * co + d * s / z, c * z * s + d * co};
  }
  Eigen::Matrix2cd scattering(Complex r1, Complex r2) const {
    const Complex sum = a * r2 + b + c * r1 * r2 + d * r1;
    return two_port((a * r2 + b - c * r1 * r2 - d * r1) / sum, 2.0 * std::sqrt(r1 * r2) / sum,
                    (-a * r2 + b - c * r1 * r2 + d * r1) / sum);
  }
};

/// Three layers with faces at `lo` and `hi`, between resistances, or waves of the outer ones.
/// @param of phase constant [1/m] and impedance of a medium
template <class Medium>
Eigen::Matrix2cd layers(double lo, double hi, double all, Complex slab, const Medium& of,
                        std::array<Complex, 2> loads) {
  const auto [k0, z0] = of(Complex(1));
  const auto [k1, z1] = of(slab);
  return Chain()
      .line(z0, k0 * lo)
      .line(z1, k1 * (hi - lo))
      .line(z0, k0 * (all - hi))
      .scattering(loads[0], loads[1]);
}

struct Wave {
  Complex k, z;
};

mesh::Mesh layered(const mesh::Box& box, double lo, double hi) {
  auto mesh = mesh::make_box(box);
  test::split_volume(mesh, "slab", [&](Vec3<double> x) { return x.z > lo && x.z < hi; });
  return mesh;
}

fem::Model layered_model(int order, Complex slab) {
  fem::Model model;
  model.order = order;
  model.materials = {{.regions = {"volume"}}, {.regions = {"slab"}, .epsilon_r = slab}};
  return model;
}

std::string title(const std::string& what, double f, int n) {
  return fmt::format("{}, {:.1f} GHz, mesh {}", what, 1e-9 * f, n);
}

}  // namespace

std::vector<BarredResult> compare_scattering(const mesh::Mesh& mesh, const fem::Model& model, double f,
                                             const Eigen::MatrixXcd& exact) {
  const auto topology = mesh::build_topology(mesh);
  fem::DrivenProblem problem(mesh, topology, model, {});
  problem.analyse();
  const auto solution = problem.solve(f);
  const auto& s = solution.scattering.s;
  const auto shape = fem::shape_variant(mesh, topology, model);
  const auto* moved = shape ? &*shape : nullptr;
  std::vector<std::pair<std::string, fem::ScatteringError>> all{
      {"", fem::scattering_errors(mesh, topology, model, {}, moved, {f}, {{f, {s}}}).front()}};
  if (fem::no_residual_error(problem).empty())
    all.emplace_back(" by residuals",
                     fem::residual_errors(problem, {solution}, {solution}, {.shape = moved}).front());
  std::vector<BarredResult> results;
  for (const auto& [how, bars] : all)
    for (Eigen::Index j = 0; j < exact.cols(); ++j)
      for (Eigen::Index i = j; i < exact.rows(); ++i)
        if (exact(i, j) != 0.0)
          results.push_back(
              {fmt::format("S{}{}{}", i + 1, j + 1, how),
               std::min(std::abs(s(i, j) - exact(i, j)), i == j ? 2.0 : std::abs(s(i, j) + exact(i, j))),
               bars.s(i, j)});
  return results;
}

mesh::Mesh carve(const mesh::Mesh& box, const std::function<bool(Vec3<double>)>& is_kept,
                 const std::function<std::string(Vec3<double>, bool)>& name) {
  const auto topology = mesh::build_topology(box);
  const auto middle = [&](std::span<const Index> vertices) {
    Vec3<double> sum{};
    for (const Index v : vertices) sum += (1.0 / double(vertices.size())) * box.nodes[std::size_t(v)];
    return sum;
  };
  const auto keeps = [&](Index c) { return c >= 0 && is_kept(middle({box.cell(c), 4})); };
  mesh::Mesh mesh;
  mesh.name = "carved", mesh.nodes = box.nodes;
  mesh.volumes = {{"rest", {}}};
  for (Index c = 0; c < box.num_cells(); ++c) {
    if (!keeps(c)) continue;
    mesh.volumes[0].entities.push_back(mesh.num_cells());
    mesh.cells.insert(mesh.cells.end(), box.cell(c), box.cell(c) + 4);
  }
  for (std::size_t f = 0; f < topology.faces.size(); ++f) {
    const int kept = int(keeps(topology.face_cells[f][0])) + int(keeps(topology.face_cells[f][1]));
    const auto own = kept == 0 ? std::string() : name(middle(topology.faces[f]), kept == 1);
    if (own.empty()) continue;
    auto region = std::ranges::find(mesh.surfaces, own, &mesh::Region::name);
    if (region == mesh.surfaces.end()) region = mesh.surfaces.insert(region, {own, {}});
    region->entities.push_back(mesh.num_triangles());
    mesh.triangles.insert(mesh.triangles.end(), topology.faces[f].begin(), topology.faces[f].end());
  }
  return mesh;
}

fem::Model carved_model(int order, const std::vector<std::string>& ports) {
  fem::Model model;
  model.order = order;
  model.materials = {{.regions = {"rest"}}};
  model.boundaries = {{.regions = {"metal"}, .condition = fem::pec_condition()}};
  for (const auto& region : ports) model.ports.push_back({.region = region, .excite = region == ports[0]});
  return model;
}

std::vector<ErrorCase> step_cases() {
  const auto solve = [](double gap, int n, int order, double f) {
    const double half = 0.5 * length;
    const auto mesh = carve(
        mesh::make_box({.hi = {width, height, length}, .blocks = {8 * n, n, 4 * n}}),
        [&](Vec3<double> at) { return at.z < half || std::abs(at.x - 0.5 * width) < 0.5 * gap; },
        [&](Vec3<double> at, bool is_end) -> std::string {
          if (!is_end) return "";
          return at.z < 1e-9 ? "z0" : at.z > length - 1e-9 ? "z1" : "metal";
        });
    const auto step = reference::Guide(width, f, 200).step(gap);
    const Complex wide = reference::Guide(width, f, 1).gamma()[0],
                  narrow = reference::Guide(gap, f, 1).gamma()[0];
    return compare_scattering(
        mesh, carved_model(order, {"z0", "z1"}), f,
        two_port(step.s11(0, 0) * std::exp(-2.0 * wide * half),
                 step.s21(0, 0) * std::sqrt(narrow / wide) * std::exp(-(wide + narrow) * half),
                 step.s22(0, 0) * std::exp(-2.0 * narrow * half)));
  };
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3})
    for (const auto& [share, n] : {std::pair{0.75, 1}, {0.75, 2}, {0.875, 2}})
      for (const double f : {10e9, 10.8e9, 11.6e9, 12.4e9})
        cases.push_back({title(fmt::format("step to {:g} of the width", share), f, n), order,
                         order == 2 && n == 1 && f == 10e9,
                         [=, share = share, n = n] { return solve(share * width, n, order, f); }});
  return cases;
}

std::vector<ErrorCase> tee_cases() {
  const auto solve = [](bool is_bend, int n, int order, double f) {
    const double arm = 0.5 * width, far = arm + width, end = is_bend ? far : far + arm;
    const auto mesh = carve(
        mesh::make_box({.hi = {far, height, end}, .blocks = {6 * n, n, (is_bend ? 6 : 8) * n}}),
        [&](Vec3<double> at) { return at.x < width || (at.z > arm && at.z < far); },
        [&](Vec3<double> at, bool is_end) -> std::string {
          if (!is_end) return "";
          if (at.x > far - 1e-9) return "x1";
          return at.z < 1e-9 ? "z0" : at.z > end - 1e-9 && !is_bend ? "z1" : "metal";
        });
    const Complex gamma = reference::Guide(width, f, 1).gamma()[0];
    return compare_scattering(mesh,
                              carved_model(order, is_bend ? std::vector<std::string>{"z0", "x1"}
                                                          : std::vector<std::string>{"z0", "z1", "x1"}),
                              f, reference::junction(width, f, is_bend) * std::exp(-2.0 * gamma * arm));
  };
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3})
    for (const bool is_bend : {false, true})
      for (const int n : {1, 2})
        for (const double f : {8.2e9, 8.8e9, 9.4e9, 10e9, 10.6e9, 11.2e9})
          cases.push_back({title(is_bend ? "H-plane bend" : "H-plane tee", f, n), order,
                           order == 2 && n == 1 && f == 10e9, [=] { return solve(is_bend, n, order, f); }});
  return cases;
}

std::vector<ErrorCase> block_cases() {
  constexpr double lo = 7.5e-3, hi = 15e-3;
  const auto solve = [](Complex slab, int n, int order, double f) {
    auto model = layered_model(order, slab);
    model.boundaries = {{.regions = {"x0", "x1", "y0", "y1"}, .condition = fem::pec_condition()}};
    model.ports = {{.region = "z0", .excite = true}, {.region = "z1"}};
    const auto guide = [&](Complex epsilon) {
      const Complex k = std::sqrt(std::pow(wavenumber(f), 2) * epsilon - std::pow(pi / width, 2));
      return Wave{k, 1.0 / k};  // TE: impedance in proportion to 1/k
    };
    const Complex z = guide(1).z;
    return compare_scattering(
        layered({.hi = {width, height, length}, .blocks = {3 * n, n + 1, 4 * n}, .shuffle_seed = 7}, lo, hi),
        model, f, layers(lo, hi, length, slab, guide, {z, z}));
  };
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3})
    for (const Complex slab : {Complex(10, -5), Complex(2, -2), Complex(6, -0.6)})
      for (const int n : {1, 2})
        for (const double f : {8.2e9, 12.4e9})
          cases.push_back({title(fmt::format("lossy block {:g}{:+g}j", slab.real(), slab.imag()), f, n),
                           order, order == 2 && n == 1 && f < 1e10 && slab.real() == 2,
                           [=] { return solve(slab, n, order, f); }});
  return cases;
}

std::vector<ErrorCase> cell_cases() {
  constexpr double f = speed_of_light, lo = 0.2, hi = 0.4, all = 0.6;  // a wavelength of 1 m
  const auto solve = [](Complex slab, double degrees, int n, int order) {
    const double theta = degrees * pi / 180, phi = 25 * pi / 180, across = std::sin(theta);
    test::PeriodicCell cell(
        layered({.hi = {0.3, 0.25, all}, .blocks = {n, n, 3 * n}, .shuffle_seed = 11}, lo, hi), "xy");
    auto& periodicity = cell.periodicity;
    periodicity.arrival = {across * std::cos(phi), across * std::sin(phi), std::cos(theta)};
    periodicity.theta_direction = {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -across};
    periodicity.highest_frequency = f;
    auto model = layered_model(order, slab);
    model.periodicity = periodicity;
    for (const char* side : {"z1", "z0"})
      model.ports.push_back({.region = side, .kind = fem::floquet_port({.modes = 2, .absorbed_modes = 4})});
    Eigen::Matrix4cd exact = Eigen::Matrix4cd::Zero();  // first side TE, TM, then second
    for (const bool is_te : {true, false}) {
      const auto wave = [&](Complex epsilon) {
        const Complex k = std::sqrt(epsilon - across * across);
        return Wave{2 * pi * k, is_te ? 1.0 / k : k / epsilon};
      };
      const Complex z = wave(1).z;
      const auto s = layers(all - hi, all - lo, all, slab, wave, {z, z});  // from the side z1
      const int m = is_te ? 0 : 1;
      exact(m, m) = s(0, 0), exact(m + 2, m) = s(1, 0), exact(m + 2, m + 2) = s(1, 1);
    }
    return compare_scattering(cell.mesh, model, f, exact);
  };
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3})
    for (const Complex slab : {Complex(2.5), Complex(4, -1), Complex(9)})
      for (const double theta : {0.0, 30.0, 60.0})
        for (const int n : {1, 2})
          cases.push_back({fmt::format("cell, slab {:g}{:+g}j, {:g} degrees, mesh {}", slab.real(),
                                       slab.imag(), theta, n),
                           order, order == 2 && n == 1 && theta == 30 && slab.imag() != 0,
                           [=] { return solve(slab, theta, n, order); }});
  return cases;
}

std::vector<ErrorCase> lumped_cases() {
  constexpr double lo = 7.5e-3, hi = 15e-3, across = 8e-3, gap = 4e-3;
  const auto solve = [](std::array<double, 2> r, int n, int order, double f) {
    const Complex slab(3, -0.3);
    auto model = layered_model(order, slab);
    model.boundaries = {{.regions = {"y0", "y1"}, .condition = fem::pec_condition()},
                        {.regions = {"x0", "x1"}, .condition = fem::pmc_condition()}};
    for (const int i : {0, 1})
      model.ports.push_back(
          {.region = i == 0 ? "z0" : "z1",
           .excite = i == 0,
           .kind = fem::lumped_port({.resistance = r[std::size_t(i)], .direction = {{0, 1, 0}}})});
    const auto plates = [&](Complex epsilon) {
      const Complex index = std::sqrt(epsilon);
      return Wave{wavenumber(f) * index, vacuum_impedance * gap / across / index};
    };
    return compare_scattering(layered({.hi = {across, gap, length}, .blocks = {2 * n, n, 4 * n}}, lo, hi),
                              model, f, layers(lo, hi, length, slab, plates, {r[0], r[1]}));
  };
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3})
    for (const auto& r : {std::array{50.0, 75.0}, {150.0, 400.0}})
      for (const int n : {1, 2})
        for (const double f : {1e9, 3e9, 6e9})
          cases.push_back({title(fmt::format("lumped ports of {:g} and {:g} ohm", r[0], r[1]), f, n), order,
                           order == 2 && n == 1 && f == 3e9, [=] { return solve(r, n, order, f); }});
  return cases;
}

}  // namespace curlew::bench
