// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/wave_shares.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "ie/operator/gpu_division.hpp"
#include "ie/operator/iteration.hpp"
#include "ie/operator/recycled_starts.hpp"
#include "linalg/krylov/krylov.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda_device.hpp"
#endif

namespace curlew::ie {
namespace {

/// @param given_up set by whoever fails: nobody waits for the solutions any more
void iterate(Iteration& iteration, const SolveOptions& options, Complex* b, Index size, Index num_rhs,
             const std::atomic<bool>& given_up, SolveReport& report) {
  const auto n = std::size_t(size);
  const bool recycles = options.krylov.use_initial_guess;
  RecycledStarts starts(n, recycles ? std::size_t(options.recycled_starts) : 0);
  std::vector<Complex> rhs(n), z(n), product(n);
  for (Index c = 0; c < num_rhs && !given_up; ++c) {
    check_interrupt();
    Complex* const column = b + std::size_t(c) * n;
    iteration.test(column, rhs.data());
    starts.guess(rhs.data(), z.data());
    report.krylov.push_back(iteration.solve(rhs.data(), z.data()));
    const auto& last = report.krylov.back();
    report.converged = report.converged && last.converged();
    report.residual = std::max(report.residual, last.relative_residual);
    report.iterations += last.iterations;
    log::debug("right-hand side {} of {}: {} iterations, {:.3g} s", c + 1, num_rhs, last.iterations,
               last.seconds);
    // A start that was good enough has nothing new in it.
    if (recycles && c + 1 < num_rhs && last.iterations > 0) {
      iteration.multiply(z.data(), product.data());
      starts.add(z.data(), product.data());
    }
    iteration.expand(z.data(), column);
  }
}

SolveReport solve_here(const IntegralEquation& equation, const SolveOptions& options, Complex* b,
                       Index num_rhs, const std::atomic<bool>& given_up) {
  SolveReport report;
  Stages set_up;
  Timer timer;
  const ProcessGroup* group = sharing_group(equation, options);
  const bool follows = group != nullptr && group->rank() > 0;  // process 0 has the preconditioner
  auto p = follows ? Preconditioning{}
                   : equation.preconditioning(options.preconditioner,
                                              options.uses_device() ? Device::cuda : Device::cpu);
  const auto iteration = make_iteration(equation, std::move(p), options, set_up);
  report.fill_seconds = timer.seconds();
  report.set_up = set_up.all();
  timer.restart();
  iterate(*iteration, options, b, equation.size(), num_rhs, given_up, report);
  report.method = linalg::name_of(options.krylov.method);
  report.kept_directions = options.krylov.kept_directions;
  report.solve_seconds = timer.seconds();
  iteration->describe(report);
  return report;
}

/// Of the first share what all have alike.
SolveReport joined(std::vector<SolveReport> shares) {
  SolveReport all = std::move(shares.front());
  all.share_sizes = {Index(all.krylov.size())};
  for (auto share = shares.begin() + 1; share != shares.end(); ++share) {
    all.share_sizes.push_back(Index(share->krylov.size()));
    all.krylov.insert(all.krylov.end(), share->krylov.begin(), share->krylov.end());
    all.converged = all.converged && share->converged;
    all.residual = std::max(all.residual, share->residual);
    all.iterations += share->iterations, all.bytes += share->bytes, all.gpus += share->gpus;
    all.fill_seconds = std::max(all.fill_seconds, share->fill_seconds);
    all.solve_seconds = std::max(all.solve_seconds, share->solve_seconds);
  }
  return all;
}

}  // namespace

SolveReport solve_in_turn(const IntegralEquation& equation, const SolveOptions& options, Complex* b,
                          Index num_rhs) {
  return solve_here(equation, options, b, num_rhs, false);
}

SolveReport solve_side_by_side(const IntegralEquation& equation, const SolveOptions& options,
                               const std::vector<int>& devices, Complex* b, Index num_rhs) {
  const auto count = int(devices.size());
  const auto first = share_waves(num_rhs, count);
  const int threads = num_threads() / count;
  SolveOptions own = options;
  own.gpus = 1;
  std::atomic<bool> given_up = false;
  const auto solve_share = [&](std::size_t i) {
    set_num_threads_here(threads);
    try {
#ifdef CURLEW_HAVE_CUDA
      std::optional<cuda::CurrentDevice> current;
      if (own.uses_device()) current.emplace(devices[i]);
#endif
      return solve_here(equation, own, b + Offset(first[i]) * equation.size(), first[i + 1] - first[i],
                        given_up);
    } catch (...) {
      given_up = true;
      throw;
    }
  };
  std::vector<std::future<SolveReport>> running;
  for (std::size_t i = 0; i < devices.size(); ++i)
    running.push_back(std::async(std::launch::async, solve_share, i));
  for (auto& share : running) share.wait();
  std::vector<SolveReport> reports;
  for (auto& share : running) reports.push_back(share.get());
  return joined(std::move(reports));
}

}  // namespace curlew::ie
