// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/spread_solver.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "linalg/attempt.hpp"
#include "linalg/krylov/levels.hpp"
#include "linalg/krylov/loop.hpp"
#include "linalg/krylov/multilevel_cycle.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"
#include "linalg/krylov/slow_rows.hpp"
#include "linalg/krylov/spread_backend.hpp"
#include "linalg/krylov/spread_coarse.hpp"
#include "linalg/krylov/spread_smoother.hpp"

namespace curlew::linalg {
namespace {

/// A product with the preconditioner's matrix, and the end of both.
struct MultiplySpread {};
struct EndSpread {};

using V = complex<double>;
using Cycle = MultilevelCycle<HostBackend, double>;

void broadcast(const ProcessGroup& group, Csr<Complex>& a) {
  group.broadcast(&a.num_rows, sizeof a.num_rows);
  group.broadcast(&a.num_cols, sizeof a.num_cols);
  broadcast_values(group, a.row_offsets);
  broadcast_values(group, a.columns);
  broadcast_values(group, a.values);
}

/// Levels of all unknowns, of which each process decides on its own.
class LevelChoice {
 public:
  LevelChoice(const ProcessGroup& group, const std::vector<Index>& owner) : group_(group), owner_(owner) {}

  /// @returns [num_rows] of all processes @param level of the own rows
  std::vector<Index> agree(std::vector<int> level) const {
    for (std::size_t i = 0; i < level.size(); ++i)
      if (owner_[i] != group_.rank()) level[i] = -1;
    group_.largest(level.data(), level.size());
    return level;
  }
  /// Entries between unknowns of one level above the lowest, in own rows and the layer around them.
  Csr<Complex> layered(const Csr<Complex>& a, const std::vector<Index>& level) const {
    return with_layer(group_, same_level(a, level), owner_);
  }
  static Csr<Complex> same_level(const Csr<Complex>& a, const std::vector<Index>& level) {
    return kept_entries(a, [&](Index i, Index j) {
      return level[std::size_t(i)] > 0 && level[std::size_t(i)] == level[std::size_t(j)];
    });
  }
  /// @param layered as above
  std::vector<Index> without_slow_rows(const Csr<Complex>& layered, std::vector<Index> level) const {
    std::vector<int> here = level;
    for (Index i = 0; i < layered.num_rows; ++i)
      if (layered.row_offsets[std::size_t(i)] == layered.row_offsets[std::size_t(i) + 1])
        here[std::size_t(i)] = std::min(here[std::size_t(i)], -1);
    on_each(group_, [&] { move_slow_rows_of_part(layered, here); });
    for (std::size_t i = 0; i < level.size(); ++i)
      if (here[i] >= 0) level[i] = here[i];
    level = agree(std::move(level));
    join_the_rest(level);
    return level;
  }

 private:
  const ProcessGroup& group_;
  const std::vector<Index>& owner_;
};

using Smoothers = std::vector<std::shared_ptr<const SpreadSmoother>>;

/// Smoothers of the levels above the lowest. @param layered is freed
Smoothers smoothers_of(const SpreadRows& rows, Csr<Complex> layered) {
  Smoothers smoothers;
  for (int l = 1; l < rows.levels(); ++l)
    smoothers.push_back(std::make_shared<const SpreadSmoother>(rows, layered, l));
  return smoothers;
}

/// Levels above the lowest: their sweeps, and the blocks between them.
std::vector<Cycle::Level> levels_above(const SpreadRows& rows, const std::shared_ptr<const SpreadMatrix>& a,
                                       const Smoothers& smoothers) {
  std::vector<Cycle::Level> levels;
  for (int l = 1; l < rows.levels(); ++l) {
    Cycle::Level level;
    level.sweep = [smoother = smoothers[std::size_t(l - 1)]](bool forward, Columns<const V> r, Columns<V> z,
                                                             Index n) {
      for (Index c = 0; c < n; ++c)
        smoother->sweep(forward, reinterpret_cast<const Complex*>(&r(0, c)),
                        reinterpret_cast<Complex*>(&z(0, c)));
    };
    const auto block = [&](Levels of_rows, Levels of_columns) {
      return std::make_unique<SpreadBlock>(rows, a, of_rows, of_columns);
    };
    level.to_lower = block({0, l}, {l, l + 1}), level.from_lower = block({l, l + 1}, {0, l});
    levels.push_back(std::move(level));
  }
  return levels;
}

class SpreadMultilevel final : public LinearOperator<Complex> {
 public:
  SpreadMultilevel(const SpreadRows& rows, std::vector<Cycle::Level> levels,
                   const LinearOperator<Complex>& coarse, const MultilevelOptions& options)
      : size_(rows.offsets().back()),
        cycle_(std::make_unique<Cycle>(backend_, rows.offsets(), coarse, options, std::move(levels))) {}
  Index size() const override { return size_; }
  void apply(const Complex* r, Complex* z) const override {
    cycle_->apply({reinterpret_cast<const V*>(r), size_}, {reinterpret_cast<V*>(z), size_}, 1);
  }

