// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/log.hpp"
#include "base/threads.hpp"
#include "ie/operator/skeleton.hpp"
#include "ie/operator/wave_shares.hpp"
#include "linalg/krylov/krylov.hpp"

namespace curlew::ie {
namespace {

/// Inner directions per outer one: a wave takes at least as many inner steps per outer step.
constexpr int inner_of_each = 8;

/// Directions of the outer iteration, in proportion to those of the inner one with low-accuracy products; 0:
/// no inner iteration.
int outer_directions(const SolveOptions& options, int kept) {
  constexpr int least = 8;
  const bool nests = options.relaxes_products && options.accelerated && !options.direct &&
                     has_coarser_sums(options.acceleration_tolerance);
  return nests && kept > 0 ? std::min(kept, std::max(least, kept / inner_of_each)) : 0;
}

/// The options of an iteration of `count` right-hand sides.
SolveOptions with_directions(const IntegralEquation& equation, SolveOptions options, Index count,
                             const GpuDivision& division) {
  options.krylov.kept_directions = choose_directions(equation, options, count, division);
  options.krylov.outer_directions = outer_directions(options, options.krylov.kept_directions);
  // Recycled directions already include earlier solutions.
  options.krylov.use_initial_guess =
      options.recycled_starts > 0 && count > 1 && options.krylov.kept_directions == 0;
  return options;
}

GpuDivision division_of(const IntegralEquation& equation, const SolveOptions& options, Index count) {
  return options.uses_device() ? choose_division(equation, options, count) : GpuDivision{};
}

/// Solves groups on the GPUs, as divided, or on the CPU. @param options with_directions
SolveReport solve_groups_on(const IntegralEquation& equation, SolveOptions options,
                            const GpuDivision& division, const SolutionGroups& groups) {
  if (groups.sizes.empty()) {
    SolveReport report;
    report.method = linalg::name_of(options.krylov.method);
    report.kept_directions = options.krylov.kept_directions;
    return report;
  }
  if (!options.uses_device()) return solve_in_turn(equation, options, groups);
  options.gpus = division.gpus;
  if (!division.by_waves) return solve_in_turn(equation, options, groups);
  const auto [least, most] = std::minmax_element(groups.sizes.begin(), groups.sizes.end());
  const auto used = std::min(std::size_t(division.gpus), groups.sizes.size());
  log::info("{} GPUs, {} groups of {} right-hand sides", used, groups.sizes.size(),
            *least == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *least, *most));
  std::vector<int> devices(used);
  std::iota(devices.begin(), devices.end(), 0);
  return solve_side_by_side(equation, options, devices, groups);
}

/// Solutions of right-hand sides, saved in groups. @param numbers [count] their numbers in the store
SolveReport iterate(const IntegralEquation& equation, SolveOptions options, Complex* b,
                    std::span<const Index> numbers, GroupStore* store) {
  const auto count = Index(numbers.size());
  const auto n = std::size_t(equation.size());
  const auto division = division_of(equation, options, count);
  options = with_directions(equation, options, count, division);
  const auto begins = divide_groups(division, count, store == nullptr ? 0 : store->largest());
  if (store == nullptr)
    return solve_groups_on(equation, options, division, groups_in_place(b, equation.size(), begins));

  const auto numbers_of = [&](std::size_t g) {
    return numbers.subspan(std::size_t(begins[g]), std::size_t(begins[g + 1] - begins[g]));
  };
  const auto x_of = [&](std::size_t g) {
    return std::span(b + std::size_t(begins[g]) * n, numbers_of(g).size() * n);
  };
  std::vector<GroupReport> reports(begins.size() - 1);
  std::vector<std::size_t> open;
  SolutionGroups groups;
  groups.total = count;
  for (std::size_t g = 0; g < reports.size(); ++g) {
    if (auto known = store->find(g, numbers_of(g), x_of(g)))
      reports[g] = std::move(*known);
    else
      open.push_back(g), groups.sizes.push_back(Index(numbers_of(g).size()));
  }
  groups.begin = [&](std::size_t i) { return x_of(open[i]).data(); };
  groups.end = [&](std::size_t i, const GroupReport& report) {
    reports[open[i]] = report;
    if (reports.size() > 1 && report.converged())
      store->keep(open[i], numbers_of(open[i]), x_of(open[i]), report);
  };
  auto report = solve_groups_on(equation, options, division, groups);
  report.set_groups(reports);
  return report;
}

/// Iterates for the few right-hand sides that all others are combinations of.
SolveReport iterate_skeleton(const IntegralEquation& equation, const Skeleton& skeleton,
                             const SolveOptions& options, std::vector<Complex>& b, GroupStore* store) {
  const auto rank = skeleton.chosen.size(), n = b.size() / std::size_t(skeleton.coefficients.cols());
  std::vector<Complex> few(rank * n);
  for (std::size_t i = 0; i < rank; ++i) std::copy_n(&b[std::size_t(skeleton.chosen[i]) * n], n, &few[i * n]);
  auto report = iterate(equation, options, few.data(), skeleton.chosen, store);
  combine(skeleton, few, b);
  return report;
}

/// No compression below this number of right-hand sides.
constexpr Index least_compressed = 4;

/// Bytes of factors of the near part: of a graph that lies in a surface, elimination by dissection fills n
/// log2 n entries times a constant (docs/measured/ie.md), and half as much again is its workspace.
std::size_t near_factor_bytes(double n) {
  constexpr double fill = 35, workspace = 1.5;
  return std::size_t(workspace * fill * 16 * n * std::log2(std::max(n, 2.0)));
}

/// Bytes of vectors and preconditioner on the first device.
std::size_t vector_bytes(const IntegralEquation& equation, const SolveOptions& options) {
  const bool has_factors = options.preconditioner == Preconditioner::near;
  return 16 * std::size_t(equation.size()) * std::size_t(linalg::krylov_vectors(options.krylov) + 4) +
         (has_factors ? near_factor_bytes(double(equation.size())) : 0);
}

}  // namespace

