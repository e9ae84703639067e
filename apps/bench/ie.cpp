// SPDX-License-Identifier: BSD-3-Clause
// em-bench ie: whole solves by integral equations. Spheres of growing size, and the two structures of
// section 19.6 of Li, Chang and Lomakin's chapter with its figures beside (GTX 280 and i7-920).
#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/timer.hpp"
#include "bench/cases.hpp"
#include "bench/ie_problems.hpp"
#include "fields/sphere_rule.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/results/radiating_points.hpp"
#include "ie/results/reaction_power.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/volume/volume_system.hpp"

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

/// @param sizes edges along a side of the icosahedron: 30 n^2 unknowns
void spheres(const Options& options, const std::vector<int>& sizes, Report& report) {
  report.table("CFIE on spheres, ten edges a wavelength, tolerances 1e-3 (sums) and 1e-3 (GMRES, jacobi)",
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

/// Radiated power of currents like the field of a wave by the sphere of directions and by the reaction.
void powers(const Options& options, const std::vector<int>& sizes, Report& report) {
  report.table("Power of the currents of two waves on spheres, ten edges a wavelength",
               {"unknowns, k a", "pairs of points and directions", "sphere s", "reaction s",
                "reaction/sphere - 1", "the same, other wave"});
  for (const int n : sizes) {
    const ie::System system(sphere(n));
    auto x = ie::right_hand_side(system, ie::PlaneWave{pi, 0, pi});
    const auto other = ie::right_hand_side(system, ie::PlaneWave{pi, 0, pi / 2});
    x.insert(x.end(), other.begin(), other.end());
    const auto points = ie::radiating_points(system);
    const ie::FarFields far(points, options.device);
    Timer timer;
    const auto exact = far.powers_on_sphere(x.data(), 2);
    const double sphere_seconds = timer.seconds();
    timer.restart();
    const auto power = ie::reaction_power(points, x.data(), 2, options.device);
    const double k = points.k;  // the radius is 1
    report.row({fmt::format("{}, {:.0f}", system.num_unknowns(), k),
                double(fields::sphere_rule_size(k)) * double(points.points.size()), sphere_seconds,
                timer.seconds(), power[0] / exact[0] - 1, power[1] / exact[1] - 1});
  }
}

struct Chapter {
  int iterations;
  double per_iteration, set_up;  ///< [s]
};

void solve_and_report(const std::string& name, const ie::MixedPotentialSystem& system, double basis,
                      const ie::SolveOptions& o, const ie::Field& wave, const Chapter& chapter,
                      Report& report) {
  auto x = ie::test_field(system, wave);
  const auto r = ie::solve(chapter_equation(system), o, x, 1);
  const auto& krylov = r.krylov[0];
  report.row({fmt::format("{}, {}", name, linalg::name_of(o.krylov.method)), long(system.num_unknowns()),
              krylov.iterations, chapter.iterations, r.solve_seconds / krylov.iterations,
              chapter.per_iteration, basis + r.fill_seconds, chapter.set_up, r.solve_seconds,
              sum_of(r.product), krylov.relative_residual});
}

const std::vector<std::string> structure_columns = {"case",          "unknowns",  "iterations", "chapter's",
                                                    "s/iteration",   "chapter's", "set-up s",   "chapter's",
                                                    "iterations' s", "s/product", "residual"};

void resonator_ring(const Options& options, Report& report) {
  report.table("12 dielectric resonators, eps_r 12 (figure 19.7)", structure_columns);
  Timer timer;
  const auto mesh = options.device == Device::cuda ? resonators(24, 5) : resonators(6, 2);
  const auto basis =
      ie::make_swg(mesh, mesh::build_topology(mesh), std::vector<bool>(std::size_t(mesh.num_cells()), true));
  const auto system =
      ie::make_volume_system(basis, std::vector<Complex>(basis.cells.size(), 12.0), wavenumber);
  auto o = chapter_options(options.device);
  o.krylov.method = linalg::KrylovMethod::tfqmr;
  solve_and_report(fmt::format("{} tetrahedra", mesh.num_cells()), system, timer.seconds(), o,
                   wave_of_1um({1, 0, 0}, {0, 1, 0}), {17, 4.7, 4.7}, report);
}

void films(const Options& options, Report& report) {
  report.table("4 perforated gold films of 20 nm (figure 19.8), charges", structure_columns);
  Timer timer;
  const auto system = film_system(options.device == Device::cuda ? 230 : 30);
  const double basis = timer.seconds();
  auto o = chapter_options(options.device);
  o.preconditioner = ie::Preconditioner::charges;
  o.krylov.max_iterations = 1500, o.krylov.restart = 400;
  for (const auto method :
       {linalg::KrylovMethod::gmres, linalg::KrylovMethod::cocr, linalg::KrylovMethod::tfqmr}) {
    o.krylov.method = method;
    solve_and_report("films", system, basis, o, film_wave(), {300, 5, NAN}, report);
  }
}

}  // namespace

void ie(const Options& options, Report& report) {
  const auto wanted = [&](const char* name) { return wants(options, name); };
  if (wanted("resonators")) resonator_ring(options, report);
  if (wanted("films")) films(options, report);
  if (wanted("meshes")) film_meshes(options, report);
  if (wanted("sweep")) sweep(options, report);
  if (wanted("fine")) fine_surfaces(options, report);
  if (wanted("sphere")) spheres(options, {18, 32, 58, 100, 183, 317}, report);
  if (options.case_name == "powers")
    powers(options, options.device == Device::cuda ? std::vector{58, 113, 226} : std::vector{32, 58, 113},
           report);
  if (options.case_name == "large sphere") spheres(options, {183, 577}, report);  // 10 million
}

}  // namespace curlew::bench
