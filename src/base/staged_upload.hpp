// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Copies to the device of data that the host assembles piecewise: every thread fills a small page-locked
// buffer while its previous one is copied. For builds with CUDA.

#include <omp.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include "base/cuda_device.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_pinned.hpp"
#include "base/cuda_stream.hpp"

namespace curlew::cuda {

/// Page-locked buffers, reused for several copies since locking takes as long as filling. All threads work in
/// one parallel region, since threads waiting for the next region would delay others on shared cores.
template <class T>
class StagedUpload {
 public:
  /// @param piece values of a piece, > 0; each thread has two
  explicit StagedUpload(std::size_t piece) : piece_(piece) {}

  /// Returns when the copy is complete.
  /// @param to [n] on the current device
  /// @param fill fill(values, first, count) writes the values first..first + count to values[0]..; from all
  /// threads at once
  /// @throws ResourceError if the system cannot lock the buffers; exceptions of fill
  template <class Fill>
  void run(T* to, std::size_t n, const Fill& fill) {
    int device = 0;
    CURLEW_CUDA_CALL(cudaGetDevice(&device));
    const auto pieces = (n + piece_ - 1) / piece_;
    const int threads = int(std::clamp<std::size_t>(pieces, 1, std::size_t(omp_get_max_threads())));
    while (slots_.size() < std::size_t(threads)) slots_.push_back(std::make_unique<Slot>(piece_));
    std::exception_ptr failure;
#pragma omp parallel num_threads(threads)
    try {
      const CurrentDevice current(device);
      const auto step = std::size_t(omp_get_num_threads());
      Slot& slot = *slots_[std::size_t(omp_get_thread_num())];
      for (auto p = std::size_t(omp_get_thread_num()); p < pieces; p += step)
        slot.send(to, p * piece_, std::min(piece_, n - p * piece_), fill);
      slot.wait();
    } catch (...) {
#pragma omp critical(curlew_staged_upload)
      failure = std::current_exception();
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  /// Buffers of a thread.
  struct Slot {
    struct Half {
      explicit Half(std::size_t size) : memory(size) {}
      Pinned<T> memory;
      Event done;
    };
    explicit Slot(std::size_t piece) : halves{Half(piece), Half(piece)} {}

    template <class Fill>
    void send(T* to, std::size_t first, std::size_t count, const Fill& fill) {
      Half& half = halves[next++ % 2];
      half.done.wait();
      fill(half.memory.data(), first, count);
      CURLEW_CUDA_CALL(cudaMemcpyAsync(to + first, half.memory.data(), count * sizeof(T),
                                       cudaMemcpyHostToDevice, stream.get()));
      half.done.after(stream.get());
    }
    void wait() const { CURLEW_CUDA_CALL(cudaStreamSynchronize(stream.get())); }

    Half halves[2];
    Stream stream;
    unsigned next = 0;
  };

  std::size_t piece_;
  std::vector<std::unique_ptr<Slot>> slots_;  // by thread
};

}  // namespace curlew::cuda
