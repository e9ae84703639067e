// SPDX-License-Identifier: BSD-3-Clause
// em-bench direct: LDL^T of a driven problem near 150 000 unknowns, orders 1-3, by every ordering: a
// short-circuited waveguide 1 x 0.75 x 0.5 m at k = 10 rad/m with an absorbing TE10 face, A = K - k^2 M + j
// beta B. `--case p2` takes one order and the default ordering only; scripts/peer_solve.py sets that beside
// DOLFINx on the same mesh.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/cases.hpp"
#include "bench/waveguide.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::bench {
namespace {

/// Grid blocks for which the box of each order has 148 000 to 152 000 unknowns before PEC takes some out.
constexpr std::array<std::array<int, 3>, 3> blocks_of_order{{{37, 28, 19}, {21, 16, 11}, {15, 11, 8}}};

/// The largest resident size since the last reset [bytes]; the kernel counts from the start where it refuses
/// resets.
std::size_t peak_since_reset() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  return peak_memory();
}
void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// One row: assembles, factors, solves, and checks by the residual.
void run_case(const Options& options, int order, linalg::Ordering ordering, Report& report) {
  reset_peak();
  Waveguide s;
  build_waveguide(order, blocks_of_order[std::size_t(order - 1)], 10, s);
  auto solver = linalg::make_direct_solver<Complex>({.ordering = ordering});
  const std::clock_t cpu_start = std::clock();
  solver->analyse(s.a);
  solver->factor(s.a);
  const double cpu_seconds = double(std::clock() - cpu_start) / CLOCKS_PER_SEC;  // of all threads
  std::vector<double> seconds{solver->info().factor_seconds};
  while (int(seconds.size()) < options.repeat && !options.case_name.empty()) {
    solver->factor(s.a);
    seconds.push_back(solver->info().factor_seconds);
  }
  std::ranges::sort(seconds);
  const double factor_seconds = seconds[seconds.size() / 2];
  std::vector<Complex> x(s.b.size());
  const double residual = linalg::solve_refined(*solver, s.a, s.b.data(), x.data());
  const auto& info = solver->info();
  constexpr double gib = 1 << 30;
  report.row({fmt::format("p = {}, {}", order, info.ordering), s.space.num_dofs(), s.a.nnz(),
              info.analyse_seconds, factor_seconds, cpu_seconds, info.factor_flops / factor_seconds * 1e-9,
              info.factor_entries * 1e-6, double(info.estimated_bytes) / gib, double(info.factor_bytes) / gib,
              double(peak_since_reset()) / gib, info.solve_seconds, residual});
}

}  // namespace

void direct(const Options& options, Report& report) {
  using linalg::Ordering;
  if (!options.case_name.empty() && options.case_name != "p1" && options.case_name != "p2" &&
      options.case_name != "p3")
    throw InputError(fmt::format("--case {}: must be p1, p2 or p3", options.case_name));
  report.table(
      fmt::format("Sparse LDL^T of a driven problem, {} threads, {}", num_threads(),
                  linalg::blas_description()),
      {"order, ordering", "unknowns", "nonzeros", "analysis s", "factor s", "analysis + factor CPU s",
       "GFLOP/s", "L, million", "estimate GiB", "factor GiB", "peak GiB", "solve s", "residual"});
  for (int order = 1; order <= 3; ++order) {
    if (options.case_name.empty()) {
      for (const auto ordering : {Ordering::scotch, Ordering::metis, Ordering::pord, Ordering::amd})
        run_case(options, order, ordering, report);
    } else if (options.case_name == fmt::format("p{}", order)) {
      run_case(options, order, Ordering::automatic, report);
    }
  }
  report.note(
      "peak: largest resident size of the process, mesh, space and matrix included, from before assembly");
}

}  // namespace curlew::bench
