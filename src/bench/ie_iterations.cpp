// SPDX-License-Identifier: BSD-3-Clause
// Numbers of iterations: what decides them on the chapter's films, and what earlier incidences save.
#include <fmt/format.h>

#include "base/timer.hpp"
#include "bench/ie_problems.hpp"
#include "ie/surface_solve.hpp"

namespace curlew::bench {

void film_meshes(const Options& options, Report& report) {
  report.table(
      "Films: iterations to 1e-3 against the cells (2000 and more: not converged)",
      {"cells a side, unknowns", "k h", "tfqmr jacobi", "gmres jacobi", "tfqmr charges", "gmres charges"});
  using Method = linalg::KrylovMethod;
  for (const int n : {15, 30, 60, 120}) {
    if (options.device == Device::cpu && n > 30) break;
    const auto system = film_system(n);
    const auto b = ie::test_field(system, film_wave());
    std::vector<Complex> x(b.size());
    std::vector<nlohmann::json> row{fmt::format("{}, {}", n, system.num_unknowns()), wavenumber * 1e-6 / n};
    for (const auto preconditioner : {ie::Preconditioner::jacobi, ie::Preconditioner::charges}) {
      for (const auto method : {Method::tfqmr, Method::gmres}) {
        auto o = chapter_options(options.device);
        o.preconditioner = preconditioner;
        o.krylov.method = method, o.krylov.max_iterations = 2000, o.krylov.restart = 400;
        row.emplace_back(ie::solve_system(system, o, b.data(), x.data(), 1).krylov[0].iterations);
      }
    }
    report.row(row);
  }
}

void sweep(const Options& options, Report& report) {
  report.table("Monostatic sweep, 61 incidences over 60 degrees, CFIE to 1e-4 (GMRES, jacobi)",
               {"unknowns", "recycled starts", "iterations", "the same, last 20 incidences", "s"});
  ie::SurfaceSolveOptions o;
  o.direct = false, o.accelerated = true, o.acceleration_tolerance = 1e-4;
  o.preconditioner = ie::SurfacePreconditioner::jacobi;
  o.krylov = {
      .method = linalg::KrylovMethod::gmres, .tolerance = 1e-4, .max_iterations = 200, .restart = 200};
  o.device = options.device;
  const ie::System system(sphere(options.device == Device::cuda ? 18 : 8), accuracy_for_sums);
  std::vector<Complex> waves;
  for (int degree = 0; degree <= 60; ++degree) {
    const auto b = ie::right_hand_side(system, ie::PlaneWave{degree * pi / 180, 0.3, 0});
    waves.insert(waves.end(), b.begin(), b.end());
  }
  for (const int starts : {0, 1, 60}) {
    o.recycled_starts = starts;
    auto x = waves;
    Timer timer;
    const auto r = ie::solve_surface(system, {}, o, x, 61);
    long last = 0;
    for (std::size_t i = 41; i < 61; ++i) last += r.krylov[i].iterations;
    report.row({fmt::format("{}", system.num_unknowns()), starts, r.iterations, last, r.solve_seconds});
  }
}

}  // namespace curlew::bench
