// SPDX-License-Identifier: BSD-3-Clause
// Samples of the cones: from charges, from skeletons, from the cones of the children.

#include "ngim/device/cone_sources.cuh"
#include "ngim/device/cones.cuh"
#include "ngim/device/currents.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int most_order = 16;

/// Charges below a box, as one numbered set: its points, or the skeletons of its children when those are
/// fewer (the host's choice, too).
template <class T>
struct Below {
  const View<T>& view;
  const DeviceBox& box;
  int children[8], num_children = 0, count;
  bool skeletons;

  __device__ Below(const View<T>& v, Index b, const DeviceBox& at) : view(v), box(at) {
    for (int o = 0; o < 8 && !box.is_leaf; ++o) {
      const Index child = view.children[Offset(b) * 8 + o];
      if (child != no_box && view.boxes[child].num_sources > 0) children[num_children++] = child;
    }
    const int of_skeletons = box.is_leaf ? 0 : num_children * view.levels[box.level + 1].rank;
    skeletons = !box.is_leaf && of_skeletons < box.num_sources;
    count = skeletons ? of_skeletons : box.num_sources;
  }

  /// Position of charge i relative to the centre of the box, and C of its vectors.
  template <int C>
  __device__ Point<T> get(int i, complex<T> (&q)[C]) const {
    if (skeletons) {
      const int rank = view.levels[box.level + 1].rank, r = i % rank;
      const DeviceBox& child = view.boxes[children[i / rank]];
      const T* p = view.skeleton + Offset(child.level) * 3 * view.rows;
      const complex<T>* outgoing = view.outgoing + Offset(child.grid) * view.rows + r;
      for (int c = 0; c < C; ++c) q[c] = outgoing[c * view.grid_values];
      const Vec3<T> shift = shift_between<T>(child, box);
      return {p[r] + shift.x, p[view.rows + r] + shift.y, p[2 * view.rows + r] + shift.z, T(0)};
    }
    const Offset s = box.source_begin + i;
    const Point<T> p = view.sources[s];
    for (int c = 0; c < C; ++c) q[c] = view.charges[c * view.num_sources + s];
    const Vec3<T> shift = shift_between<T>(view.boxes[view.source_leaf[s]], box);
    return {p.x + shift.x, p.y + shift.y, p.z + shift.z, T(0)};
  }
};

constexpr int direct_block = cone_chunk_samples / 2;

/// Samples of a box's segments from charges: a block takes 256 samples, two per thread, C vectors and tiles
/// of charges.
template <Wave W, int C, class T>
__global__ __launch_bounds__(direct_block) void samples_from_charges(View<T> view, int l,
                                                                     const ConeChunk* chunks,
                                                                     const int* first_slot, bool currents,
                                                                     Kernel<T> kernel) {
  __shared__ Point<T> tile[direct_block];
  __shared__ complex<T> tile_charges[direct_block][C];
  const ConeChunk chunk = chunks[blockIdx.x];
  const LevelCones<T>& level = view.cones[l];
  const DeviceBox box = view.boxes[chunk.box];
  const Below<T> below(view, chunk.box, box);
  if (currents && !below.skeletons) return;  // samples_from_currents
  const int num = level.grid.num_samples(), local = chunk.box - level.first_box;
  const Offset begin = Offset(first_slot[local]) * num, end = Offset(first_slot[local + 1]) * num;
  Vec3<T> at[2];
  Sum<T> sum[2][C];
  for (int p = 0; p < 2; ++p) {
    const Offset i = min(begin + chunk.first + Offset(threadIdx.x) + p * direct_block, end - 1);
    at[p] = sample_place(level.grid, level.segments[i / num], int(i % num), side_of<T>(l));
  }
  for (int first = 0; first < below.count; first += direct_block) {
    const int here = min(direct_block, below.count - first);
    __syncthreads();
    if (int(threadIdx.x) < here)
      tile[threadIdx.x] = below.get(first + int(threadIdx.x), tile_charges[threadIdx.x]);
    __syncthreads();
#pragma unroll 4
    for (int s = 0; s < here; ++s) {
      const Point<T> from = tile[s];
#pragma unroll
      for (int p = 0; p < 2; ++p)
        add_pair<W, false, false, false, C, T>(sum[p], at[p].x - from.x, at[p].y - from.y, at[p].z - from.z,
                                               tile_charges[s], kernel);
    }
  }
  for (int p = 0; p < 2; ++p) {
    const Offset i = begin + chunk.first + Offset(threadIdx.x) + p * direct_block;
    if (i >= end) continue;
    const complex<T> factor = compensation(norm(at[p]), kernel);
    for (int c = 0; c < C; ++c)
      level.samples[i * C + c] = factor * complex<T>(sum[p][c].v[0], sum[p][c].v[1]);
  }
}

