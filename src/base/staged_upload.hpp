// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Copies to the device of what the host puts together as it goes: a piece is written into page-locked memory
// while the one before it is on its way. For builds with CUDA.

#include <algorithm>

#include "base/cuda_event.hpp"
#include "base/cuda_pinned.hpp"
#include "base/cuda_stream.hpp"

namespace curlew::cuda {

/// Returns when all of it has arrived.
/// @param to [n] on the device
/// @param most values of a piece; two pieces are page-locked meanwhile
/// @param fill fill(piece, first, count) writes the values first..first + count to piece, by all threads
/// @throws ResourceError if the system does not lock the pieces
template <class T, class Fill>
void staged_upload(T* to, std::size_t n, std::size_t most, const Fill& fill) {
  most = std::min(n, most);
  struct Piece {
    explicit Piece(std::size_t size) : memory(size) {}
    Pinned<T> memory;
    Event done;
  } pieces[] = {Piece(most), Piece(most)};
  const Stream stream;
  int next = 0;
  for (std::size_t first = 0; first < n; first += most) {
    Piece& piece = pieces[next++ % 2];
    const std::size_t count = std::min(most, n - first);
    piece.done.wait();
    fill(piece.memory.data(), first, count);
    CURLEW_CUDA_CALL(cudaMemcpyAsync(to + first, piece.memory.data(), count * sizeof(T),
                                     cudaMemcpyHostToDevice, stream.get()));
    piece.done.after(stream.get());
  }
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream.get()));
}

}  // namespace curlew::cuda