 private:
  Index size_;
  HostBackend backend_;
  std::unique_ptr<Cycle> cycle_;
};

/// A matrix distributed to the owners of its rows, entries of equal row and column added, and its levels.
class DealtMatrix {
 public:
  /// @param given outlives it
  DealtMatrix(const ProcessGroup& group, Csr<Complex>& given, const LowRank& term,
              const std::vector<Index>& offsets, const IterativeOptions& options)
      : given_(given) {
    on_each(group, [&] { check_finite(given, "iterative solver"); });
    owner = owners_of(group, given);
    summed_ = give_to_owners(group, given, owner);
    const LevelChoice choice(group, owner);
    level = choice.agree(levels_of(own(), term, offsets, coarse_orders(options, offsets), &group));
    layered = choice.layered(own(), level);
    level = choice.without_slow_rows(layered, level);
    layered = LevelChoice::same_level(layered, level);
  }
  const Csr<Complex>& own() const { return summed_ ? *summed_ : given_; }
  /// Frees its entries and the given ones, which are no longer needed.
  void give_back() {
    summed_.reset();
    given_ = {given_.num_rows, given_.num_cols, {0}, {}, {}};
  }

  std::vector<Index> owner, level;
  Csr<Complex> layered;

 private:
  Csr<Complex>& given_;
  std::optional<Csr<Complex>> summed_;
};

// Tolerance of the coarse level's factors: at 1 million unknowns they take 30 % of the operations, and their
// relative residual, 1e-3, does not change the number of iterations. Three times the tolerance gives half of
// the largest permitted residual (short_factors.cpp).
constexpr double coarse_block_tolerance = 3e-4;

/// @param options set for this matrix
IterativeOptions with_short_factors(IterativeOptions options, const SpreadRows& rows) {
  options.direct.single_precision = takes_short_factors(options, rows.levels());
  options.krylov.flexible = options.direct.single_precision;
  if (options.direct.single_precision) options.direct.block_tolerance = coarse_block_tolerance;
  return options;
}

}  // namespace

/// The prepared state of one matrix.
class SpreadSolver::System {
 public:
  /// @param rows, matrix are given back before the coarse level is factored, which takes most of the memory
  System(std::unique_ptr<const SpreadRows> rows, DealtMatrix& matrix, const LowRank& term,
         const IterativeOptions& options)
      : own_(rows->own().size()),
        gathering_(rows->group(), rows->own()),
        term_(*rows, term),
        smoothers_(smoothers_of(*rows, std::move(matrix.layered))),
        entries_(std::make_shared<const SpreadMatrix>(*rows, matrix.own())),
        levels_(levels_above(*rows, entries_, smoothers_)),
        matrix_(*rows, entries_, {0, rows->levels()}, {0, rows->levels()}),
        coarse_(*rows, matrix.own(), term, options.direct),
        sum_(matrix_, term_),
        preconditioner_(*rows, std::move(levels_), coarse_, options.multilevel),
        backend_(rows->group()),
        loop_(backend_, sum_, &preconditioner_, options.krylov) {
    rows.reset();
    matrix.give_back();
    coarse_.factor(term);
  }

  const SpreadCoarse& coarse() const { return coarse_; }
  KrylovReport solve(const Complex* b, Complex* x, double tolerance) {
    std::vector<Complex> own_b(own_), own_x(own_);
    gathering_.scatter(b, own_b.data());
    loop_.set_tolerance(tolerance);
    KrylovReport report =
        loop_.solve(reinterpret_cast<const V*>(own_b.data()), reinterpret_cast<V*>(own_x.data()));
    gathering_.gather(own_x.data(), x);
    return report;
  }
  /// y = A x, without the term.
  void multiply(const Complex* x, Complex* y) const {
    std::vector<Complex> own_x(own_), own_y(own_);
    gathering_.scatter(x, own_x.data());
    matrix_.apply(own_x.data(), own_y.data());
    gathering_.gather(own_y.data(), y);
  }