/// The same from currents, all six vectors together, a sample per thread.
template <class T>
__global__ __launch_bounds__(cone_chunk_samples) void samples_from_currents(View<T> view, int l,
                                                                            const ConeChunk* chunks,
                                                                            const int* first_slot,
                                                                            Kernel<T> kernel) {
  constexpr int tile_size = 64;
  __shared__ CurrentSource<T> tile[tile_size];
  const ConeChunk chunk = chunks[blockIdx.x];
  const LevelCones<T>& level = view.cones[l];
  const DeviceBox box = view.boxes[chunk.box];
  if (Below<T>(view, chunk.box, box).skeletons) return;
  const int num = level.grid.num_samples(), local = chunk.box - level.first_box;
  const Offset begin = Offset(first_slot[local]) * num, end = Offset(first_slot[local + 1]) * num;
  const Offset mine = begin + chunk.first + Offset(threadIdx.x), i = min(mine, end - 1);
  const Vec3<T> at = sample_place(level.grid, level.segments[i / num], int(i % num), side_of<T>(l));
  T sum[2 * current_vectors] = {};
  for (int first = 0; first < box.num_sources; first += tile_size) {
    const int here = min(tile_size, box.num_sources - first);
    __syncthreads();
    if (int(threadIdx.x) < here) {
      const Offset s = box.source_begin + first + threadIdx.x;
      tile[threadIdx.x] = current_source(view, s, shift_between<T>(view.boxes[view.source_leaf[s]], box));
    }
    __syncthreads();
    for (int s = 0; s < here; ++s) add_current(tile[s], at.x, at.y, at.z, kernel.k.re, sum);
  }
  if (mine >= end) return;
  const complex<T> factor = compensation(norm(at), kernel);
  for (int v = 0; v < current_vectors; ++v)
    level.samples[mine * current_vectors + v] = factor * complex<T>(sum[2 * v], sum[2 * v + 1]);
}

/// Samples from the cones of the children. A thread per sample, for all C vectors.
template <int C, class T>
__global__ __launch_bounds__(128) void samples_from_cones(View<T> view, int l, Kernel<T> kernel) {
  const LevelCones<T>& level = view.cones[l];
  const LevelCones<T>& below = view.cones[l + 1];
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= level.num_samples) return;
  const ConeSample<T> sample(view, l, i);
  if (sample.box.is_leaf) return;  // from its charges
  Sum<T> sum[1][C];
  for (int o = 0; o < 8; ++o) {
    const Index child = view.children[Offset(sample.box_number) * 8 + o];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    const Vec3<T> d = relative_place(sample.place, shift_between<T>(sample.box, view.boxes[child]),
                                     inverse_side_of<T>(l + 1));
    add_cone<1, C, T>(below, child - below.first_box, {d}, side_of<T>(l + 1), kernel, sum);
  }
  const complex<T> factor = compensation(norm(sample.place), kernel);
  for (int c = 0; c < C; ++c) level.samples[i * C + c] = factor * complex<T>(sum[0][c].v[0], sum[0][c].v[1]);
}

/// One direction of the transform: out[before][m][after] = sum_i map[m][i] in[before][i][after], out `stride`
/// apart.
template <class T>
__device__ void transform(const complex<T>* in, complex<T>* out, const T* map, int n, int after, int count,
                          int stride = 1) {
  for (int j = threadIdx.x; j < count; j += blockDim.x) {
    const int m = j / after % n;
    const complex<T>* line = in + j - m * after;
    complex<T> sum{};
    for (int i = 0; i < n; ++i) sum += map[m * n + i] * line[i * after];
    out[j * stride] = sum;
  }
  __syncthreads();
}

