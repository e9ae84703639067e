// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/iterative_backend.hpp"

#include <algorithm>
#include <future>

#include "curlew/build.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"

namespace curlew::linalg {
namespace {

template <class M>
class BackendIn final : public IterativeBackend {
 public:
  using Operator = typename M::Operator;

  BackendIn(const PreconditionedSystem& system, const IterativeOptions& options,
            PreconditionerKind::Make<M> make, IterativeInfo& info)
      : options_(options) {
    std::promise<const Operator*> product;  // behind the preconditioner that waits for it, if an error comes
    if (make != nullptr) preconditioner_ = make(system, options, product.get_future());
    options_.krylov.flexible = preconditioner_ && preconditioner_->is_inexact();
    matrix_ = M::product(system.a, info.asymmetry == 0, options_.krylov);
    product.set_value(matrix_.get());
    if (!system.term.is_empty()) sum_ = M::sum(*matrix_, system.term);
    if (preconditioner_) m_ = &preconditioner_->finish(info);
  }

  std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) override {
    const int width = columns_at_once(num_rhs);
    if (!columns_ || columns_->width() < width)
      columns_ = make_krylov_columns(sum_ ? *sum_ : *matrix_, m_, options_.krylov, width);
    return columns_->solve(num_rhs, transfer);
  }

 private:
  int columns_at_once(Index num_rhs) const {
    // Recorded iterations need no host; columns that wait for each other would lose more time than they gain.
    if constexpr (M::is_device)
      if (m_ == nullptr || m_->is_recordable()) return 1;
    return affordable_columns(options_, matrix_->size(), num_rhs, M::free_bytes());
  }

  IterativeOptions options_;
  std::unique_ptr<Operator> matrix_, sum_;
  std::unique_ptr<Preconditioner<M>> preconditioner_;  // behind the product that it may use
  const Operator* m_ = nullptr;
  std::unique_ptr<KrylovColumns> columns_;
};

}  // namespace

int affordable_columns(const IterativeOptions& options, Index unknowns, Index num_rhs, std::size_t memory) {
  const std::size_t one =
      std::size_t(krylov_vectors(options.krylov) + 4) * std::size_t(unknowns) * sizeof(Complex);
  const std::size_t fit = memory / 2 / std::max<std::size_t>(one, 1);
  const std::size_t wanted = std::size_t(std::min<Index>(options.columns, num_rhs));
  return int(std::max<std::size_t>(1, std::min(wanted, fit)));
}

std::unique_ptr<IterativeBackend> make_iterative_backend(const PreconditionedSystem& system,
                                                         const IterativeOptions& options,
                                                         IterativeInfo& info) {
  const PreconditionerKind& kind = preconditioner_named(options.preconditioner);
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda)
    return std::make_unique<BackendIn<DeviceMemory>>(system, options, kind.make_on_device, info);
#endif
  return std::make_unique<BackendIn<HostMemory>>(system, options, kind.make, info);
}

}  // namespace curlew::linalg
