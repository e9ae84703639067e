// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Point currents as sources on the device: a tile of them and the innermost sum.

#include "green/surface_pair.hpp"
#include "ngim/current_moments.hpp"
#include "ngim/device/view.cuh"

namespace curlew::ngim::device {

/// Calls f with the number of vectors of an evaluation as a constant.
template <class F>
void dispatch_vectors(int num_vectors, F&& f) {
  dispatch_number<current_vectors, most_vectors, 1>(num_vectors, f);
}

/// A source in shared memory: place, then (s, t) of green/surface_pair.hpp as re x, im x, ...
template <class T>
struct CurrentSource {
  T x, y, z, value[2 * current_vectors];
};

/// Source i of the tree's order, moved by the shift.
template <class T>
__device__ __forceinline__ CurrentSource<T> current_source(const View<T>& view, Offset i, Vec3<T> shift) {
  const Point<T> at = view.sources[i];
  CurrentSource<T> source{at.x + shift.x, at.y + shift.y, at.z + shift.z, {}};
#pragma unroll
  for (int v = 0; v < current_vectors; ++v) {
    const complex<T> q = view.charges[v * view.num_sources + i];
    source.value[2 * v] = q.re, source.value[2 * v + 1] = q.im;
  }
  return source;
}

/// sum += K s and K^T t at (x, y, z): 152 instructions.
template <class T>
__device__ __forceinline__ void add_current(const CurrentSource<T>& source, T x, T y, T z, T k,
                                            T (&sum)[2 * current_vectors]) {
  const auto pair = green::surface_pair<T>(Vec3<T>{x - source.x, y - source.y, z - source.z}, k);
  green::add_surface_pair<T>(pair, source.value, source.value + 6, sum, sum + 6);
}

/// Stages 0 and 1 and the points of larger leaves, for currents: currents.cu
template <class T>
void launch_near_currents(const Evaluation<T>& e, cudaStream_t stream);
/// Values of View::current_space that launch_currents_to_grids needs; 0 where shared memory holds the
/// moments.
/// @param most_order of the grids of leaves
template <class T>
std::size_t current_grid_space(int most_order, Index num_leaves);
/// The view's current_space holds as many, or is null where none are needed.
template <class T>
void launch_currents_to_grids(const Evaluation<T>& e, int most_order, cudaStream_t stream);
template <class T>
void launch_currents_to_skeletons(const Evaluation<T>& e, const Index* targets, Offset num_targets,
                                  cudaStream_t stream);

}  // namespace curlew::ngim::device