/// Values at the nodes to Chebyshev coefficients, in place. One block per slot and charge vector, those of
/// one slot adjacent: they share the loads.
template <class T>
__global__ __launch_bounds__(cone_block) void values_to_coefficients(LevelCones<T> level, int num_vectors) {
  extern __shared__ unsigned char memory[];
  __shared__ T map_s[most_order * most_order], map_a[most_order * most_order];
  const int ps = level.grid.radial_order, pa = level.grid.angular_order, num = level.grid.num_samples();
  complex<T>* a = reinterpret_cast<complex<T>*>(memory);
  complex<T>* b = a + num;
  const auto fill = [&](T* map, int n) {
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
      const int m = i / n;
      map[i] = T((m == 0 ? 1.0 : 2.0) / n) * T(::cos(T(m) * (T(i % n) + T(0.5)) * T(pi) / T(n)));
    }
  };
  fill(map_s, ps), fill(map_a, pa);
  const Offset slot = blockIdx.x / num_vectors;
  complex<T>* values = level.samples + slot * num * num_vectors + blockIdx.x % num_vectors;
  for (int i = threadIdx.x; i < num; i += blockDim.x) a[i] = values[i * num_vectors];
  __syncthreads();
  transform(a, b, map_a, pa, 1, num);
  transform(b, a, map_a, pa, pa, num);
  transform(a, values, map_s, ps, pa * pa, num, num_vectors);
}

}  // namespace

template <class T>
template <int C>
void Cones<T>::fill_level(const Evaluation<T>& e, int l, cudaStream_t stream) const {
  const Level& level = levels_[l];
  if (level.chunks.size() > 0) {
    dispatch_wave<T, false>(e.far_wave, [&](auto wave) {
      constexpr Wave W = decltype(wave)::value == Wave::static_kernel ? Wave::full : decltype(wave)::value;
      samples_from_charges<W, C, T><<<unsigned(level.chunks.size()), direct_block, 0, stream>>>(
          e.view, l, level.chunks.data(), level.first_slot.data(), e.currents, e.kernel);
    });
    if (e.currents)
      samples_from_currents<T><<<unsigned(level.chunks.size()), cone_chunk_samples, 0, stream>>>(
          e.view, l, level.chunks.data(), level.first_slot.data(), e.kernel);
    CURLEW_CHECK_LAUNCH("samples_from_charges");
  }
  if (level.cones.from_cones) {
    samples_from_cones<C, T>
        <<<cuda::blocks_for(level.cones.num_samples, 128), 128, 0, stream>>>(e.view, l, e.kernel);
    CURLEW_CHECK_LAUNCH("samples_from_cones");
  }
}

template <class T>
void Cones<T>::fill(const Evaluation<T>& e, cudaStream_t stream) const {
  for (int l = int(levels_.size()) - 1; l >= 2; --l) {
    const Level& level = levels_[l];
    if (level.cones.num_slots == 0) continue;
    dispatch_vectors(e.num_vectors,
                     [&](auto vectors) { fill_level<decltype(vectors)::value>(e, l, stream); });
    const std::size_t bytes = 2 * std::size_t(level.cones.grid.num_samples()) * sizeof(complex<T>);
    if (bytes > 40 * 1024)
      CURLEW_CUDA_CALL(cudaFuncSetAttribute(values_to_coefficients<T>,
                                            cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    values_to_coefficients<T>
        <<<unsigned(level.cones.num_slots) * unsigned(e.num_vectors), cone_block, bytes, stream>>>(
            level.cones, e.num_vectors);
    CURLEW_CHECK_LAUNCH("values_to_coefficients");
  }
}

template void Cones<float>::fill(const Evaluation<float>&, cudaStream_t) const;
template void Cones<double>::fill(const Evaluation<double>&, cudaStream_t) const;

}  // namespace curlew::ngim::device
