// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/system_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/mumps.hpp"
#include "linalg/direct/refinement.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif

namespace curlew::linalg {
namespace {

Device device_of_direct(const SystemOptions& o) {
#ifdef CURLEW_HAVE_CUDA
  if (o.device == Device::cuda && has_cudss()) return Device::cuda;
#endif
  static_cast<void>(o);
  return Device::cpu;
}

}  // namespace

SystemSolver::SystemSolver(const SystemOptions& options, std::vector<Index> block_offsets)
    : options_(options) {
  if (options_.iterative) {
    if (mumps_group().size > 1) log::warn("Krylov methods run on one process: the others stay idle");
    options_.iterative->direct = options_.direct;
    options_.iterative->device = options_.device;
    iterative_ = std::make_unique<IterativeSolver>(*options_.iterative, std::move(block_offsets));
    info_.library = fmt::format("{}, preconditioner {}", name_of(options_.iterative->krylov.method),
                                name_of(options_.iterative->preconditioner));
  } else {
    direct_ = mumps_group().size > 1
                  ? make_mumps_of_group(options_.direct)
                  : make_direct_solver<Complex>(options_.direct, device_of_direct(options_));
  }
}
SystemSolver::~SystemSolver() = default;
SystemSolver::SystemSolver(SystemSolver&&) noexcept = default;
SystemSolver& SystemSolver::operator=(SystemSolver&&) noexcept = default;

const DirectInfo& SystemSolver::info() const {
  return direct_ ? direct_->info() : info_;
}

void SystemSolver::analyse(const Csr<Complex>& a) {
  if (direct_) direct_->analyse(a);
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
}

void SystemSolver::prepare(const Csr<Complex>& a, const LowRank& term) {
  matrix_ = &a;
  if (direct_) return direct_->factor(a);
  iterative_->prepare(a, term);
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
}

SystemReport SystemSolver::solve(const Complex* b, Complex* x, Index num_rhs,
                                 const std::vector<double>& tolerances) {
  if (direct_) {
    const auto solution = solve_refined(*direct_, *matrix_, b, x, num_rhs, options_.tolerance);
    return {"direct", 1, solution.residual, {}, solution.at_rounding ? solution.backward_error : 0};
  }
  const IterativeReport all = iterative_->solve(b, x, num_rhs, tolerances);
  SystemReport report{
      name_of(options_.iterative->krylov.method), all.iterations, all.relative_residual, {}, 0};
  const auto slowest = std::ranges::max_element(all.columns, {}, &KrylovReport::iterations);
  if (slowest != all.columns.end()) report.history = slowest->residuals;
  return report;
}

}  // namespace curlew::linalg
