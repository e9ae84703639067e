// SPDX-License-Identifier: BSD-3-Clause
// em-bench direct --device cuda: LDL^T by cuDSS on one GPU, and its factors shared among 2, 4, ...
#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/cuda.hpp"
#include "base/error.hpp"
#include "bench/direct_parts.hpp"
#include "bench/waveguide.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/refinement.hpp"

namespace curlew::bench {
namespace {

int count_gpus() {
  int count = 0;
  CURLEW_CUDA_CALL(cudaGetDeviceCount(&count));
  return count;
}

/// Free memory of every GPU [bytes].
std::vector<std::size_t> free_memory() {
  std::vector<std::size_t> free(static_cast<std::size_t>(count_gpus()));
  int current = 0;
  CURLEW_CUDA_CALL(cudaGetDevice(&current));
  for (std::size_t i = 0; i < free.size(); ++i) {
    std::size_t total = 0;
    CURLEW_CUDA_CALL(cudaSetDevice(int(i)));
    CURLEW_CUDA_CALL(cudaMemGetInfo(&free[i], &total));
  }
  CURLEW_CUDA_CALL(cudaSetDevice(current));
  return free;
}

/// "1.2 + 1.1": memory taken on each GPU in use [GiB].
std::string taken_memory(const std::vector<std::size_t>& before, int gpus) {
  const auto after = free_memory();
  std::string text;
  for (std::size_t i = 0; i < std::size_t(gpus); ++i)
    text += fmt::format("{}{:.2f}", i > 0 ? " + " : "", (double(before[i]) - double(after[i])) / (1 << 30));
  return text;
}

/// max |x - y| / max |y|
double difference(const std::vector<Complex>& x, const std::vector<Complex>& y) {
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    most = std::max(most, std::abs(x[i] - y[i])), scale = std::max(scale, std::abs(y[i]));
  return most / scale;
}

/// One row. @param reference solution on one GPU, filled by the first call
void run_case(const Waveguide& s, int order, int gpus, int repeat, std::vector<Complex>& reference,
              Report& report) {
  const auto before = free_memory();
  const auto solver = linalg::make_direct_solver<Complex>({.gpus = gpus}, Device::cuda);
  solver->analyse(s.a);
  solver->factor(s.a);
  const double first = solver->info().factor_seconds;
  std::vector<double> again;
  for (int i = 0; i < repeat; ++i) {
    solver->factor(s.a);
    again.push_back(solver->info().factor_seconds);
  }
  std::ranges::sort(again);
  std::vector<Complex> x(s.b.size());
  const double residual = linalg::solve_refined(*solver, s.a, s.b.data(), x.data()).residual;
  if (reference.empty()) reference = x;
  const auto& info = solver->info();
  report.row({fmt::format("p = {}, {}", order, info.library), s.space.num_dofs(), s.a.nnz(),
              info.analyse_seconds, first, again[again.size() / 2], info.solve_seconds,
              info.factor_entries * 1e-6, gib(info.estimated_bytes), taken_memory(before, gpus), residual,
              difference(x, reference)});
}

}  // namespace

void direct_on_device(const Options& options, Report& report) {
  report.table(fmt::format("Sparse LDL^T of a driven problem on {} x {}", count_gpus(), device_info().name),
               {"order, library", "unknowns", "nonzeros", "analysis s", "factor s", "once more s", "solve s",
                "L, million", "estimate GiB", "GiB of each GPU", "residual", "difference"});
  for (const DirectCase& c : direct_cases()) {
    if (options.case_name.empty() ? c.name == std::string("p2-million") : options.case_name != c.name)
      continue;
    Waveguide s;
    build_waveguide(c.order, c.blocks, c.wavenumber, s);
    std::vector<Complex> reference;
    for (int gpus = 1; gpus <= count_gpus(); gpus *= 2) {
      try {
        run_case(s, c.order, gpus, options.repeat, reference, report);
      } catch (const Error& error) {
        report.note(fmt::format("{}, {} GPUs: {}", c.name, gpus, error.what()));
      }
    }
  }
  report.note(
      "difference: largest difference of the solution from that on one GPU, relative to its largest "
      "component");
}

}  // namespace curlew::bench
