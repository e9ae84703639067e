// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/system_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.hpp"
#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "linalg/direct/graded_factors.hpp"
#include "linalg/direct/mumps.hpp"
#include "linalg/krylov/factor_iteration.hpp"
#include "linalg/krylov/levels.hpp"
#include "linalg/krylov/method_choice.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/direct/cudss.hpp"
#endif

namespace curlew::linalg {
namespace {

// Unknowns from which complex factors in single precision make whole runs at least 1.3 times faster.
// Real ones do not: factorisation takes little time compared with the solutions
// (docs/measured/solvers.md).
constexpr Index single_from = 100'000;
// Ratio of the times of factors in single and in double precision.
constexpr double time_in_single = 0.6;

/// The analysis chose an iterative solver for a distributed matrix.
struct IterateInstead {};

Device device_of_direct(const SystemOptions& o) {
#ifdef CURLEW_HAVE_CUDA
  if (o.device == Device::cuda && has_cudss()) return Device::cuda;
#endif
  static_cast<void>(o);
  return Device::cpu;
}

/// Whether several processes factor together, as process 0 decides.
bool is_shared(const SystemOptions& o) {
  return o.direct.processes != nullptr && is_first(o.direct.processes);
}

SystemReport report_of(const RefinedSolution& s) {
  return {"direct", 1, s.residual, {}, s.at_rounding ? s.backward_error : 0};
}

}  // namespace

Substitution::Substitution(const RefinedSolution& direct, double tolerance)
    : is_right(is_solved(direct, tolerance)), report(report_of(direct)), refined(direct) {}

SystemSolver::SystemSolver(const SystemOptions& options, std::vector<Index> block_offsets)
    : options_(options), block_offsets_(std::move(block_offsets)) {
  if (options_.spread && options_.iterative && !options_.automatic) {
    const ProcessGroup& group = *options_.direct.processes;
    if (group.rank() == 0)
      group.announce(SystemBegins{});
    else
      await_step<SystemBegins>(group);
    make_spread();
  } else if (options_.spread) {
    auto solver = make_shared_mumps(options_.direct);
    shared_ = solver.get();
    direct_ = std::move(solver);
  } else if (options_.iterative && !options_.automatic) {
    make_iterative();
  } else {
    direct_ = is_shared(options_) ? make_mumps_of_group(options_.direct)
                                  : make_direct_solver<Complex>(options_.direct, device_of_direct(options_));
  }
}
SystemSolver::~SystemSolver() = default;
SystemSolver::SystemSolver(SystemSolver&&) noexcept = default;
SystemSolver& SystemSolver::operator=(SystemSolver&&) noexcept = default;

/// A direct solver of this process alone may take cheaper numbers than complex ones in double precision.
void SystemSolver::choose_numbers() {
  const bool is_alone = direct_ && shared_ == nullptr && !is_shared(options_);
  const FactorNumbers numbers = options_.numbers;
  if (!is_alone || device_of_direct(options_) != Device::cpu || numbers == FactorNumbers::complex_double)
    return;
  DirectOptions options = options_.direct;
  options.real_values = is_closed_ = expects_real_;
  options.single_precision =
      numbers == FactorNumbers::single_precision ||
      (numbers == FactorNumbers::automatic && !expects_real_ && info_.unknowns >= single_from);
  if (options.real_values || options.single_precision) direct_ = make_graded_factors(options);
}

void SystemSolver::make_iterative() {
  if (is_shared(options_)) log::warn("Krylov methods run on one process: the others stay idle");
  IterativeOptions o = *options_.iterative;
  o.direct = options_.direct, o.device = options_.device;
  iterative_ = std::make_unique<IterativeSolver>(o, block_offsets_);
  info_.library = fmt::format("{}, preconditioner {}", name_of(o.krylov.method), o.preconditioner);
}

void SystemSolver::make_spread() {
  IterativeOptions o = *options_.iterative;
  o.direct = options_.direct;
  spread_ = std::make_unique<SpreadSolver>(o, block_offsets_);
  info_.library = fmt::format("{}, preconditioner {} on {} processes with distributed assembly",
                              name_of(o.krylov.method), o.preconditioner, o.direct.processes->size());
}

SystemInfo SystemSolver::info() const {
  if (!direct_) return info_;
  SystemInfo info{direct_->info(), info_.choice};
  return info;
}

/// The analysis of the direct solver gives the best estimate. It is done unless the factors are far too large
/// or it is expected to take longer than the full iterative solution.
void SystemSolver::choose(const Csr<Complex>& a) {
  const bool on_gpu = device_of_direct(options_) == Device::cuda;
  const DeviceInfo gpu = options_.device == Device::cuda ? device_info() : DeviceInfo{};
  const int processes = options_.spread ? options_.direct.processes->size() : 1;
  const SolverMachine machine{num_threads() * processes, available_memory(), options_.device == Device::cuda,
                              on_gpu, gpu.free_memory};
  SolverDemand demand;
  demand.unknowns = a.num_rows, demand.nonzeros = a.nnz() * processes * (takes_triangle() ? 2 : 1);
  demand.coarse_unknowns = coarse_unknowns(*options_.iterative, block_offsets_, a.num_rows);
  demand.right_hand_sides = std::max(options_.right_hand_sides, 1), demand.frequencies = options_.frequencies;
  IterativeOptions iterative = *options_.iterative;
  iterative.device = options_.device;
  demand.short_factors = takes_short_factors(iterative, demand.coarse_unknowns < demand.unknowns ? 2 : 1);
  const MethodChoice first = choose_method(demand, machine);
  const bool is_settled = first.is_iterative && first.iterative.seconds < first.analysis;
  if (!is_settled &&
      expected_factor_bytes(a.num_rows) < 2 * (on_gpu ? machine.device_memory : machine.memory)) {
    direct_->analyse(a);
    demand.factor_flops =
        (direct_->info().has_single_precision ? time_in_single : 1.0) * direct_->info().factor_flops;
    demand.factor_bytes = direct_->info().estimated_bytes;
    demand.is_analysed = true;
  }
  const MethodChoice choice = choose_method(demand, machine);
  info_.choice = choice.reason;
  if (!choice.is_iterative) return;
  direct_.reset();
  shared_ = nullptr;
  if (options_.spread) {
    options_.direct.processes->announce(IterateInstead{});
    make_spread();
  } else {
    make_iterative();
  }
  info_.estimated_bytes = choice.iterative.bytes;
}

void SystemSolver::analyse(const Csr<Complex>& a) {
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
  choose_numbers();
  if (options_.automatic && direct_ &&
      (options_.spread ? can_spread(*options_.iterative, options_.device) : !is_shared(options_)))
    choose(a);
  else if (direct_)
    direct_->analyse(a);
}

void SystemSolver::prepare(const Csr<Complex>& a, const LowRank& term, const CellMatrices* cells,
                           const LowerOrder* lower) {
  matrix_ = &a;
  sum_ = nullptr;
  if (direct_) return direct_->factor(a);
  iterative_->prepare(a, term, cells, lower);
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
}

void SystemSolver::prepare_own(Csr<Complex>& own, const LowRank& term) {
  if (!spread_) return prepare(own, term);
  matrix_ = nullptr, sum_ = nullptr;
  info_.unknowns = own.num_rows, info_.entries = own.nnz();
  spread_->prepare(own, term);
}

void SystemSolver::multiply(const Csr<Complex>& own, const Complex* x, Complex* y) const {
  if (spread_) return spread_->multiply(x, y);
  shared(own).multiply(x, y);
}

void SystemSolver::prepare(const MatrixSum& a) {
  auto* solver = dynamic_cast<SumSolver*>(direct_.get());
  if (solver == nullptr) return prepare(a.matrix());
  matrix_ = &a.pattern();
  sum_ = &a;
  solver->factor_sum(a);
}

SharedMatrix<Complex> SystemSolver::shared(const Csr<Complex>& own) const {
  if (spread_) return {own, Symmetry::unsymmetric, *options_.direct.processes};
  if (shared_ == nullptr) return SharedMatrix<Complex>(own);
  return {own, options_.direct.symmetry, *options_.direct.processes};
}

bool SystemSolver::join(const GroupStep& step, Csr<Complex>& own) {
  if (shared(own).join(step)) return true;
  if (spread_) return spread_->join(step, own);
  if (step.is<IterateInstead>()) {
    direct_.reset();
    shared_ = nullptr;
    make_spread();
    return true;
  }
  const auto call = step.as<MumpsCall>();
  if (!call || call->instance != shared_->instance()) return false;
  shared_->join(call->job, own);
  return true;
}

SharedMatrix<Complex> SystemSolver::prepared() const {
  if (sum_ == nullptr) return shared(*matrix_);
  return SharedMatrix<Complex>(*matrix_, [this] { sum_->matrix(); });
}

RefinedSystem<Complex> SystemSolver::refined_system() {
  const SharedMatrix<Complex> a = prepared();
  return {a.num_rows(), [a](const Complex* x, Complex* y, Index n) { a.multiply(x, y, n); },
          [this](const Complex* r, Complex* z, Index n) { substitute(r, z, n); },
          [a] { return a.norm_max(); }, direct_->info().has_single_precision};
}

Substitution SystemSolver::refine(const RefinedSystem<Complex>& system, const Complex* b, Complex* x,
                                  Index num_rhs) const {
  const double tolerance = options_.tolerance;
  return {linalg::refine(system, b, x, num_rhs, tolerance, RefinedFrom::given,
                         Accelerate<Complex>(iterate_over_factors)),
          tolerance};
}

Substitution SystemSolver::substitute(const Complex* b, Complex* x, Index num_rhs) {
  if (!direct_) return Substitution(solve_iteratively(b, x, num_rhs, {}));
  const double tolerance = options_.tolerance;
  if (!is_closed_ && !direct_->info().has_single_precision)
    return {linalg::refine(*direct_, prepared(), b, x, num_rhs, tolerance), tolerance};
  std::copy_n(b, std::size_t(matrix_->num_rows) * std::size_t(num_rhs), x);
  direct_->solve(x, num_rhs);
  return {};
}

SystemReport SystemSolver::solve(const Complex* b, Complex* x, Index num_rhs,
                                 const std::vector<double>& tolerances) {
  if (direct_)
    return report_of(solve_refined(*direct_, prepared(), b, x, num_rhs, options_.tolerance,
                                   Accelerate<Complex>(iterate_over_factors)));
  return solve_iteratively(b, x, num_rhs, tolerances);
}

SystemReport SystemSolver::solve_iteratively(const Complex* b, Complex* x, Index num_rhs,
                                             const std::vector<double>& tolerances) {
  const IterativeReport all =
      spread_ ? spread_->solve(b, x, num_rhs, tolerances) : iterative_->solve(b, x, num_rhs, tolerances);
  SystemReport report{
      name_of(options_.iterative->krylov.method), all.iterations, all.relative_residual, {}, 0};
  const auto slowest = std::ranges::max_element(all.columns, {}, &KrylovReport::iterations);
  if (slowest != all.columns.end()) report.history = slowest->residuals;
  return report;
}

}  // namespace curlew::linalg
