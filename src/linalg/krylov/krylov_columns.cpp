// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/krylov_columns.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/multi_rhs.hpp"

namespace curlew::linalg {
namespace {

/// An operator as one column sees it: the product waits for those of the other columns.
class SharedOperator final : public LinearOperator<Complex> {
 public:
  SharedOperator(BatchBarrier& barrier, const LinearOperator<Complex>& shared, int column, int operation)
      : barrier_(barrier), shared_(shared), column_(column), operation_(operation) {}
  Index size() const override { return shared_.size(); }
  void apply(const Complex* x, Complex* y) const override { barrier_.ask({column_, operation_, x, y}); }
  const Complex* diagonal() const override { return shared_.diagonal(); }

 private:
  BatchBarrier& barrier_;
  const LinearOperator<Complex>& shared_;
  int column_, operation_;
};

class HostColumns final : public KrylovColumns {
 public:
  HostColumns(const LinearOperator<Complex>& a, const LinearOperator<Complex>* m,
              const KrylovOptions& options, int width)
      : operators_{&a, m} {
    const bool alone = width == 1;
    for (int c = 0; c < width; ++c) {
      Column column;
      for (int o = 0; o < 2; ++o)
        if (operators_[o] != nullptr && !alone)
          column.shared[o] = std::make_unique<SharedOperator>(barrier_, *operators_[o], c, o);
      column.krylov = std::make_unique<Krylov<Complex>>(alone ? a : *column.shared[0],
                                                        alone ? m : column.shared[1].get(), options);
      column.b.resize(std::size_t(a.size())), column.x.resize(std::size_t(a.size()));
      columns_.push_back(std::move(column));
    }
  }
  int width() const override { return int(columns_.size()); }

  std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) override {
    // Vector operations of the columns run in parallel; their inner loops use the remaining threads.
    const int inner = std::max(1, omp_get_max_threads() / width());
    const auto solve_one = [&](int c, Index k) {
      Column& column = columns_[std::size_t(c)];
      if (width() > 1) omp_set_num_threads(inner);
      transfer.load(k, column.b.data());
      if (transfer.tolerance) column.krylov->set_tolerance(transfer.tolerance(k));
      KrylovReport report = column.krylov->solve(column.b.data(), column.x.data());
      transfer.store(k, column.x.data());
      return report;
    };
    return solve_columns(barrier_, width(), num_rhs, solve_one,
                         [this](const std::vector<BatchBarrier::Request>& r) { serve(r); });
  }

 private:
  struct Column {
    std::unique_ptr<SharedOperator> shared[2];
    std::unique_ptr<Krylov<Complex>> krylov;
    std::vector<Complex> b, x;
  };

  void serve(const std::vector<BatchBarrier::Request>& requests) {
    const LinearOperator<Complex>& op = *operators_[requests[0].operation];
    const Offset n = op.size(), count = Offset(requests.size());
    if (count == 1)
      return op.apply(static_cast<const Complex*>(requests[0].from), static_cast<Complex*>(requests[0].to));
    from_.resize(std::size_t(n * count)), to_.resize(std::size_t(n * count));
#pragma omp parallel for schedule(static)
    for (Offset c = 0; c < count; ++c)
      std::copy_n(static_cast<const Complex*>(requests[std::size_t(c)].from), n, from_.data() + c * n);
    op.apply_many(from_.data(), n, to_.data(), n, Index(count));
#pragma omp parallel for schedule(static)
    for (Offset c = 0; c < count; ++c)
      std::copy_n(to_.data() + c * n, n, static_cast<Complex*>(requests[std::size_t(c)].to));
  }

  const LinearOperator<Complex>* operators_[2];
  BatchBarrier barrier_;
  std::vector<Column> columns_;
  std::vector<Complex> from_, to_;
};

}  // namespace

std::vector<KrylovReport> solve_columns(BatchBarrier& barrier, int width, Index num_rhs,
                                        const std::function<KrylovReport(int, Index)>& solve_one,
                                        const BatchBarrier::Serve& serve) {
  std::vector<KrylovReport> reports(static_cast<std::size_t>(num_rhs));
  for (KrylovReport& report : reports) report.status = KrylovStatus::max_iterations;
  const int columns = int(std::min<Index>(width, num_rhs));
  std::atomic<bool> go_on = true;
  const auto body = [&](int column) {
    for (Index k = column; k < num_rhs && go_on; k += columns) {
      reports[std::size_t(k)] = solve_one(column, k);
      if (!reports[std::size_t(k)].converged()) go_on = false;
    }
  };
  if (width == 1)
    body(0);
  else
    barrier.run(columns, body, serve);
  return reports;
}

std::unique_ptr<KrylovColumns> make_krylov_columns(const LinearOperator<Complex>& a,
                                                   const LinearOperator<Complex>* m,
                                                   const KrylovOptions& options, int width) {
  return std::make_unique<HostColumns>(a, m, options, width);
}

}  // namespace curlew::linalg
