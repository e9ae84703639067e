// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ie/operator/iteration.hpp"
#include "ie/operator/recycled_starts.hpp"
#include "ie/operator/skeleton.hpp"
#include "linalg/krylov/krylov.hpp"

namespace curlew::ie {
namespace {

void iterate(Iteration& iteration, const SolveOptions& options, std::vector<Complex>& b, Index num_rhs,
             SolveReport& report) {
  const std::size_t n = b.size() / std::size_t(num_rhs);
  const bool recycles = options.krylov.use_initial_guess;
  RecycledStarts starts(n, recycles ? std::size_t(options.recycled_starts) : 0);
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
    if (recycles && c + 1 < num_rhs && last.iterations > 0) {
      iteration.multiply(z.data(), product.data());
      starts.add(z.data(), product.data());
    }
    iteration.expand(z.data(), column);
  }
}

/// Iterates for the few right-hand sides that all others are combinations of.
void iterate_skeleton(Iteration& iteration, const Skeleton& skeleton, const SolveOptions& options,
                      std::vector<Complex>& b, SolveReport& report) {
  const auto rank = skeleton.chosen.size(), n = b.size() / std::size_t(skeleton.coefficients.cols());
  std::vector<Complex> few(rank * n);
  for (std::size_t i = 0; i < rank; ++i) std::copy_n(&b[std::size_t(skeleton.chosen[i]) * n], n, &few[i * n]);
  iterate(iteration, options, few, Index(rank), report);
  combine(skeleton, few, b);
}

/// Below this many right-hand sides there is nothing to gain.
constexpr Index least_compressed = 4;

/// Bytes of the iteration's vectors on the first device.
std::size_t vector_bytes(const IntegralEquation& equation, const SolveOptions& options) {
  return 16 * std::size_t(equation.size()) * std::size_t(linalg::krylov_vectors(options.krylov) + 4);
}

}  // namespace

const char* name_of(Preconditioner kind) {
  constexpr const char* names[] = {"none", "jacobi", "near", "loop_tree", "loop_star", "charges"};
  return names[int(kind)];
}

std::size_t estimate_bytes(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs) {
  const auto n = std::size_t(equation.size());
  const std::size_t recycled =
      num_rhs > 1 ? 2 * std::size_t(std::min<Index>(num_rhs, options.recycled_starts)) : 0;
  const std::size_t vectors =
      16 * n * (std::size_t(num_rhs + linalg::krylov_vectors(options.krylov) + 10) + recycled);
  if (options.accelerated && !options.direct) return vectors + equation.making_bytes(options.device);
  if (!options.direct) return 16 * n * n + vectors;
  const auto plan = linalg::plan_dense(Offset(n), num_rhs, options.precision, options.device,
                                       {options.device_memory}, linalg::EntriesMade::on_host);
  return plan.host_bytes;
}

std::size_t estimate_device_bytes(const IntegralEquation& equation, const SolveOptions& options) {
  const auto gpus = std::size_t(choose_gpus(equation, options));
  return equation.device_bytes() / gpus + vector_bytes(equation, options);
}

int choose_gpus(const IntegralEquation& equation, const SolveOptions& options) {
  if (!equation.can_share_rows()) return 1;
  if (options.gpus > 0) return options.gpus;
  // The vectors of the iteration are on the first device; a tenth is left for what the estimate misses.
  const double room = 0.9 * double(device_info().free_memory) - double(vector_bytes(equation, options));
  const double needed = room > 0 ? std::ceil(double(equation.device_bytes()) / room) : 1e9;
  return int(std::clamp(needed, 1.0, double(std::max(1, num_devices()))));
}

SolveReport solve(const IntegralEquation& equation, const SolveOptions& options, std::vector<Complex>& b,
                  Index num_rhs) {
  SolveReport report;
  require_memory(estimate_bytes(equation, options, num_rhs), "the integral equation");
  Timer timer;
  if (options.direct) {
    auto a = equation.full_matrix();
    report.bytes = std::size_t(a.rows() * a.cols()) * sizeof(Complex);
    report.fill_seconds = timer.seconds();
    timer.restart();
    const auto plan = linalg::plan_dense(a.rows(), num_rhs, options.precision, options.device,
                                         {options.device_memory}, linalg::EntriesMade::on_host);
    report.lu = linalg::solve_dense(plan, a, b.data(), num_rhs, options.with_condition);
    report.method = report.lu.method, report.residual = report.lu.residual;
    report.solve_seconds = timer.seconds();
    return report;
  }
  SolveOptions o = options;
  if (process_group() != nullptr) o.device = Device::cpu;  // processes share rows on their CPUs
  if (o.uses_device()) o.gpus = choose_gpus(equation, o);
  o.krylov.use_initial_guess = o.recycled_starts > 0 && num_rhs > 1;
  Stages set_up;
  const ProcessGroup* group = sharing_group(equation, o);
  const bool follows = group != nullptr && group->rank() > 0;  // process 0 has the preconditioner
  auto p = follows ? Preconditioning{}
                   : equation.preconditioning(o.preconditioner, o.uses_device() ? Device::cuda : Device::cpu);
  std::optional<Skeleton> skeleton;
  if (o.compression_tolerance > 0 && num_rhs >= least_compressed) {
    const ScopedStage timed(set_up, "compression");
    skeleton = find_skeleton(b, num_rhs, o.compression_tolerance);
    report.rank = Index(skeleton->chosen.size()), report.compression_error = skeleton->error;
    if (report.rank < num_rhs) o.krylov.tolerance /= std::max(1.0, skeleton->growth);
  }
  const auto iteration = make_iteration(equation, std::move(p), o, set_up);
  report.fill_seconds = timer.seconds();
  report.set_up = set_up.all();
  timer.restart();
  if (skeleton && report.rank < num_rhs)
    iterate_skeleton(*iteration, *skeleton, o, b, report);
  else
    iterate(*iteration, o, b, num_rhs, report);
  report.method = linalg::name_of(o.krylov.method);
  report.solve_seconds = timer.seconds();
  iteration->describe(report);
  return report;
}

}  // namespace curlew::ie
