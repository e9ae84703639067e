// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "linalg/krylov/coarse_level.hpp"
#include "linalg/krylov/levels.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"

namespace curlew::linalg {
namespace {

// Rows of a subdomain before it is grown. Smaller ones need fewer functions each and keep more threads busy.
constexpr Index rows_of_part = 7'500, least_parts = 8;
constexpr int overlap = 2;

template <class M>
class SubdomainPreconditioner final : public Preconditioner<M> {
 public:
  using Operator = typename M::Operator;

  SubdomainPreconditioner(const PreconditionedSystem& system, const IterativeOptions& options)
      : direct_(direct_options(system, options)),
        level_(system.a, with_term(M::coarse(system.a.num_rows, direct_, schwarz_options(system, options)),
                                   system.term)) {}

  const Operator& finish(IterativeInfo& info) override {
    level_.finish(info);
    return level_.solver();
  }
  bool is_inexact() const override { return direct_.single_precision; }

 private:
  static DirectOptions direct_options(const PreconditionedSystem& system, const IterativeOptions& options) {
    DirectOptions direct = options.direct;
    direct.symmetry = system.is_symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
    direct.single_precision = may_shorten_factors(options);
    return direct;
  }
  static SchwarzOptions schwarz_options(const PreconditionedSystem& system, const IterativeOptions& options) {
    SchwarzOptions schwarz;
    schwarz.parts =
        options.subdomains > 1 ? options.subdomains : std::max(least_parts, system.a.num_rows / rows_of_part);
    schwarz.symmetric = needs_symmetry(options.krylov.method);
    schwarz.vectors = schwarz.symmetric ? 0 : options.coarse_vectors;
    schwarz.overlap = overlap;
    schwarz.cells = system.cells;
    return schwarz;
  }

  DirectOptions direct_;
  CoarseLevel<Operator> level_;
};

}  // namespace

constexpr PreconditionerKind subdomains_kind = preconditioner_kind<SubdomainPreconditioner>("subdomains");

}  // namespace curlew::linalg