 private:
  std::size_t own_;
  Gathering gathering_;
  SpreadTerm term_;
  Smoothers smoothers_;  // first: the layer is freed before the entries are copied
  std::shared_ptr<const SpreadMatrix> entries_;
  std::vector<Cycle::Level> levels_;  // until they move to the preconditioner
  SpreadBlock matrix_;
  SpreadCoarse coarse_;
  SpreadSum sum_;
  SpreadMultilevel preconditioner_;
  SpreadBackend backend_;
  KrylovLoop<SpreadBackend, double> loop_;
};

namespace {

/// A step of all processes. Errors are collective; an exception of one process alone (memory) ends it, and
/// mpirun ends all others.
template <class Work>
auto together(const Work& work) {
  const InterruptHold hold;  // process 0 cannot leave a collective step
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (...) {
    std::terminate();
  }
}

}  // namespace

bool can_spread(const IterativeOptions& options, Device device) {
  return options.krylov.method == KrylovMethod::gmres &&
         preconditioner_named(options.preconditioner).can_spread && options.subdomains == 1 &&
         device == Device::cpu;
}

SpreadSolver::SpreadSolver(const IterativeOptions& options, std::vector<Index> block_offsets)
    : options_(options), offsets_(std::move(block_offsets)) {
  check(options_);
  leave_out_empty_orders(offsets_);
}

SpreadSolver::~SpreadSolver() {
  if (system_ && processes().rank() == 0) processes().announce(EndSpread{});
}

void SpreadSolver::forget() {
  system_.reset();
}

void SpreadSolver::prepare(Csr<Complex>& own, const LowRank& term) {
  processes().announce(PrepareSpread{});
  together([&] { prepare_together(own, term); });
  log::info("multilevel: {} of {} unknowns are factorised", info_.coarse_unknowns, own.num_rows);
  const DirectInfo& coarse = system_->coarse().info();
  log::debug(
      "multilevel: {:.2f} s, of which {:.2f} s of analysis and {:.2f} s of factors on the coarse level: {} "
      "ordering, {:.2g} operations, {:.2g} without blocks of low rank",
      info_.prepare_seconds, coarse.analyse_seconds, coarse.factor_seconds, coarse.ordering,
      coarse.factor_flops, coarse.uncompressed_flops);
}

void SpreadSolver::prepare_together(Csr<Complex>& own, LowRank term) {
  const Timer timer;
  broadcast(processes(), term.left), broadcast(processes(), term.right);
  system_.reset();
  DealtMatrix matrix(processes(), own, term, offsets_, options_);
  auto rows =
      std::make_unique<const SpreadRows>(processes(), std::move(matrix.owner), std::move(matrix.level));
  const IterativeOptions options = with_short_factors(options_, *rows);
  system_ = std::make_unique<System>(std::move(rows), matrix, term, options);
  const DirectInfo& coarse = system_->coarse().info();
  info_.coarse_library = coarse.library, info_.coarse_unknowns = coarse.unknowns;
  info_.coarse_flops = coarse.factor_flops, info_.uncompressed_coarse_flops = coarse.uncompressed_flops;
  info_.prepare_seconds = timer.seconds();
}

IterativeReport SpreadSolver::solve(const Complex* b, Complex* x, Index num_rhs,
                                    const std::vector<double>& tolerances) {
  processes().announce(SolveSpread{num_rhs});
  const Timer timer;
  std::vector<double> of_columns = tolerances;
  if (of_columns.empty()) of_columns.assign(std::size_t(num_rhs), options_.krylov.tolerance);
  const double before = system_->coarse().apply_seconds();
  auto columns = together([&] { return solve_together(b, x, num_rhs, of_columns); });
  log::debug("{}: {:.2f} s, of which {:.2f} s on the coarse level", name_of(options_.krylov.method),
             timer.seconds(), system_->coarse().apply_seconds() - before);
  return report_of(std::move(columns), timer.seconds(), options_);
}

std::vector<KrylovReport> SpreadSolver::solve_together(const Complex* b, Complex* x, Index num_rhs,
                                                       std::vector<double> tolerances) {
  broadcast_values(processes(), tolerances);
  const bool leads = processes().rank() == 0;
  std::vector<KrylovReport> reports;
  for (Index k = 0; k < num_rhs; ++k) {
    const Offset first = leads ? Offset(k) * offsets_.back() : 0;
    reports.push_back(system_->solve(b + first, x + first, tolerances[std::size_t(k)]));
    if (!reports.back().converged()) break;
  }
  return reports;
}

void SpreadSolver::multiply(const Complex* x, Complex* y) const {
  processes().announce(MultiplySpread{});
  together([&] { system_->multiply(x, y); });
}

/// Errors are collective, and process 0 reports them.
bool SpreadSolver::join(const GroupStep& step, Csr<Complex>& own) {
  const bool is_set_up = step.is<PrepareSpread>();
  const auto solution = step.as<SolveSpread>();
  if (is_set_up || solution) {
    try {
      together([&] {
        if (is_set_up)
          prepare_together(own, {});
        else
          solve_together(nullptr, nullptr, solution->num_rhs, {});
      });
    } catch (const Error&) {
    }
    return true;
  }
  if (step.is<MultiplySpread>()) {
    together([&] { system_->multiply(nullptr, nullptr); });
    return true;
  }
  if (!step.is<EndSpread>()) return false;
  system_.reset();
  return true;
}

}  // namespace curlew::linalg
