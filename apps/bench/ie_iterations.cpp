// SPDX-License-Identifier: BSD-3-Clause
// Numbers of iterations: their causes on the chapter's films, and the savings by earlier incidences.
#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/timer.hpp"
#include "base/wavenumber.hpp"
#include "bench/ie_problems.hpp"
#include "fields/far_field.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/surface/surface_equation.hpp"

namespace curlew::bench {

void film_meshes(const Options& options, Report& report) {
  report.table(
      "Films: iterations to 1e-3 by the number of cells (2000 and more: not converged)",
      {"cells a side, unknowns", "k h", "tfqmr jacobi", "gmres jacobi", "tfqmr charges", "gmres charges"});
  using Method = linalg::KrylovMethod;
  for (const int n : {15, 30, 60, 120}) {
    if (options.device == Device::cpu && n > 30) break;
    const auto system = film_system(n);
    const auto b = ie::test_field(system, film_wave());
    std::vector<nlohmann::json> row{fmt::format("{}, {}", n, system.num_unknowns()), wavenumber * 1e-6 / n};
    for (const auto preconditioner : {ie::Preconditioner::jacobi, ie::Preconditioner::charges}) {
      for (const auto method : {Method::tfqmr, Method::gmres}) {
        auto o = chapter_options(options.device);
        o.preconditioner = preconditioner;
        o.krylov.method = method, o.krylov.max_iterations = 2000, o.krylov.restart = 400;
        auto x = b;
        row.emplace_back(ie::solve(chapter_equation(system), o, x, 1).krylov[0].iterations);
      }
    }
    report.row(row);
  }
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
  for (const int n : gpu ? std::vector<int>{10, 18, 32} : std::vector<int>{6, 10}) {
    rows.push_back({n, 1.0, Kind::near, "near"});
    if (n < 20) rows.push_back({n, 1.0, Kind::loop_tree, "loop_tree"});
  }
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

void sweep(const Options& options, Report& report) {
  report.table("Monostatic sweep, 61 incidences over 60 degrees, CFIE to 1e-4 (GMRES, jacobi)",
               {"unknowns", "recycled starts", "iterations", "the same, last 20 incidences", "s"});
  ie::SolveOptions o;
  o.direct = false, o.accelerated = true, o.acceleration_tolerance = 1e-4;
  o.preconditioner = ie::Preconditioner::jacobi;
  o.krylov = {
      .method = linalg::KrylovMethod::gmres, .tolerance = 1e-4, .max_iterations = 200, .restart = 200};
  o.device = options.device;
  const ie::System system(sphere(options.device == Device::cuda ? 18 : 8), ie::accuracy_for_sums);
  std::vector<Complex> waves;
  for (int degree = 0; degree <= 60; ++degree) {
    const auto b = ie::right_hand_side(system, ie::PlaneWave{degree * pi / 180, 0.3, 0});
    waves.insert(waves.end(), b.begin(), b.end());
  }
  for (const int starts : {0, 1, 60}) {
    o.recycled_starts = starts;
    auto x = waves;
    Timer timer;
    const auto r = ie::solve(ie::SurfaceEquation(system), o, x, 61);
    long last = 0;
    for (std::size_t i = 41; i < 61; ++i) last += r.krylov[i].iterations;
    report.row({fmt::format("{}", system.num_unknowns()), starts, r.iterations, last, r.solve_seconds});
  }
}

}  // namespace curlew::bench
