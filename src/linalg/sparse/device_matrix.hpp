// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sparse formats on the GPU. For builds with CUDA. The products allocate nothing and wait for nothing.

#include "base/cuda.hpp"
#include "linalg/linear_operator.hpp"
#include "linalg/sparse/ell.hpp"
#include "linalg/sparse/packed.hpp"

namespace curlew::linalg {

/// Compressed rows, `threads` lanes of a warp per row.
template <class R>
class DeviceCrs : public DeviceOperator<complex<R>> {
 public:
  /// @param threads 1, 2, ... 32; 0 chooses by the mean row length
  explicit DeviceCrs(const Csr<std::complex<R>>& a, int threads = 0);
  /// From rows made on the device. @param row_offsets [n + 1]
  DeviceCrs(cuda::Buffer<Offset> row_offsets, cuda::Buffer<Index> columns, cuda::Buffer<complex<R>> values);
  Csr<std::complex<R>> to_host() const;
  Index size() const override { return num_rows_; }
  void apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const override;
  std::size_t bytes() const { return row_offsets_.bytes() + columns_.bytes() + values_.bytes(); }
  const cuda::Buffer<Offset>& row_offsets() const { return row_offsets_; }
  const cuda::Buffer<Index>& columns() const { return columns_; }
  const cuda::Buffer<complex<R>>& values() const { return values_; }

 private:
  Index num_rows_;
  int threads_;
  cuda::Buffer<Offset> row_offsets_;
  cuda::Buffer<Index> columns_;
  cuda::Buffer<complex<R>> values_;
};

/// Every member of the Ellpack family.
template <class R>
class DeviceEll : public DeviceOperator<complex<R>> {
 public:
  explicit DeviceEll(const Ell<std::complex<R>>& a);
  Index size() const override { return num_rows_; }
  void apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const override;
  std::size_t bytes() const {
    return row_of_.bytes() + row_lengths_.bytes() + slice_offsets_.bytes() + columns_.bytes() +
           values_.bytes();
  }

 private:
  Index num_rows_, slice_height_;
  int threads_;
  cuda::Buffer<Index> row_of_, row_lengths_;
  cuda::Buffer<Offset> slice_offsets_;
  cuda::Buffer<Index> columns_;
  cuda::Buffer<complex<R>> values_;
};

/// The compressed format; values of type V under vectors of type R.
template <class V, class R>
class DevicePacked : public DeviceOperator<complex<R>> {
 public:
  explicit DevicePacked(const Packed<V>& a);
  Index size() const override { return num_rows_; }
  void apply(const complex<R>* x, complex<R>* y, const DeviceQueue& queue) const override;
  /// Y = A X for n columns at once: the matrix is read once for two of them.
  /// @param x, y column-major, leading dimensions ldx and ldy
  void apply_many(const complex<R>* x, Offset ldx, complex<R>* y, Offset ldy, Index n,
                  const DeviceQueue& queue) const override;
  std::size_t bytes() const {
    return slices_.bytes() + rows_.bytes() + real_values_.bytes() + complex_values_.bytes() +
           narrow_codes_.bytes() + wide_codes_.bytes();
  }

 private:
  Index num_rows_;
  bool has_groups_;
  cuda::Buffer<PackedSlice> slices_;
  cuda::Buffer<Index> rows_;
  cuda::Buffer<V> real_values_;
  cuda::Buffer<complex<V>> complex_values_;
  cuda::Buffer<std::uint16_t> narrow_codes_;
  cuda::Buffer<Index> wide_codes_;
};

}  // namespace curlew::linalg
