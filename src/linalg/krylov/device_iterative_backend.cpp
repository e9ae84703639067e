// SPDX-License-Identifier: BSD-3-Clause
#include "base/cuda.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#include "linalg/krylov/iterative_backend.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::linalg {
namespace {

class DeviceSide final : public IterativeBackend {
 public:
  using Z = complex<double>;
  DeviceSide(const SortedSystem& system, const IterativeOptions& o, const std::vector<Index>& levels,
             IterativeInfo& info)
      : options_(o) {
    const Csr<Complex>& a = system.a;
    const bool has_levels = o.preconditioner == Preconditioner::multilevel;
    const LowRank term = has_levels ? first_rows(system.term, levels[1]) : LowRank();
    if (has_levels)
      coarse_ = std::make_unique<CoarseLevel<DeviceOperator<Z>>>(
          a, with_term(make_device_coarse_solver(levels[1], coarse_direct_options(o, info),
                                                 coarse_schwarz_options(o)),
                       term));
    const Packed<double> packed = pack<double>(a);
    require_device_memory(stored_bytes(packed) +
                              std::size_t(krylov_vectors(o.krylov) + 2) * std::size_t(a.num_rows) * sizeof(Z),
                          "the matrix and the vectors of the solver");
    matrix_ = std::make_unique<DevicePacked<double, double>>(packed);
    if (!system.term.is_empty()) sum_ = make_device_sum(*matrix_, system.term);
    if (o.preconditioner == Preconditioner::jacobi)
      preconditioner_ = std::make_unique<DeviceJacobi<double>>(a);
    if (has_levels) {
      preconditioner_ =
          std::make_unique<DeviceMultilevel<Z>>(a, levels, coarse_->solver(), options_.multilevel);
      coarse_->finish(info);
    }
  }

  std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) override {
    // Recorded iterations need no host; columns that meet would lose more by it than they gain.
    const bool is_recorded = preconditioner_ == nullptr || preconditioner_->is_recordable();
    const int width =
        is_recorded ? 1 : affordable_columns(options_, matrix_->size(), num_rhs, device_info().free_memory);
    if (!columns_ || columns_->width() < width)
      columns_ = make_krylov_columns(sum_ ? *sum_ : *matrix_, preconditioner_.get(), options_.krylov, width);
    return columns_->solve(num_rhs, transfer);
  }

 private:
  IterativeOptions options_;
  std::unique_ptr<CoarseLevel<DeviceOperator<Z>>> coarse_;
  std::unique_ptr<DeviceOperator<Z>> matrix_, sum_, preconditioner_;
  std::unique_ptr<KrylovColumns> columns_;
};

}  // namespace

std::unique_ptr<IterativeBackend> make_device_backend(const SortedSystem& system,
                                                      const IterativeOptions& options,
                                                      const std::vector<Index>& levels, IterativeInfo& info) {
  return std::make_unique<DeviceSide>(system, options, levels, info);
}

}  // namespace curlew::linalg
