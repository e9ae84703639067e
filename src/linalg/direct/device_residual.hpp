// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// R = B - A X on the GPU with the values that a direct solver holds there: all of them, or one triangle of a
// symmetric matrix. For builds with CUDA.

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// The whole pattern, and where each of its entries stands among the values. A product moves 24 bytes an
/// entry and once more X for every four columns.
class DeviceResidual {
 public:
  using Z = complex<double>;

  /// @param a both triangles
  /// @param offsets, columns device memory, CSR of what the solver holds: the upper triangle with the
  /// diagonal
  /// @param is_half false if it holds all of a, in the same order
  DeviceResidual(const Csr<Complex>& a, const int* offsets, const int* columns, bool is_half);
  /// Device memory that it takes.
  static std::size_t bytes(const Csr<Complex>& a, bool is_half);
  /// False if an entry below the diagonal has no transposed one above: then it cannot be used.
  bool is_complete() const { return is_complete_; }

  /// @param values what the solver holds @param b, x, r device memory [rows, count], column-major; r is apart
  void subtract(const Z* values, const Z* b, const Z* x, Z* r, Index count, cudaStream_t stream) const;
  /// Largest sum of the moduli of a row; a NaN if a value is one. Moves 20 bytes an entry.
  /// @param values as above
  double norm_max(const Z* values, cudaStream_t stream) const;

 private:
  Index num_rows_;
  cuda::Buffer<Offset> row_offsets_;
  cuda::Buffer<Index> columns_;
  cuda::Buffer<int> places_;  // of each entry among the values; empty: in order
  bool is_complete_ = true;
};

}  // namespace curlew::linalg
