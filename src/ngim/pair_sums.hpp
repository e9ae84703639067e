// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Direct sums on the CPU: fields of buffered charges at a list of points, vectorised over sources.

#include "base/vec3.hpp"
#include "green/helmholtz3d.hpp"
#include "ngim/dense.hpp"

namespace curlew::ngim {

/// Charges gathered from several boxes, positions relative to one centre, padded to whole vectors with zeros.
template <class T>
class SourceBuffer {
 public:
  explicit SourceBuffer(int num_vectors) : num_vectors_(num_vectors) {}
  void clear() { size_ = 0; }
  int size() const { return size_; }
  int num_vectors() const { return num_vectors_; }
  /// Appends n sources at (x, y, z) + shift; re(v) and im(v) give the parts of charge vector v.
  /// @param re, im [v * plane + i]
  void append(const T* x, const T* y, const T* z, int n, Vec3<T> shift, const T* re, const T* im,
              std::size_t plane);
  /// Appends zero charges up to a full SIMD vector.
  void pad();

  const T* x() const { return data_.data(); }
  const T* y() const { return data_.data() + capacity_; }
  const T* z() const { return data_.data() + 2 * capacity_; }
  const T* re(int v) const { return data_.data() + (3 + 2 * v) * capacity_; }
  const T* im(int v) const { return data_.data() + (4 + 2 * v) * capacity_; }

 private:
  void reserve(int n);
  int num_vectors_, size_ = 0;
  std::size_t capacity_ = 0;
  AlignedVector<T> data_;
};

/// Output array: component c of point i is values[c * plane + i]. Components per charge vector: potential re,
/// im; with gradient also its x re, x im, y re, y im, z re, z im.
template <class T>
struct SumOutput {
  T* values;
  std::size_t plane;
};

/// Adds the fields of all buffered charges (1, 4 or, without gradient, 6 charge vectors) at n points.
/// Coincident pairs contribute nothing.
/// @param buffer padded
template <class T>
void add_pair_sums(green::Medium medium, green::Wavenumber<T> k, const SourceBuffer<T>& buffer, const T* x,
                   const T* y, const T* z, int n, bool gradient, SumOutput<T> out);

/// The same for currents: the buffer's six vectors are the pairs (s, t) of green/surface_pair.hpp, the output
/// K s and K^T t. @param k real wavenumber, positive
template <class T>
void add_current_sums(T k, const SourceBuffer<T>& buffer, const T* x, const T* y, const T* z, int n,
                      SumOutput<T> out);

/// Green function between two small sets, as a split matrix: rows i at t, columns j at s + shift.
/// @param out re[j * stride + i], im with the same layout (im unused for the static kernel); rows a multiple
/// of the lanes
template <class T>
void green_matrix(green::Medium medium, green::Wavenumber<T> k, const T* tx, const T* ty, const T* tz,
                  int rows, const T* sx, const T* sy, const T* sz, int cols, Vec3<T> shift, T* re, T* im,
                  int stride);

}  // namespace curlew::ngim
