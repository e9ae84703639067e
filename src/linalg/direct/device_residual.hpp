// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// R = B - A X on the GPU with the values that a direct solver stores there: all of them, or one triangle of a
// symmetric matrix. For builds with CUDA.

#include "base/complex.hpp"
#include "base/cuda.hpp"
#include "base/cuda_stream.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// The full pattern, and the index of each of its entries among the values. A product reads 24 bytes per
/// entry and, for every four columns, X once more.
class DeviceResidual {
 public:
  using Z = complex<double>;

  /// @param a both triangles
  /// @param offsets, columns device memory, CSR pattern of the solver's values: the upper triangle with the
  /// diagonal @param is_half false if it has all of a, in the same order
  DeviceResidual(const Csr<Complex>& a, const int* offsets, const int* columns, bool is_half);
  /// Device memory in bytes.
  static std::size_t bytes(const Csr<Complex>& a, bool is_half);
  /// False if an entry below the diagonal has no transposed one above; then this class cannot be used.
  bool is_complete() const { return is_complete_; }

  /// @param values of the solver @param b, x, r device memory [rows, count], column-major; r does not overlap
  void subtract(const Z* values, const Z* b, const Z* x, Z* r, Index count, cudaStream_t stream) const;
  /// Largest sum of the moduli of a row; NaN if a value is NaN. Reads 20 bytes per entry.
  /// @param values as above
  double norm_max(const Z* values, cudaStream_t stream) const;

 private:
  Index num_rows_;
  cuda::Buffer<Offset> row_offsets_;
  cuda::Buffer<Index> columns_;
  cuda::Buffer<int> places_;  // index of each entry among the values; empty: in order
  bool is_complete_ = true;
};

}  // namespace curlew::linalg
