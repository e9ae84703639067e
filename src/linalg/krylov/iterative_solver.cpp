// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/iterative_solver.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "linalg/krylov/iterative_backend.hpp"
#include "linalg/krylov/levels.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"
#include "linalg/krylov/slow_rows.hpp"

namespace curlew::linalg {
namespace {

// Symmetric to rounding: products of assembly differ in their last bits.
constexpr double symmetric_to = 1e-13;
constexpr double symmetric_term_to = 1e-9;  // sums over whole ports

/// Advice in the message after an iteration that was too slow; empty for errors in the system.
std::string cure(const IterativeOptions& options, KrylovStatus status) {
  if (status != KrylovStatus::stagnated && status != KrylovStatus::max_iterations) return "";
  const KrylovMethod method = options.krylov.method;
  if (method == KrylovMethod::gmres && preconditioner_named(options.preconditioner).has_levels)
    return ": take a finer mesh, or the direct solver where memory allows";
  std::vector<const char*> others;
  if (method != KrylovMethod::bicgstabl) others.push_back("bicgstabl");
  if (!needs_symmetry(method)) others.push_back("cocr (for a symmetric matrix)");
  return fmt::format(": take {} or gmres with multilevel", fmt::join(others, ", "));
}

}  // namespace

Index coarse_unknowns(const IterativeOptions& options, const std::vector<Index>& block_offsets,
                      Index unknowns) {
  if (block_offsets.empty() || !preconditioner_named(options.preconditioner).has_levels) return unknowns;
  std::vector<Index> offsets = block_offsets;
  leave_out_empty_orders(offsets);
  return offsets[std::size_t(coarse_orders(options, offsets))];
}

void check(const IterativeOptions& options) {
  check(options.krylov);
  preconditioner_named(options.preconditioner);
  if (options.coarse_order < 0 || options.coarse_order > 3)
    throw InputError(fmt::format("coarse_order {}: must be 0 (automatic) to 3", options.coarse_order));
  if (options.subdomains < 1)
    throw InputError(fmt::format("subdomains {}: must be 1 or more", options.subdomains));
  if (options.coarse_vectors < 0)
    throw InputError(fmt::format("coarse_vectors {}: must be 0 (none) or more", options.coarse_vectors));
}

IterativeReport report_of(std::vector<KrylovReport> columns, double seconds,
                          const IterativeOptions& options) {
  IterativeReport report;
  report.columns = std::move(columns), report.seconds = seconds;
  for (const KrylovReport& column : report.columns) {
    report.iterations += column.iterations;
    report.relative_residual = std::max(report.relative_residual, column.relative_residual);
  }
  // Columns that did not start after the failure of another have max_iterations and no history.
  const auto bad = std::ranges::find_if(report.columns, [](const KrylovReport& c) {
    return !c.converged() && !(c.status == KrylovStatus::max_iterations && c.history.empty());
  });
  if (bad != report.columns.end())
    throw NumericalError(fmt::format("right-hand side {}: {} (preconditioner {}){}",
                                     bad - report.columns.begin() + 1, bad->message(options.krylov),
                                     options.preconditioner, cure(options, bad->status)));
  return report;
}

IterativeSolver::IterativeSolver(const IterativeOptions& options, std::vector<Index> block_offsets)
    : options_(options), offsets_(std::move(block_offsets)) {
  check(options_);
  leave_out_empty_orders(offsets_);
}
IterativeSolver::~IterativeSolver() = default;
IterativeSolver::IterativeSolver(IterativeSolver&&) noexcept = default;
IterativeSolver& IterativeSolver::operator=(IterativeSolver&&) noexcept = default;

const IterativeInfo& IterativeSolver::info() const {
  return info_;
}

/// Fills order_, unless it is the identity. @return first unknowns of the levels, and the end
std::vector<Index> IterativeSolver::sort_by_level(const Csr<Complex>& a, const LowRank& term) {
  std::vector<int> level = levels_of(a, term, offsets_, coarse_orders(options_, offsets_));
  move_slow_rows(a, level);
  std::vector<Index> order(level.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return level[std::size_t(i)] < level[std::size_t(j)]; });
  if (!std::is_sorted(order.begin(), order.end())) order_ = order;
  std::vector<Index> offsets{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = std::size_t(level[std::size_t(order[i])]);
    while (offsets.size() < at + 1) offsets.push_back(Index(i));
  }
  offsets.push_back(a.num_rows);
  return offsets;
}

