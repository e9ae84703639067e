// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A matrix in blocks, one kernel per block, all concurrently: the concurrent kernels of Dziekonski et al.,
// section 4.1.1 (nine blocks, or eleven with A11 and A22 cut horizontally). For builds with CUDA.

#include <array>
#include <memory>
#include <vector>

#include "base/cuda.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

template <class R>
struct DeviceBlock {
  std::unique_ptr<DeviceOperator<complex<R>>> a;
  Index row = 0, column = 0;  ///< of its first entry in the whole matrix
  Index block_column = 0;     ///< 0..2; results of blocks in one row of blocks are added
};

template <class R>
class DeviceBlocks final : public DeviceOperator<complex<R>> {
 public:
  /// @param concurrent false: sequential kernels
  DeviceBlocks(Index n, std::vector<DeviceBlock<R>> blocks, bool concurrent);
  Index size() const override { return n_; }
  void apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const override;

 private:
  Index n_;
  std::vector<DeviceBlock<R>> blocks_;
  bool concurrent_;
  struct Lane {
    cuda::Stream stream;
    cuda::Event done;
  };
  std::vector<Lane> lanes_;  // of the blocks; empty: sequential
  cuda::Event ready_;
  mutable cuda::Buffer<complex<R>> parts_;  // [3, n]
};

}  // namespace curlew::linalg
