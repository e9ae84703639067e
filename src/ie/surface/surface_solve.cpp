// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_solve.hpp"

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "ie/operator/recycled_starts.hpp"
#include "ie/surface/surface_iteration.hpp"
#include "ie/surface/surface_product.hpp"
#include "linalg/krylov/krylov.hpp"

namespace curlew::ie {
namespace {

void iterate(SurfaceIteration& iteration, const SurfaceSolveOptions& options, std::vector<Complex>& b,
             Index num_rhs, SurfaceSolveReport& report) {
  const std::size_t n = b.size() / std::size_t(num_rhs);
  RecycledStarts starts(n, num_rhs > 1 ? std::size_t(options.recycled_starts) : 0);
  std::vector<Complex> rhs(n), z(n), product(n);
  for (Index c = 0; c < num_rhs; ++c) {
    check_interrupt();
    Complex* const column = &b[std::size_t(c) * n];
    iteration.test(column, rhs.data());
    starts.guess(rhs.data(), z.data());
    report.krylov.push_back(iteration.solve(rhs.data(), z.data()));
    const auto& last = report.krylov.back();
    report.converged = report.converged && last.converged();
    report.residual = std::max(report.residual, last.relative_residual);
    report.iterations += last.iterations;
    // A start that was good enough has nothing new in it.
    if (c + 1 < num_rhs && last.iterations > 0) {
      iteration.multiply(z.data(), product.data());
      starts.add(z.data(), product.data());
    }
    iteration.expand(z.data(), column);
  }
}

}  // namespace

std::size_t estimate_bytes(const System& system, const SurfaceSolveOptions& options, Index num_rhs) {
  const auto n = std::size_t(system.num_unknowns());
  const std::size_t recycled =
      num_rhs > 1 ? 2 * std::size_t(std::min<Index>(num_rhs, options.recycled_starts)) : 0;
  const std::size_t vectors =
      16 * n * (std::size_t(num_rhs + linalg::krylov_vectors(options.krylov) + 10) + recycled);
  if (options.accelerated && !options.direct)
    return vectors + estimate_near_matrix(system, NearPairs::medium).making_bytes;
  const std::size_t matrix = 16 * n * n;
  return options.direct ? matrix + linalg::dense_workspace(Offset(n), num_rhs, options.precision)
                        : matrix + vectors;
}

std::size_t estimate_device_bytes(const System& system, const SurfaceSolveOptions& options) {
  std::size_t points = 0;
  for (int r = 0; r < int(system.scene().regions.size()); ++r)
    points += system.scene().regions[r].triangles.size() * system.integrals(r).far_rule().weights.size();
  const auto n = std::size_t(system.num_unknowns());
  return estimate_near_matrix(system, NearPairs::medium).bytes() +
         points * (device_currents_per_point + device_sums_per_point) +
         16 * n * std::size_t(linalg::krylov_vectors(options.krylov) + 4);
}

SurfaceSolveReport solve_surface(const System& system, const std::vector<Entry>& loads,
                                 const SurfaceSolveOptions& options, std::vector<Complex>& b, Index num_rhs) {
  SurfaceSolveReport report;
  require_memory(estimate_bytes(system, options, num_rhs), "the integral equation");
  Timer timer;
  if (options.direct) {
    auto a = full_matrix(system, loads);
    report.fill_seconds = timer.seconds();
    timer.restart();
    report.lu = linalg::solve_dense(a, b.data(), num_rhs, options.precision, options.with_condition);
    report.method = report.lu.method, report.residual = report.lu.residual;
    report.solve_seconds = timer.seconds();
    return report;
  }
  SurfaceSolveOptions o = options;
  o.krylov.use_initial_guess = true;
  const auto p =
      make_preconditioning(system, loads, o.preconditioner, o.accelerated ? o.device : Device::cpu);
  const auto iteration = make_iteration(system, loads, p, o);
  report.fill_seconds = timer.seconds();
  timer.restart();
  iterate(*iteration, o, b, num_rhs, report);
  report.method = linalg::name_of(o.krylov.method);
  report.solve_seconds = timer.seconds();
  iteration->describe(report);
  return report;
}

}  // namespace curlew::ie
