// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Arguments of the kernels: plain pointers into the arrays of one solver. Everything is in the order of the
// tree and in units of the unit cube.

#include <cuda_runtime.h>

#include "base/complex.hpp"
#include "base/cuda_grid.hpp"
#include "ngim/cone_grid.hpp"
#include "ngim/device/pairs.cuh"
#include "ngim/tree.hpp"

namespace curlew::ngim::device {

inline constexpr int most_vectors = 4;  ///< charge vectors evaluated together: 1 or 4
/// Vectors per thread that sums gradients; they share distances and polynomials.
template <class T>
inline constexpr int gradient_vectors = sizeof(T) == 4 ? 4 : 2;

/// A box, as the kernels read it.
struct DeviceBox {
  double x, y, z;  ///< centre
  Offset source_begin, target_begin;
  int num_sources, num_targets;
  Index parent, grid;  ///< grid: index of its skeleton values, or no_box above the grids
  int level, octant, is_leaf;
};

/// A point, relative to the centre of its leaf; w is free for the kernels.
template <class T>
struct alignas(4 * sizeof(T)) Point {
  T x, y, z, w;
};

/// Matrices of one level, complex, columns contiguous with `rows` (or q^3) entries.
template <class T>
struct LevelMatrices {
  int order, rank, parent_rank;
  const complex<T>* to_skeleton;  ///< [q^3][rows]
  const complex<T>* to_field;     ///< [rank][q^3]
  const complex<T>* to_parent;    ///< [octant][rank][rows of the parent]
  const complex<T>* from_parent;  ///< [octant][parent rank][rows]
  const complex<T>* translate;    ///< [offset][rank][rows]
};

/// The cones of one high-frequency level.
template <class T>
struct LevelCones {
  ConeGrid grid;
  Index first_box, num_boxes;
  const int* slot;        ///< [box of the level][segment]: its place, or -1
  const int* segments;    ///< [slot]
  const Index* slot_box;  ///< [slot]
  complex<T>* samples;    ///< [slot][s][u][v][vector]: Chebyshev coefficients
  Offset num_samples;     ///< of one charge vector
  int num_slots, from_cones;
};

template <class T>
struct View {
  const DeviceBox* boxes;
  const Index *leaves, *children, *colleagues;  ///< [leaf], [box][8], [box][27]
  Index num_leaves;
  Offset num_sources, num_targets;
  const Point<T>*sources, *targets;
  const Index* source_leaf;  ///< box of a source; with cones only
  const Offset* near_offsets;
  const Index* near;
  const Offset* from_offsets;
  const Index* from;
  const Offset* to_offsets;
  const Index* to;
  const LevelMatrices<T>* levels;
  const LevelCones<T>* cones;  ///< by level
  int first_grid_level, num_levels;
  Index first_grid_begin, first_grid_end;  ///< boxes of the first level with grids
  const T* skeleton;                       ///< [level][3][rows]
  int rows;                                ///< padded rank, the same for all levels
  Offset grid_values;                      ///< values of all boxes' grids of one charge vector
  complex<T>* charges;                     ///< [vector][source]
  complex<T>*outgoing, *incoming;          ///< [vector][grid][rows]
  complex<T>* current_space;  ///< moments of currents (current_grid_space); null: in shared memory
  T* fields;                  ///< [vector][potential re, im (, gradient x re, x im, ...)][target]
};

/// One evaluation, the argument of the launchers.
template <class T>
struct Evaluation {
  View<T> view;
  Kernel<T> kernel;
  Wave near_wave, far_wave;
  int num_vectors;  ///< 1 or most_vectors; current_vectors of currents
  bool gradient, currents;
};

/// sum += a b by four fused multiply-adds; a * b alone would take two more operations.
template <class T>
__device__ __forceinline__ void add_product(complex<T>& sum, complex<T> a, complex<T> b) {
  sum.re = ::fma(-a.im, b.im, ::fma(a.re, b.re, sum.re));
  sum.im = ::fma(a.im, b.re, ::fma(a.re, b.im, sum.im));
}

/// Position of a box relative to another one.
template <class T>
__device__ __forceinline__ Vec3<T> shift_between(const DeviceBox& from, const DeviceBox& to) {
  return {T(from.x - to.x), T(from.y - to.y), T(from.z - to.z)};
}

/// Calls f with the wave as a constant. Series and scaled coordinates are used in single precision and on
/// request, otherwise `full`.
template <class T, bool with_series, class F>
void dispatch_wave(Wave wave, F&& f) {
  if (wave == Wave::static_kernel) return f(std::integral_constant<Wave, Wave::static_kernel>());
  if (wave == Wave::lossy) return f(std::integral_constant<Wave, Wave::lossy>());
  if constexpr (with_series && sizeof(T) == 4) {
    if (wave == Wave::short_series) return f(std::integral_constant<Wave, Wave::short_series>());
    if (wave == Wave::series) return f(std::integral_constant<Wave, Wave::series>());
    if (wave == Wave::full) return f(std::integral_constant<Wave, Wave::scaled>());
  }
  f(std::integral_constant<Wave, Wave::full>());
}

/// Calls f with a number as a constant: one of those listed, or the last of them for any other number.
template <int First, int... Others, class F>
void dispatch_number(int number, F&& f) {
  if constexpr (sizeof...(Others) > 0)
    if (number != First) return dispatch_number<Others...>(number, f);
  f(std::integral_constant<int, First>());
}

/// Calls f with the number of charge vectors and "with gradient" as constants.
template <class F>
void dispatch_shape(int num_vectors, bool gradient, F&& f) {
  dispatch_number<1, most_vectors>(num_vectors, [&](auto vectors) {
    gradient ? f(vectors, std::bool_constant<true>()) : f(vectors, std::bool_constant<false>());
  });
}

}  // namespace curlew::ngim::device
