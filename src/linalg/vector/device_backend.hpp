// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors and loops on the GPU, the twin of HostBackend. Everything runs in one stream; only read, write,
// copy and run wait. For builds with CUDA; sweep is defined in device_sweep.cuh, for .cu files.

#include "base/cuda.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/linear_operator.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

class DeviceBackend {
 public:
  template <class R>
  using Vector = cuda::Buffer<complex<R>>;
  template <class R>
  using Operator = DeviceOperator<complex<R>>;

  static constexpr int sweep_threads = 256;  ///< of a block

  DeviceBackend();
  DeviceBackend(const DeviceBackend&) = delete;
  DeviceBackend& operator=(const DeviceBackend&) = delete;

  template <class R>
  Vector<R> vector(Offset n) {
    Vector<R> v{std::size_t(n)};
    CURLEW_CUDA_CALL(cudaMemsetAsync(v.data(), 0, v.bytes(), stream_));
    return v;
  }
  template <class S>
  class Shared {
   public:
    explicit Shared(DeviceBackend& backend) : backend_(backend), device_(1) {
      CURLEW_CUDA_CALL(cudaMallocHost(reinterpret_cast<void**>(&pinned_), sizeof(S)));
      write(S{});
    }
    ~Shared() { cudaFreeHost(pinned_); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    S* data() { return device_.data(); }
    S read() {
      queue_read();
      CURLEW_CUDA_CALL(cudaStreamSynchronize(backend_.stream_));
      return *pinned_;
    }
    void write(const S& value) {
      *pinned_ = value;
      CURLEW_CUDA_CALL(
          cudaMemcpyAsync(device_.data(), pinned_, sizeof(S), cudaMemcpyDefault, backend_.stream_));
      CURLEW_CUDA_CALL(cudaStreamSynchronize(backend_.stream_));
    }
    /// Starts copying to *pinned().
    void queue_read() {
      CURLEW_CUDA_CALL(
          cudaMemcpyAsync(pinned_, device_.data(), sizeof(S), cudaMemcpyDefault, backend_.stream_));
    }
    const S* pinned() const { return pinned_; }

   private:
    DeviceBackend& backend_;
    cuda::Buffer<S> device_;
    S* pinned_ = nullptr;
  };

  void set_skip(const int* skip) { skip_ = skip; }

  /// While it exists, the backend uses another stream and skip flag.
  class Guest {
   public:
    Guest(DeviceBackend& backend, const DeviceQueue& queue)
        : backend_(backend), stream_(backend.stream_), skip_(backend.skip_) {
      backend.stream_ = static_cast<cudaStream_t>(queue.stream);
      backend.skip_ = queue.skip;
    }
    ~Guest() { backend_.stream_ = stream_, backend_.skip_ = skip_; }
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

   private:
    DeviceBackend& backend_;
    cudaStream_t stream_;
    const int* skip_;
  };

  template <int NS, class Body, class Finish>
  void sweep(Offset n, Body body, Finish finish);
  template <class Body>
  void sweep(Offset n, Body body);
  template <class Load, class Store>
  void map(Offset n, Load load, Store store);

  template <class R>
  void apply(const Operator<R>& a, const complex<R>* x, complex<R>* y) {
    a.apply(x, y, {stream_, skip_});
  }
  template <class R>
  void apply_many(const Operator<R>& a, const complex<R>* x, Offset ldx, complex<R>* y, Offset ldy, Index n) {
    a.apply_many(x, ldx, y, ldy, n, {stream_, skip_});
  }
  template <class R>
  static const complex<R>* diagonal(const Operator<R>& a) {
    return a.diagonal();
  }
  template <class R>
  void copy(Offset n, const complex<R>* from, complex<R>* to) {
    CURLEW_CUDA_CALL(cudaMemcpyAsync(to, from, n * sizeof(*to), cudaMemcpyDefault, stream_));
    CURLEW_CUDA_CALL(cudaStreamSynchronize(stream_));
  }

  template <class R>
  bool can_record(const Operator<R>& a) const {
    return a.is_recordable();
  }
  /// Records iterate() once as a graph, stored in `graph` for the next call, and launches it until *stop !=
  /// 0; the host reads the state of one batch of launches while the next one runs. Without recording it reads
  /// after every iterate(). @param once iterate() always ends with *stop != 0
  template <class Iterate, class S>
  void run(Iterate iterate, Shared<S>& state, bool record, bool once, void*& graph);
  void release(void*& graph);

  cudaStream_t stream() const { return stream_; }
  DeviceQueue queue() const { return {stream_, skip_}; }
  /// Waits for all that was queued.
  void wait() const { CURLEW_CUDA_CALL(cudaStreamSynchronize(stream_)); }

 private:
  void begin_recording();
  void* end_recording();
  void launch(void* graph);
  void mark(int slot);
  void wait_for(int slot);
  void check_user();
  template <class S>
  bool has_stopped(Shared<S>& state) {
    check_user();
    return state.read().stop != 0;
  }

  /// Concurrent blocks of a sweep's kernel per multiprocessor, at most most_blocks_each.
  static int blocks_each(const void* kernel);

  static constexpr int max_sums = 16;
  static constexpr int most_blocks_each = 8;  ///< of a multiprocessor

  cuda::Stream own_;
  cudaStream_t stream_ = own_.get();  // another one while a Guest exists
  cuda::Event marks_[2];
  const int* skip_ = nullptr;
  int multiprocessors_ = 0;
  cuda::Buffer<Sum> partials_;
  cuda::Buffer<unsigned> ticket_;
};

template <class Iterate, class S>
void DeviceBackend::run(Iterate iterate, Shared<S>& state, bool record, bool once, void*& graph) {
  if (record && graph == nullptr) {
    begin_recording();
    try {
      iterate();
    } catch (...) {
      void* broken = end_recording();
      release(broken);
      throw;
    }
    graph = end_recording();
  }
  if (!record) {  // expensive operators: none is applied unnecessarily
    do iterate();
    while (!once && !has_stopped(state));
    check_user();
    state.read();
    return;
  }
  // Batches of 1, 2, 4, 4, ... iterations: a short solve wastes little, a long one does not wait for the
  // host.
  for (int batch = 0;; ++batch) {
    for (int i = 0; i < (batch < 2 ? 1 << batch : 4); ++i) {
      launch(graph);
    }
    if (once) break;
    if (batch > 0) {
      wait_for((batch - 1) % 2);
      check_user();
      if (state.pinned()->stop != 0) break;
    }
    state.queue_read();
    mark(batch % 2);
  }
  state.read();
}

}  // namespace curlew::linalg
