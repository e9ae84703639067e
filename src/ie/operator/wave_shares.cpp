// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/wave_shares.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "curlew/build.hpp"
#include "ie/operator/iteration.hpp"
#include "ie/operator/recycled_starts.hpp"
#include "linalg/krylov/krylov.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda_device.hpp"
#endif

namespace curlew::ie {
namespace {

/// Shared state of the devices' threads.
class Work {
 public:
  explicit Work(const SolutionGroups& groups) : groups_(groups), krylov_(groups.sizes.size()) {}

  const SolutionGroups& groups() const { return groups_; }
  /// The next free group, assigned dynamically since groups take unequal times.
  std::optional<std::size_t> take() {
    const std::size_t group = next_++;
    if (group >= groups_.sizes.size()) return std::nullopt;
    return group;
  }
  /// Counts a solved right-hand side.
  void count_solved() { ++num_solved_; }
  void finish(std::size_t group, GroupReport report) {
    const std::lock_guard lock(one_at_a_time_);
    if (groups_.end) groups_.end(group, report);
    krylov_[group] = std::move(report.krylov);
    ++num_finished_;
    state_progress();
  }
  /// Called after a failure: the other threads stop.
  void give_up() { given_up_ = true; }
  bool is_given_up() const { return given_up_; }
  /// In the order of the right-hand sides.
  std::vector<linalg::KrylovReport> krylov() const {
    std::vector<linalg::KrylovReport> all;
    for (const auto& of : krylov_) all.insert(all.end(), of.begin(), of.end());
    return all;
  }

 private:
  /// Progress of long runs, extrapolated from finished work.
  void state_progress() const {
    if (krylov_.size() == 1) return;
    Index all = 0;
    for (const Index size : groups_.sizes) all += size;
    const Index solved = num_solved_;
    const double seconds = timer_.seconds(), left = seconds * double(all - solved) / double(solved);
    log::info("{} of {} groups solved: {} of {} right-hand sides in {:.3g} s, some {:.2g} s left",
              num_finished_, krylov_.size(), solved, all, seconds, left);
  }

  const SolutionGroups& groups_;
  const Timer timer_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<Index> num_solved_ = 0;
  std::size_t num_finished_ = 0;
  std::mutex one_at_a_time_;
  std::vector<std::vector<linalg::KrylovReport>> krylov_;  // [groups]
  std::atomic<bool> given_up_ = false;
};

/// Solves a group independently of others. @returns reports, fewer if another thread failed
std::vector<linalg::KrylovReport> iterate(Iteration& iteration, const SolveOptions& options, Complex* b,
                                          Index size, Index num_rhs, Work& work) {
  const auto n = std::size_t(size);
  const bool recycles = options.krylov.use_initial_guess;
  RecycledStarts starts(n, recycles ? std::size_t(options.recycled_starts) : 0);
  iteration.forget();
  std::vector<Complex> rhs(n), z(n), product(n);
  std::vector<linalg::KrylovReport> reports;
  for (Index c = 0; c < num_rhs && !work.is_given_up(); ++c) {
    check_interrupt();
    Complex* const column = b + std::size_t(c) * n;
    iteration.test(column, rhs.data());
    starts.guess(rhs.data(), z.data());
    reports.push_back(iteration.solve(rhs.data(), z.data()));
    const auto& last = reports.back();
    log::debug("right-hand side {} of {}: {} iterations, {:.3g} s", c + 1, num_rhs, last.iterations,
               last.seconds);
    // A start that needed no iteration adds nothing new.
    if (recycles && c + 1 < num_rhs && last.iterations > 0) {
      iteration.multiply(z.data(), product.data());
      starts.add(z.data(), product.data());
    }
    iteration.expand(z.data(), column);
    work.count_solved();
  }
  return reports;
}

/// Solves groups while there are any. @returns all but the Krylov reports
SolveReport solve_here(const IntegralEquation& equation, const SolveOptions& options, Work& work) {
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
  report.method = linalg::name_of(options.krylov.method);
  report.kept_directions = options.krylov.kept_directions;
  const auto& groups = work.groups();
  report.share_sizes = {0};
  while (const auto g = work.take()) {
    auto krylov = iterate(*iteration, options, groups.begin(*g), equation.size(), groups.sizes[*g], work);
    if (work.is_given_up()) break;
    report.share_sizes.front() += groups.sizes[*g];
    iteration->describe(report);
    work.finish(*g, {std::move(krylov), report.num_points, report.near_entries});
  }
  if (report.share_sizes.front() == 0) iteration->describe(report);  // the others were faster
  report.solve_seconds = timer.seconds();
  return report;
}

/// Combines reports; common data are those of the first share.
SolveReport joined(std::vector<SolveReport> shares) {
  SolveReport all = std::move(shares.front());
  for (auto share = shares.begin() + 1; share != shares.end(); ++share) {
    all.share_sizes.push_back(share->share_sizes.front());
    all.bytes += share->bytes, all.gpus += share->gpus;
    all.add_products(share->products);
    all.fill_seconds = std::max(all.fill_seconds, share->fill_seconds);
    all.solve_seconds = std::max(all.solve_seconds, share->solve_seconds);
  }
  return all;
}

}  // namespace

bool GroupReport::converged() const {
  return std::all_of(krylov.begin(), krylov.end(), [](const auto& one) { return one.converged(); });
}

SolutionGroups groups_in_place(Complex* b, Index unknowns, const std::vector<Index>& begins) {
  SolutionGroups groups;
  groups.total = begins.back();
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) groups.sizes.push_back(begins[g + 1] - begins[g]);
  groups.begin = [b, unknowns, begins](std::size_t g) { return b + Offset(begins[g]) * unknowns; };
  return groups;
}

SolveReport solve_in_turn(const IntegralEquation& equation, const SolveOptions& options,
                          const SolutionGroups& groups) {
  Work work(groups);
  auto report = solve_here(equation, options, work);
  report.share_sizes.clear();
  report.set_krylov(work.krylov());
  return report;
}

SolveReport solve_side_by_side(const IntegralEquation& equation, const SolveOptions& options,
                               const std::vector<int>& devices, const SolutionGroups& groups) {
  const auto count = devices.size();
  const int threads = num_threads() / int(count);
  SolveOptions own = options;
  own.gpus = 1;
  Work work(groups);
  const auto solve_share = [&](std::size_t i) {
    set_num_threads_here(threads);
    try {
#ifdef CURLEW_HAVE_CUDA
      std::optional<cuda::CurrentDevice> current;
      if (own.uses_device()) current.emplace(devices[i]);
#endif
      return solve_here(equation, own, work);
    } catch (...) {
      work.give_up();
      throw;
    }
  };
  std::vector<std::future<SolveReport>> running;
  for (std::size_t i = 0; i < count; ++i) running.push_back(std::async(std::launch::async, solve_share, i));
  for (auto& share : running) share.wait();
  std::vector<SolveReport> reports;
  for (auto& share : running) reports.push_back(share.get());
  auto report = joined(std::move(reports));
  report.set_krylov(work.krylov());
  return report;
}

}  // namespace curlew::ie
