// SPDX-License-Identifier: BSD-3-Clause
// em-bench ie: whole solves by surface equations, on spheres of growing size and of finer and finer cells.
#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/timer.hpp"
#include "base/wavenumber.hpp"
#include "bench/cases.hpp"
#include "fields/far_field.hpp"
#include "icosphere.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/sources/excitation.hpp"
#include "ie/surface/surface_equation.hpp"

namespace curlew::bench {
namespace {

double sum_of(const std::vector<std::pair<std::string, double>>& seconds) {
  double sum = 0;
  for (const auto& [name, s] : seconds) sum += s;
  return sum;
}

double step(const std::vector<std::pair<std::string, double>>& seconds, const std::string& wanted) {
  for (const auto& [name, s] : seconds)
    if (name == wanted) return s;
  return 0;
}

/// Slope of log y in log x from the first to the last point.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  return std::log(y.back() / y.front()) / std::log(x.back() / x.front());
}

/// A conducting sphere of 20 n^2 triangles, ten edges per wavelength.
ie::Problem sphere(int n) {
  const auto soup = mesh::icosphere(n, 1.0);
  ie::Problem p;
  p.mesh = ie::make_surface_mesh("sphere", soup.nodes, soup.triangles,
                                 std::vector<int>(soup.triangles.size(), 0), {"sphere"});
  p.surfaces.emplace_back();
  p.frequency = speed_of_light / (10 * ie::edge_lengths(p.mesh).mean);
  return p;
}

/// @param sizes edges along a side of the icosahedron: 30 n^2 unknowns
void spheres(const Options& options, const std::vector<int>& sizes, Report& report) {
  report.table("CFIE on spheres, ten edges per wavelength, tolerances 1e-3 (sums) and 1e-3 (GMRES, jacobi)",
               {"unknowns, k a", "set-up s", "iterations", "s/iteration", "NGIM s", "tests, corrections s",
                "GB", "residual", "extinction/(2 pi a^2)"});
  ie::SolveOptions o;
  o.direct = false, o.accelerated = true, o.acceleration_tolerance = 1e-3;
  o.preconditioner = ie::Preconditioner::jacobi;
  o.krylov = {.method = linalg::KrylovMethod::gmres, .tolerance = 1e-3, .max_iterations = 60, .restart = 60};
  o.device = options.device;
  std::vector<double> unknowns, seconds, bytes;
  const bool gpu = options.device == Device::cuda;
  for (const int n : sizes) {
    if (!gpu && n > 40) break;  // minutes on a few cores
    Timer timer;
    const ie::System system(sphere(n), ie::accuracy_for_sums);
    const ie::PlaneWave wave{pi, 0, pi};
    auto x = ie::right_hand_side(system, wave);
    const double basis = timer.seconds();
    const auto r = ie::solve(ie::SurfaceEquation(system), o, x, 1);
    const double per_iteration = r.krylov[0].seconds / double(r.iterations);
    const double k = system.scene().regions[0].k.real();
    const double extinction = ie::extinction(system, x.data(), wave);
    report.row({fmt::format("{}, {:.0f}", system.num_unknowns(), k), basis + r.fill_seconds, r.iterations,
                per_iteration, step(r.product, "NGIM"), sum_of(r.product) - step(r.product, "NGIM"),
                1e-9 * double(r.bytes), r.residual, extinction / (2 * pi)});
    unknowns.push_back(double(system.num_unknowns())), seconds.push_back(per_iteration);
    bytes.push_back(double(r.bytes));
  }
  report.note(
      fmt::format("growth with the unknowns N: seconds of an iteration as N^{:.3f}, bytes as N^{:.3f}",
                  slope(unknowns, seconds), slope(unknowns, bytes)));
}

void fine_surfaces(const Options& options, Report& report) {
  report.table("Conducting sphere, EFIE, GMRES to 1e-4, sums to 1e-4: iterations against the cells",
               {"unknowns, k a, preconditioner", "iterations", "set-up s", "s/iteration", "residual",
                "back/(pi a^2 (k a)^4)"});
  using Kind = ie::Preconditioner;
  struct Row {
    int divisions;
    double ka;
    Kind kind;
    const char* name;
  };
  std::vector<Row> rows;
  const bool gpu = options.device == Device::cuda;
  const std::vector<int> sizes = gpu ? std::vector<int>{10, 18, 32, 58, 100} : std::vector<int>{6, 10, 18};
  for (const int n : sizes)
    for (const double ka : {1e-3, 1.0}) rows.push_back({n, ka, Kind::loop_star, "loop_star"});
  for (const int n : gpu ? std::vector<int>{10, 18, 32} : std::vector<int>{6, 10})
    rows.push_back({n, 1.0, Kind::near, "near"});
  ie::SolveOptions o;
  o.direct = false, o.accelerated = true, o.acceleration_tolerance = 1e-4, o.device = options.device;
  o.krylov = {
      .method = linalg::KrylovMethod::gmres, .tolerance = 1e-4, .max_iterations = 200, .restart = 200};
  for (const auto& row : rows) {
    Timer timer;
    ie::Problem problem = sphere(row.divisions);
    problem.equation = ie::Equation::efie, problem.frequency = frequency_of(row.ka);
    const ie::System system(std::move(problem), ie::accuracy_for_sums);
    const ie::PlaneWave wave{pi, 0, pi};
    auto x = ie::right_hand_side(system, wave);
    const double basis = timer.seconds();
    o.preconditioner = row.kind;
    const auto r = ie::solve(ie::SurfaceEquation(system), o, x, 1);
    const fields::Direction towards_the_source[] = {{pi, 0}};
    const auto far = fields::far_field(ie::outer_points(system), ie::outer_currents(system, x.data(), 1),
                                       towards_the_source, {row.ka});
    const double back = std::norm(far.e_theta[0]) + std::norm(far.e_phi[0]);
    report.row({fmt::format("{}, {:g}, {}", system.num_unknowns(), row.ka, row.name), r.iterations,
                basis + r.fill_seconds, r.krylov[0].seconds / double(r.iterations), r.residual,
                4 * back / std::pow(row.ka, 4)});
  }
}

}  // namespace

void ie(const Options& options, Report& report) {
  if (wants(options, "fine")) fine_surfaces(options, report);
  if (wants(options, "sphere")) spheres(options, {18, 32, 58, 100, 183, 317}, report);
}

}  // namespace curlew::bench