const char* name_of(Preconditioner kind) {
  constexpr const char* names[] = {"none", "jacobi", "near", "loop_star", "charges"};
  return names[int(kind)];
}

void SolveReport::set_krylov(std::vector<linalg::KrylovReport> all) {
  krylov = std::move(all);
  iterations = 0, residual = 0, converged = true;
  for (const auto& one : krylov) {
    converged = converged && one.converged();
    residual = std::max(residual, one.relative_residual);
    iterations += one.iterations;
  }
}

void SolveReport::add_products(std::span<const ProductCount> of_others) {
  for (const auto& [tolerance, count] : of_others) {
    const auto known =
        std::ranges::find_if(products, [t = tolerance](const auto& p) { return p.tolerance == t; });
    if (known == products.end())
      products.push_back({tolerance, count});
    else
      known->products += count;
  }
}

void SolveReport::set_groups(std::span<const GroupReport> groups) {
  std::vector<linalg::KrylovReport> all;
  for (const auto& group : groups) {
    all.insert(all.end(), group.krylov.begin(), group.krylov.end());
    num_points = group.num_points, near_entries = group.near_entries;
  }
  set_krylov(std::move(all));
}

std::size_t estimate_bytes(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                           Index held) {
  const auto n = std::size_t(equation.size());
  const auto division = division_of(equation, options, num_rhs);
  const auto shares = std::size_t(division.by_waves ? division.gpus : 1);
  const auto own = with_directions(equation, options, num_rhs, division);
  const std::size_t recycled =
      own.krylov.use_initial_guess ? 2 * std::size_t(std::min<Index>(num_rhs, options.recycled_starts)) : 0;
  const std::size_t vectors = 16 * n *
                              (std::size_t(held < 0 ? num_rhs : held) +
                               shares * (std::size_t(linalg::krylov_vectors(own.krylov) + 10) + recycled));
  if (options.accelerated && !options.direct) return vectors + shares * equation.making_bytes(options.device);
  if (!options.direct) return 16 * n * n + vectors;
  const auto plan = linalg::plan_dense(Offset(n), num_rhs, options.precision, options.device,
                                       {options.device_memory}, linalg::EntriesMade::on_host);
  return plan.host_bytes;
}

std::size_t estimate_device_bytes(const IntegralEquation& equation, const SolveOptions& options,
                                  Index num_rhs) {
  const auto division = choose_division(equation, options, num_rhs);
  const auto holders = std::size_t(division.by_waves ? 1 : division.gpus);
  return equation.device_bytes() / holders +
         vector_bytes(equation, with_directions(equation, options, num_rhs, division));
}

