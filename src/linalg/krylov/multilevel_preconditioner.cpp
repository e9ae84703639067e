// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/coarse_level.hpp"
#include "linalg/krylov/levels.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"

namespace curlew::linalg {
namespace {

SchwarzOptions coarse_schwarz_options(const IterativeOptions& options) {
  SchwarzOptions schwarz;
  schwarz.parts = options.subdomains;
  schwarz.symmetric = needs_symmetry(options.krylov.method);
  schwarz.vectors = schwarz.symmetric ? 0 : options.coarse_vectors;
  schwarz.overlap = schwarz.vectors > 0 ? 3 : 2;  // measured: docs/measured/solvers.md
  return schwarz;
}

template <class M>
class MultilevelPreconditioner final : public Preconditioner<M> {
 public:
  using Operator = typename M::Operator;

  MultilevelPreconditioner(const PreconditionedSystem& system, const IterativeOptions& options,
                           ComingProduct<M> product)
      : a_(system.a),
        levels_(system.levels),
        options_(options.multilevel),
        direct_(direct_options(options, system.is_symmetric,
                               system.lower != nullptr || system.levels[1] < system.levels.back() ? 2 : 1)),
        lower_(system.lower),
        coarse_(lower_ != nullptr ? lower_->matrix : a_, coarse_solver(system, options)),
        made_(std::async(std::launch::async, [this, product = std::move(product), threads = num_threads()] {
          set_num_threads_here(threads);
          return lower_ != nullptr ? M::lower_order(a_, product, *lower_, coarse_.solver(), options_)
                                   : M::multilevel(a_, levels_, coarse_.solver(), options_);
        })) {}

  const Operator& finish(IterativeInfo& info) override {
    cycle_ = made_.get();
    coarse_.finish(info);
    return *cycle_;
  }
  bool is_inexact() const override { return direct_.single_precision; }

  /// Early analysis, for symmetric matrices only.
  static void expect(Csr<Complex> pattern, const IterativeOptions& options, LastCoarse& last) {
    const SchwarzOptions schwarz = coarse_schwarz_options(options);
    if (schwarz.parts > 1) return;
    const Index size = pattern.num_rows;
    const DirectOptions direct = direct_options(options, true, 2);
    if (last.serves(size, direct)) return;
    last = {};
    std::shared_ptr<CoarseSolver<Operator>> solver = M::coarse(size, direct, schwarz);
    solver->begin(std::move(pattern));
    last = {std::move(solver), size, direct};
  }

 private:
  static DirectOptions direct_options(const IterativeOptions& options, bool is_symmetric, int levels) {
    DirectOptions direct = options.direct;
    direct.symmetry = is_symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
    direct.single_precision = takes_short_factors(options, levels);
    return direct;
  }
  std::shared_ptr<CoarseSolver<Operator>> coarse_solver(const PreconditionedSystem& system,
                                                        const IterativeOptions& options) const {
    const Index size = lower_ != nullptr ? lower_->matrix.num_rows : levels_[1];
    auto solver = analysed_solver(size, coarse_schwarz_options(options), system.last);
    return lower_ != nullptr ? solver : with_term(std::move(solver), first_rows(system.term, size));
  }
  /// The previous solver if its analysis fits; subdomains are made again.
  std::shared_ptr<CoarseSolver<Operator>> analysed_solver(Index size, const SchwarzOptions& schwarz,
                                                          LastCoarse* last) const {
    if (last == nullptr || schwarz.parts > 1) return M::coarse(size, direct_, schwarz);
    if (!last->serves(size, direct_)) {
      *last = {};  // frees it before another is made
      *last = {std::shared_ptr<CoarseSolver<Operator>>(M::coarse(size, direct_, schwarz)), size, direct_};
    }
    return std::static_pointer_cast<CoarseSolver<Operator>>(last->solver);
  }

  const Csr<Complex>& a_;
  std::vector<Index> levels_;
  MultilevelOptions options_;
  DirectOptions direct_;
  const LowerOrder* lower_;
  CoarseLevel<Operator> coarse_;
  std::unique_ptr<Operator> cycle_;
  std::future<std::unique_ptr<Operator>> made_;  // last: its destructor waits for its thread
};

constexpr PreconditionerKind with_levels(PreconditionerKind kind) {
  kind.has_levels = kind.can_spread = true;
  kind.expect = MultilevelPreconditioner<HostMemory>::expect;
#ifdef CURLEW_HAVE_CUDA
  kind.expect_on_device = MultilevelPreconditioner<DeviceMemory>::expect;
#endif
  return kind;
}

}  // namespace

constexpr PreconditionerKind multilevel_kind =
    with_levels(preconditioner_kind<MultilevelPreconditioner>("multilevel"));

}  // namespace curlew::linalg
