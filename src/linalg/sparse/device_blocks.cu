// SPDX-License-Identifier: BSD-3-Clause
// Each block writes its own partial sums, which a last kernel adds: 3 n more values, but no atomic
// operations.
#include "linalg/sparse/device_blocks.hpp"

namespace curlew::linalg {
namespace {

template <class R>
__global__ void add_parts(Index n, const complex<R>* __restrict__ parts, complex<R>* __restrict__ y,
                          const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Index i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = parts[i] + parts[Offset(n) + i] + parts[2 * Offset(n) + i];
}

}  // namespace

template <class R>
DeviceBlocks<R>::DeviceBlocks(Index n, std::vector<DeviceBlock<R>> blocks, bool concurrent)
    : n_(n), blocks_(std::move(blocks)), concurrent_(concurrent), parts_(3 * std::size_t(n)) {
  CURLEW_CUDA_CALL(cudaMemset(parts_.data(), 0, parts_.bytes()));
  if (concurrent_) lanes_ = std::vector<Lane>(blocks_.size());
}

template <class R>
void DeviceBlocks<R>::apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const {
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  if (concurrent_) ready_.after(stream);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const DeviceBlock<R>& b = blocks_[i];
    const cudaStream_t own = concurrent_ ? lanes_[i].stream.get() : stream;
    if (concurrent_) ready_.before(own);
    b.a->apply(x + b.column, parts_.data() + Offset(b.block_column) * n_ + b.row, {own, queue.skip});
    if (concurrent_) lanes_[i].done.after(own), lanes_[i].done.before(stream);
  }
  if (n_ == 0) return;
  add_parts<<<(n_ + 255) / 256, 256, 0, stream>>>(n_, parts_.data(), y, queue.skip);
  CURLEW_CHECK_LAUNCH("add_parts");
}

template class DeviceBlocks<double>;
template class DeviceBlocks<float>;

}  // namespace curlew::linalg