void IterativeSolver::check_matrix(const Csr<Complex>& a, const LowRank& term) {
  if (a.num_rows != a.num_cols || a.num_rows != offsets_.back())
    throw InputError(fmt::format("iterative solver: the matrix is {} x {}, {} unknowns are expected",
                                 a.num_rows, a.num_cols, offsets_.back()));
  check_finite(a, "iterative solver");
  info_.asymmetry = asymmetry(a);
  info_.is_symmetric = info_.asymmetry < symmetric_to;
  const bool is_whole_symmetric = info_.is_symmetric && asymmetry(term) < symmetric_term_to;
  if (!is_whole_symmetric && needs_symmetry(options_.krylov.method))
    throw InputError(
        fmt::format("solver method {} needs a symmetric matrix and this one is not: take gmres or "
                    "bicgstab",
                    name_of(options_.krylov.method)));
}

void IterativeSolver::prepare(const Csr<Complex>& a, const LowRank& term, const CellMatrices* cells,
                              const LowerOrder* lower) {
  const Timer timer;
  backend_.reset();
  info_ = {};
  order_.clear();
  check_matrix(a, term);
  const Csr<Complex>* matrix = &a;
  LowRank sorted = term;
  std::vector<Index> levels = offsets_;
  if (lower == nullptr && preconditioner_named(options_.preconditioner).has_levels) {
    levels = sort_by_level(a, term);
    if (!order_.empty()) {
      permuted_ = permute(a, order_);
      matrix = &permuted_;
      if (!term.is_empty()) sorted = permute(term, order_);
    }
  }
  backend_ = make_iterative_backend(
      {*matrix, sorted, levels, info_.is_symmetric, cells, lower, &last_coarse_}, options_, info_);
  info_.prepare_seconds = timer.seconds();
  log::debug("{}: set-up {:.3f} s, the factorisation {:.3f} s of it", options_.preconditioner,
             info_.prepare_seconds, info_.coarse_seconds);
  if (preconditioner_named(options_.preconditioner).has_levels)
    log::info("{}: {} of {} unknowns are factorised", options_.preconditioner, info_.coarse_unknowns,
              a.num_rows);
}

void IterativeSolver::expect_lower(Csr<Complex> pattern) {
  const PreconditionerKind& kind = preconditioner_named(options_.preconditioner);
  const auto expect = options_.device == Device::cuda ? kind.expect_on_device : kind.expect;
  if (expect != nullptr) expect(std::move(pattern), options_, last_coarse_);
}

IterativeReport IterativeSolver::solve(const Complex* b, Complex* x, Index num_rhs,
                                       const std::vector<double>& tolerances) {
  if (!backend_) throw InputError("iterative solver: solve() was called before prepare()");
  const Offset n = offsets_.back();
  ColumnTransfer transfer;
  transfer.load = [&](Index k, Complex* to) {
    if (order_.empty()) std::copy_n(b + k * n, n, to);
    for (std::size_t i = 0; i < order_.size(); ++i) to[i] = b[k * n + order_[i]];
  };
  transfer.store = [&](Index k, const Complex* from) {
    if (order_.empty()) std::copy_n(from, n, x + k * n);
    for (std::size_t i = 0; i < order_.size(); ++i) x[k * n + order_[i]] = from[i];
  };
  transfer.tolerance = [&](Index k) {
    return tolerances.empty() ? options_.krylov.tolerance : tolerances[std::size_t(k)];
  };
  const Timer timer;
  std::vector<KrylovReport> columns = backend_->solve(num_rhs, transfer);
  const double seconds = timer.seconds();
  log::debug("{}: {:.3f} s", name_of(options_.krylov.method), seconds);
  return report_of(std::move(columns), seconds, options_);
}

}  // namespace curlew::linalg
