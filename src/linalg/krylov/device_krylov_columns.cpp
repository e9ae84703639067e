// SPDX-License-Identifier: BSD-3-Clause
// Columns on the GPU: each has its own stream. Products are computed in the server's stream; it and the
// columns' streams wait for each other by events.
#include <algorithm>

#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/krylov_columns.hpp"
#include "linalg/krylov/multi_rhs.hpp"

namespace curlew::linalg {
namespace {

using Z = complex<double>;

/// An operator as one column sees it: the product waits for those of the other columns.
class SharedOperator final : public DeviceOperator<Z> {
 public:
  SharedOperator(BatchBarrier& barrier, const DeviceOperator<Z>& shared, int column, int operation,
                 const cuda::Event& ready, const cuda::Event& done)
      : barrier_(barrier),
        shared_(shared),
        column_(column),
        operation_(operation),
        ready_(ready),
        done_(done) {}
  Index size() const override { return shared_.size(); }
  /// A column that has stopped asks for no more products, as the host looks after every one: `skip` is not
  /// needed.
  void apply(const Z* x, Z* y, const DeviceQueue& queue) const override {
    ready_.after(static_cast<cudaStream_t>(queue.stream));
    barrier_.ask({column_, operation_, x, y});
    done_.before(static_cast<cudaStream_t>(queue.stream));
  }
  const Z* diagonal() const override { return shared_.diagonal(); }
  bool is_recordable() const override { return false; }

 private:
  BatchBarrier& barrier_;
  const DeviceOperator<Z>& shared_;
  int column_, operation_;
  const cuda::Event &ready_, &done_;
};

class DeviceColumns final : public KrylovColumns {
 public:
  DeviceColumns(const DeviceOperator<Z>& a, const DeviceOperator<Z>* m, const KrylovOptions& options,
                int width)
      : operators_{&a, m} {
    const bool alone = width == 1;
    const auto n = std::size_t(a.size());
    for (int c = 0; c < width; ++c) {
      Column column;
      column.ready = std::make_unique<cuda::Event>();
      for (int o = 0; o < 2; ++o)
        if (operators_[o] != nullptr && !alone)
          column.shared[o] =
              std::make_unique<SharedOperator>(barrier_, *operators_[o], c, o, *column.ready, done_);
      column.krylov = std::make_unique<DeviceKrylov<Z>>(alone ? a : *column.shared[0],
                                                        alone ? m : column.shared[1].get(), options);
      column.host.resize(n);
      column.b = cuda::Buffer<Z>(n), column.x = cuda::Buffer<Z>(n);
      columns_.push_back(std::move(column));
    }
    if (!alone)
      from_ = cuda::Buffer<Z>(n * std::size_t(width)), to_ = cuda::Buffer<Z>(n * std::size_t(width));
  }
  int width() const override { return int(columns_.size()); }

  std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) override {
    const auto solve_one = [&](int c, Index k) {
      Column& column = columns_[std::size_t(c)];
      transfer.load(k, column.host.data());
      if (transfer.tolerance) column.krylov->set_tolerance(transfer.tolerance(k));
      column.b.upload(reinterpret_cast<const Z*>(column.host.data()));
      CURLEW_CUDA_CALL(cudaStreamSynchronize(cudaStreamLegacy));  // others do not wait for this stream
      KrylovReport report = column.krylov->solve(column.b.data(), column.x.data());
      column.x.download(reinterpret_cast<Z*>(column.host.data()));
      transfer.store(k, column.host.data());
      return report;
    };
    return solve_columns(barrier_, width(), num_rhs, solve_one,
                         [this](const std::vector<BatchBarrier::Request>& r) { serve(r); });
  }

 private:
  struct Column {
    std::unique_ptr<cuda::Event> ready;
    std::unique_ptr<SharedOperator> shared[2];
    std::unique_ptr<DeviceKrylov<Z>> krylov;
    std::vector<Complex> host;
    cuda::Buffer<Z> b, x;
  };

  void copy(const void* from, void* to, Offset n) const {
    CURLEW_CUDA_CALL(
        cudaMemcpyAsync(to, from, std::size_t(n) * sizeof(Z), cudaMemcpyDeviceToDevice, stream_.get()));
  }

  void serve(const std::vector<BatchBarrier::Request>& requests) {
    const DeviceOperator<Z>& op = *operators_[requests[0].operation];
    const Offset n = op.size();
    for (const auto& r : requests) columns_[std::size_t(r.task)].ready->before(stream_.get());
    if (requests.size() == 1) {
      op.apply(static_cast<const Z*>(requests[0].from), static_cast<Z*>(requests[0].to), {stream_.get()});
    } else {
      for (std::size_t c = 0; c < requests.size(); ++c)
        copy(requests[c].from, from_.data() + Offset(c) * n, n);
      op.apply_many(from_.data(), n, to_.data(), n, Index(requests.size()), {stream_.get()});
      for (std::size_t c = 0; c < requests.size(); ++c) copy(to_.data() + Offset(c) * n, requests[c].to, n);
    }
    done_.after(stream_.get());
  }

  const DeviceOperator<Z>* operators_[2];
  BatchBarrier barrier_;
  cuda::Stream stream_;
  cuda::Event done_;
  std::vector<Column> columns_;
  cuda::Buffer<Z> from_, to_;
};

}  // namespace

std::unique_ptr<KrylovColumns> make_krylov_columns(const DeviceOperator<Z>& a, const DeviceOperator<Z>* m,
                                                   const KrylovOptions& options, int width) {
  return std::make_unique<DeviceColumns>(a, m, options, width);
}

}  // namespace curlew::linalg
