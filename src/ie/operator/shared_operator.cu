// SPDX-License-Identifier: BSD-3-Clause
#include "base/cuda_grid.hpp"
#include "ie/operator/shared_operator.hpp"

#include <algorithm>
#include <future>

#include "base/cuda_device.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"

namespace curlew::ie {
namespace {

using Value = SharedOperator::Value;
constexpr int block_size = 256;

/// y += x; one thread per value, 48 bytes each.
__global__ void add(Index n, const Value* x, Value* y) {
  const Index i = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += x[i];
}

}  // namespace

/// What one device has. The first works on the caller's vectors and stream.
struct SharedOperator::Part {
  int device;
  Stages set_up;
  std::unique_ptr<DeviceCorrectedOperator> rows;
  cuda::Stream stream;
  cuda::Buffer<Value> x, y;      ///< on this device
  cuda::Buffer<Value> at_first;  ///< y on the first device
  cuda::Event given, done;       ///< of the first device's stream; of this one's

  /// On the current device.
  Part(const IntegralEquation& equation, ngim::Share share, double tolerance)
      : device(cuda::current_device()), rows(make(equation, share, tolerance, set_up)) {
    if (share.index == 0) return;
    x = cuda::Buffer<Value>(std::size_t(rows->size())), y = cuda::Buffer<Value>(x.size());
  }
  static std::unique_ptr<DeviceCorrectedOperator> make(const IntegralEquation& equation, ngim::Share share,
                                                       double tolerance, Stages& set_up) {
    auto fill = equation.device_fill(share, set_up);
    const ScopedStage timed(set_up, "NGIM set-up");
    return std::make_unique<DeviceCorrectedOperator>(std::move(fill), tolerance);
  }
};

SharedOperator::SharedOperator(const IntegralEquation& equation, int gpus, double tolerance, Stages& set_up) {
  const int count = equation.can_share_rows() ? gpus : 1, first = cuda::current_device();
  for (int d = 0; d < count; ++d) free_before_.push_back(free_device_memory(first + d));
  std::vector<std::future<std::unique_ptr<Part>>> made;
  for (int d = 0; d < count; ++d)
    made.push_back(std::async(count == 1 ? std::launch::deferred : std::launch::async, [&, d] {
      const cuda::CurrentDevice current(first + d);
      return std::make_unique<Part>(equation, ngim::Share{d, count}, tolerance);
    }));
  for (auto& part : made) part.wait();
  for (auto& part : made) parts_.push_back(part.get());
  for (const auto& [name, seconds] : parts_[0]->set_up.all()) set_up.add(name, seconds);
  for (int d = 1; d < count; ++d) {
    parts_[std::size_t(d)]->at_first = cuda::Buffer<Value>(std::size_t(size()));
    cuda::allow_direct_copies(first, first + d);
  }
}

SharedOperator::~SharedOperator() = default;

Index SharedOperator::size() const {
  return parts_[0]->rows->size();
}

void SharedOperator::start_others(const Value* x, cudaStream_t stream) const {
  if (parts_.size() == 1) return;
  parts_[0]->given.after(stream);
  for (std::size_t d = 1; d < parts_.size(); ++d) {
    Part& part = *parts_[d];
    const cuda::CurrentDevice current(part.device);
    const cudaStream_t own = part.stream.get();
    parts_[0]->given.before(own);
    CURLEW_CUDA_CALL(
        cudaMemcpyPeerAsync(part.x.data(), part.device, x, parts_[0]->device, part.x.bytes(), own));
    part.rows->apply(part.x.data(), part.y.data(), {own});
    CURLEW_CUDA_CALL(cudaMemcpyPeerAsync(part.at_first.data(), parts_[0]->device, part.y.data(), part.device,
                                         part.y.bytes(), own));
    part.done.after(own);
  }
}

void SharedOperator::add_others(Value* y, cudaStream_t stream) const {
  for (std::size_t d = 1; d < parts_.size(); ++d) {
    parts_[d]->done.before(stream);
    add<<<cuda::blocks_for(size(), block_size), block_size, 0, stream>>>(size(), parts_[d]->at_first.data(),
                                                                         y);
    CURLEW_CHECK_LAUNCH("add");
  }
}

void SharedOperator::apply(const Value* x, Value* y, const linalg::DeviceQueue& queue) const {
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  start_others(x, stream);
  parts_[0]->rows->apply(x, y, queue);
  add_others(y, stream);
}

void SharedOperator::allow(double error, std::size_t kept_free) {
  for (const auto& part : parts_) {
    const cuda::CurrentDevice current(part->device);
    part->rows->allow(error, kept_free);
  }
}

std::vector<ProductCount> SharedOperator::products() const {
  return parts_[0]->rows->products();
}

Offset SharedOperator::num_points() const {
  return parts_[0]->rows->num_points();
}

Offset SharedOperator::num_near() const {
  Offset sum = 0;
  for (const auto& part : parts_) sum += part->rows->fill().num_near();
  return sum;
}

std::vector<Complex> SharedOperator::diagonal_entries() const {
  return parts_[0]->rows->fill().diagonal();
}

std::size_t SharedOperator::bytes_taken() const {
  std::size_t sum = 0;
  for (std::size_t d = 0; d < free_before_.size(); ++d) {
    const std::size_t now = free_device_memory(parts_[d]->device);
    sum += free_before_[d] > now ? free_before_[d] - now : 0;
  }
  return sum;
}

std::vector<std::pair<std::string, double>> SharedOperator::product_seconds(const Value* x, Value* y) const {
  auto steps = parts_[0]->rows->product_seconds(x, y);
  if (parts_.size() == 1) return steps;
  double own = 0;
  for (const auto& [name, seconds] : steps) own += seconds;
  const cuda::Event begin(cudaEventDefault), end(cudaEventDefault);
  begin.after(nullptr);
  apply(x, y, {});
  end.after(nullptr);
  end.wait();
  steps.emplace_back("other devices", std::max(0.0, end.seconds_since(begin) - own));
  return steps;
}

}  // namespace curlew::ie
