// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/iterative_backend.hpp"

#include <algorithm>

#include "base/threads.hpp"
#include "curlew/build.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/levels.hpp"
#include "linalg/sparse/crs_operator.hpp"

namespace curlew::linalg {
namespace {

class HostSide final : public IterativeBackend {
 public:
  HostSide(const SortedSystem& system, const IterativeOptions& o, const std::vector<Index>& levels,
           IterativeInfo& info)
      : options_(o) {
    const Csr<Complex>& a = system.a;
    const bool has_levels = o.preconditioner == Preconditioner::multilevel;
    const LowRank term = has_levels ? first_rows(system.term, levels[1]) : LowRank();
    DirectOptions direct = coarse_direct_options(o, info);
    direct.single_precision = has_levels && takes_short_factors(o, levels[1] < levels.back() ? 2 : 1);
    options_.krylov.flexible = direct.single_precision;
    if (has_levels)
      coarse_ = std::make_unique<CoarseLevel<LinearOperator<Complex>>>(
          a, with_term(make_coarse_solver(levels[1], direct, coarse_schwarz_options(o)), term));
    if (info.asymmetry == 0)
      matrix_ = std::make_unique<SymmetricOperator<double>>(a);
    else
      matrix_ = std::make_unique<CrsOperator<Complex>>(a);
    if (!system.term.is_empty()) sum_ = make_sum(*matrix_, system.term);
    if (o.preconditioner == Preconditioner::jacobi) preconditioner_ = std::make_unique<Jacobi<Complex>>(a);
    if (has_levels) {
      preconditioner_ =
          std::make_unique<Multilevel<Complex>>(a, levels, coarse_->solver(), options_.multilevel);
      coarse_->finish(info);
    }
  }

  std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) override {
    const int width = affordable_columns(options_, matrix_->size(), num_rhs, available_memory());
    if (!columns_ || columns_->width() < width)
      columns_ = make_krylov_columns(sum_ ? *sum_ : *matrix_, preconditioner_.get(), options_.krylov, width);
    return columns_->solve(num_rhs, transfer);
  }

 private:
  IterativeOptions options_;
  std::unique_ptr<CoarseLevel<LinearOperator<Complex>>> coarse_;
  std::unique_ptr<LinearOperator<Complex>> matrix_, sum_, preconditioner_;
  std::unique_ptr<KrylovColumns> columns_;
};

}  // namespace

DirectOptions coarse_direct_options(const IterativeOptions& options, const IterativeInfo& info) {
  DirectOptions direct = options.direct;
  direct.symmetry = info.is_symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
  return direct;
}

SchwarzOptions coarse_schwarz_options(const IterativeOptions& options) {
  const KrylovMethod method = options.krylov.method;
  SchwarzOptions schwarz;
  schwarz.parts = options.subdomains;
  schwarz.symmetric = method == KrylovMethod::cocg || method == KrylovMethod::cocr;
  schwarz.vectors = schwarz.symmetric ? 0 : options.coarse_vectors;
  schwarz.overlap = schwarz.vectors > 0 ? 3 : 2;  // measured: docs/measured/solvers.md
  return schwarz;
}

int affordable_columns(const IterativeOptions& options, Index unknowns, Index num_rhs, std::size_t memory) {
  const std::size_t one =
      std::size_t(krylov_vectors(options.krylov) + 4) * std::size_t(unknowns) * sizeof(Complex);
  const std::size_t fit = memory / 2 / std::max<std::size_t>(one, 1);
  const std::size_t wanted = std::size_t(std::min<Index>(options.columns, num_rhs));
  return int(std::max<std::size_t>(1, std::min(wanted, fit)));
}

std::unique_ptr<IterativeBackend> make_iterative_backend(const SortedSystem& system,
                                                         const IterativeOptions& options,
                                                         const std::vector<Index>& levels,
                                                         IterativeInfo& info) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) return make_device_backend(system, options, levels, info);
#endif
  return std::make_unique<HostSide>(system, options, levels, info);
}

}  // namespace curlew::linalg
