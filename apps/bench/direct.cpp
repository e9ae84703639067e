// SPDX-License-Identifier: BSD-3-Clause
// em-bench direct: LDL^T of a driven problem near 150 000 unknowns, orders 1-3: a
// short-circuited waveguide 1 x 0.75 x 0.5 m at k = 10 rad/m with an absorbing TE10 face, A = K - k^2 M + j
// beta B. `--case p2` takes one order only; scripts/peer_solve.py sets that beside
// DOLFINx on the same mesh. On the GPU: direct_gpu.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/direct_parts.hpp"
#include "bench/waveguide.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/refinement.hpp"

namespace curlew::bench {
namespace {

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
void run_case(const Options& options, const DirectCase& c, Report& report) {
  reset_peak();
  Waveguide s;
  build_waveguide(c.order, c.blocks, c.wavenumber, s);
  auto solver = linalg::make_direct_solver<Complex>({});
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
  const double residual = linalg::solve_refined(*solver, s.a, s.b.data(), x.data()).residual;
  const auto& info = solver->info();
  constexpr double gib = 1 << 30;
  report.row({fmt::format("p = {}, {}", c.order, info.ordering), s.space.num_dofs(), s.a.nnz(),
              info.analyse_seconds, factor_seconds, cpu_seconds, info.factor_flops / factor_seconds * 1e-9,
              info.factor_entries * 1e-6, double(info.estimated_bytes) / gib, double(info.factor_bytes) / gib,
              double(peak_since_reset()) / gib, info.solve_seconds, residual});
}

}  // namespace

const std::vector<DirectCase>& direct_cases() {
  static const std::vector<DirectCase> cases{{"p1", 1, {37, 28, 19}, 10},
                                             {"p2", 2, {21, 16, 11}, 10},
                                             {"p3", 3, {15, 11, 8}, 10},
                                             {"p2-million", 2, {42, 32, 22}, 20}};
  return cases;
}

void direct(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) return direct_on_device(options, report);
#endif
  report.table(
      fmt::format("Sparse LDL^T of a driven problem, {} threads, {}", num_threads(),
                  linalg::blas_description()),
      {"order, ordering", "unknowns", "nonzeros", "analysis s", "factor s", "analysis + factor CPU s",
       "GFLOP/s", "L, million", "estimate GiB", "factor GiB", "peak GiB", "solve s", "residual"});
  for (const DirectCase& c : direct_cases()) {
    const bool is_large = c.name == std::string("p2-million");
    if (options.case_name == c.name || (options.case_name.empty() && !is_large)) run_case(options, c, report);
  }
  report.note(
      "peak: largest resident memory of the process from the start of the assembly on, with mesh, space and "
      "matrix");
}

}  // namespace curlew::bench
