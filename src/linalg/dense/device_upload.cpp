// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_upload.hpp"

#include <algorithm>

#include "base/copy_rows.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_pinned.hpp"
#include "base/cuda_stream.hpp"

namespace curlew::linalg {

void upload(const DenseMatrix& a, complex<double>* to) {
  const auto entries = std::size_t(a.rows()) * std::size_t(a.cols());
  const std::size_t most = std::min(entries, std::size_t(1) << 21);  // 32 MiB
  struct Piece {
    explicit Piece(std::size_t n) : memory(n) {}
    cuda::Pinned<complex<double>> memory;
    cuda::Event done;
  } pieces[] = {Piece(most), Piece(most)};
  const cuda::Stream stream;
  int next = 0;
  for (std::size_t i = 0; i < entries; i += most) {
    Piece& piece = pieces[next++ % 2];
    const std::size_t bytes = std::min(most, entries - i) * sizeof(Complex);
    piece.done.wait();
    copy_rows(piece.memory.data(), bytes, a.data() + i, bytes, bytes, 1);
    CURLEW_CUDA_CALL(
        cudaMemcpyAsync(to + i, piece.memory.data(), bytes, cudaMemcpyHostToDevice, stream.get()));
    piece.done.after(stream.get());
  }
  CURLEW_CUDA_CALL(cudaStreamSynchronize(stream.get()));
}

}  // namespace curlew::linalg