int choose_directions(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                      const GpuDivision& division) {
  if (options.direct || options.krylov.method != linalg::KrylovMethod::gmres || num_rhs < 2) return 0;
  if (options.kept_directions >= 0) return options.kept_directions;
  // More directions would cost more time in sweeps than they save in products.
  constexpr int most_of_exact = 1000;
  const bool nests = outer_directions(options, most_loose_directions) > 0;
  const int most = nests ? most_loose_directions : most_of_exact;
  const auto n = std::size_t(equation.size());
  const double pair = double(n) * (options.krylov.tolerance >= linalg::single_directions ? 16 : 32);
  const double each = nests ? 16.0 * double(n) + pair / inner_of_each : pair;
  double room = 0.25 * double(available_memory());
  if (options.uses_device()) {
    constexpr double usable = 0.85;  // fraction of free memory: sums and factors also need work space
    const auto holders = std::size_t(division.by_waves ? 1 : division.gpus);
    room = usable * double(free_device_memory(0)) - double(equation.device_bytes() / holders) -
           double(vector_bytes(equation, options));
    if (nests) room -= double(equation.device_bytes() / holders);  // further plans must not exceed it
  }
  const int fit = int(std::clamp(room / each, 0.0, double(std::min<std::size_t>(most, n / 8))));
  return fit >= options.krylov.restart / 2 ? fit : 0;  // fewer save no time
}

GpuDivision choose_division(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs) {
  const int most = options.gpus > 0 ? options.gpus : std::max(1, num_devices());
  std::vector<std::size_t> free;  // querying a device starts it
  for (int d = 0; d < (num_rhs > most ? most : 1); ++d) free.push_back(free_device_memory(d));
  free.resize(std::size_t(most), free.front());
  SolveOptions stated = options;  // the number of directions by memory is decided after the division
  stated.krylov.kept_directions = std::max(options.kept_directions, 0);
  return divide_gpus({equation.device_bytes(), vector_bytes(equation, stated), equation.can_share_rows()},
                     options.gpus, num_rhs, free);
}

SolveReport solve(const IntegralEquation& equation, const SolveOptions& options, std::vector<Complex>& b,
                  Index num_rhs, GroupStore* store) {
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
    std::optional<linalg::LuReport> by_kept;
    if (options.kept_factors && plan.place == linalg::DensePlace::host &&
        options.precision != linalg::LuPrecision::full)
      by_kept = options.kept_factors->solve(a, b.data(), num_rhs);
    report.lu = by_kept ? *by_kept : linalg::solve_dense(plan, a, b.data(), num_rhs, true);
    report.method = report.lu.method, report.residual = report.lu.residual;
    report.solve_seconds = timer.seconds();
    return report;
  }
  SolveOptions o = options;
  if (o.processes != nullptr) o.device = Device::cpu;  // processes share rows on their CPUs
  Stages compression;
  std::optional<Skeleton> skeleton;
  if (o.compression_tolerance > 0 && num_rhs >= least_compressed) {
    const ScopedStage timed(compression, "compression");
    skeleton = find_skeleton(b, num_rhs, o.compression_tolerance);
  }
  const double compression_seconds = timer.seconds();
  const bool is_compressed = skeleton && Index(skeleton->chosen.size()) < num_rhs;
  if (is_compressed) o.krylov.tolerance /= std::max(1.0, skeleton->growth);
  std::vector<Index> all(std::size_t(is_compressed ? 0 : num_rhs));
  std::iota(all.begin(), all.end(), 0);
  report = is_compressed ? iterate_skeleton(equation, *skeleton, o, b, store)
                         : iterate(equation, o, b.data(), all, store);
  if (skeleton) report.rank = Index(skeleton->chosen.size()), report.compression_error = skeleton->error;
  report.set_up.insert(report.set_up.end(), compression.all().begin(), compression.all().end());
  report.fill_seconds += compression_seconds;
  return report;
}

std::vector<Index> divide_groups(const GpuDivision& division, Index num_rhs, Index largest) {
  const Index shares = division.by_waves ? Index(division.gpus) : 1;
  const Index needed = largest > 0 ? (num_rhs + largest - 1) / largest : 1;
  if (shares > 1 && needed > shares) return groups_in_turn(num_rhs, division.gpus, largest);
  return share_waves(num_rhs, int(std::max(shares, needed)));
}

SolveReport solve_groups(const IntegralEquation& equation, const SolveOptions& options,
                         const SolutionGroups& groups) {
  const auto division = division_of(equation, options, groups.total);
  return solve_groups_on(equation, with_directions(equation, options, groups.total, division), division,
                         groups);
}

}  // namespace curlew::ie
