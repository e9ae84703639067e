// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/device/cones.cuh"

#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "ngim/device/cone_point.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 64;
constexpr int most_order = 16;

/// The boxes that a leaf meets through cones, in shared memory: the interaction list of one ancestor at a
/// time. f(level, source box) is called by all threads of the block.
template <class T, class F>
__device__ __forceinline__ void for_cone_sources(const View<T>& view, Index leaf_number, F&& f) {
  __shared__ Index list[216];
  __shared__ int count;
  for (Index b = view.leaves[leaf_number]; view.boxes[b].level >= 2; b = view.boxes[b].parent) {
    const DeviceBox box = view.boxes[b];
    if (box.level >= view.first_grid_level) continue;
    __syncthreads();
    if (threadIdx.x < 32) {
      int n = 0;
      for (int o = threadIdx.x; o < 224; o += 32) {
        Index source = no_box;
        if (o < 216) {
          const Index uncle = view.colleagues[Offset(box.parent) * 27 + o / 8];
          if (uncle != no_box) source = view.children[Offset(uncle) * 8 + o % 8];
        }
        bool far = source != no_box && view.boxes[source].num_sources > 0;
        for (int i = 0; far && i < 27; ++i) far = view.colleagues[Offset(b) * 27 + i] != source;
        const unsigned votes = __ballot_sync(0xffffffffu, far);
        if (far) list[n + __popc(votes & ((1u << threadIdx.x) - 1))] = source;
        n += __popc(votes);
      }
      if (threadIdx.x == 0) count = n;
    }
    __syncthreads();
    for (int i = 0; i < count; ++i) f(box.level, list[i]);
  }
  for (Offset l = view.from_offsets[leaf_number]; l < view.from_offsets[leaf_number + 1]; ++l) {
    const Index source = view.from[l];
    if (view.boxes[source].level < view.first_grid_level) f(view.boxes[source].level, source);
  }
}

/// Marks the segments that the targets of a leaf ask for. One block per leaf.
template <class T>
__global__ __launch_bounds__(block_size) void mark_targets(View<T> view, unsigned char* const* marks) {
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  for (int chunk = 0; chunk < box.num_targets; chunk += block_size) {
    const int t = chunk + threadIdx.x;
    const Point<T> at = view.targets[box.target_begin + min(t, box.num_targets - 1)];
    for_cone_sources(view, Index(blockIdx.x), [&](int l, Index source) {
      const LevelCones<T>& level = view.cones[l];
      mark_cone(level.grid, marks[l] + Offset(source - level.first_box) * level.grid.num_segments(),
                relative_place({at.x, at.y, at.z}, shift_between<T>(box, view.boxes[source]),
                               inverse_side_of<T>(l)));
    });
  }
}

/// Marks the segments of level l + 1 that the samples of level l ask for. A thread per sample.
template <class T>
__global__ __launch_bounds__(128) void mark_samples(View<T> view, int l, unsigned char* marks) {
  const LevelCones<T>& level = view.cones[l];
  const LevelCones<T>& below = view.cones[l + 1];
  const int num = level.grid.num_samples();
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= Offset(level.num_slots) * num) return;
  const int slot = int(i / num);
  const Index b = level.slot_box[slot];
  const DeviceBox box = view.boxes[b];
  const Vec3<T> place = sample_place(level.grid, level.segments[slot], int(i % num), side_of<T>(l));
  for (int o = 0; o < 8; ++o) {
    const Index child = view.children[Offset(b) * 8 + o];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    mark_cone(below.grid, marks + Offset(child - below.first_box) * below.grid.num_segments(),
              relative_place(place, shift_between<T>(box, view.boxes[child]), inverse_side_of<T>(l + 1)));
  }
}

struct ToInt {
  __host__ __device__ int operator()(unsigned char mark) const { return mark; }
};

/// From marks and their running sum to the tables of slots.
__global__ void write_slots(Offset n, int num_segments, Index first_box, const unsigned char* marks,
                            const int* place, int* slot, int* segments, Index* slot_box) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  slot[i] = marks[i] ? place[i] : -1;
  if (marks[i])
    segments[place[i]] = int(i % num_segments), slot_box[place[i]] = first_box + Index(i / num_segments);
}

/// Charges below a box, as one numbered set: its points, or the skeletons of its children when those are
/// fewer (the host's choice, too).
template <class T>
struct Below {
  const View<T>& view;
  const DeviceBox& box;
  const complex<T>*charges, *outgoing;
  int children[8], num_children = 0, count;
  bool skeletons;

  __device__ Below(const View<T>& v, Index b, const DeviceBox& at, int vector)
      : view(v),
        box(at),
        charges(v.charges + vector * v.num_sources),
        outgoing(v.outgoing + vector * v.grid_values) {
    for (int o = 0; o < 8 && !box.is_leaf; ++o) {
      const Index child = view.children[Offset(b) * 8 + o];
      if (child != no_box && view.boxes[child].num_sources > 0) children[num_children++] = child;
    }
    const int of_skeletons = box.is_leaf ? 0 : num_children * view.levels[box.level + 1].rank;
    skeletons = !box.is_leaf && of_skeletons < box.num_sources;
    count = skeletons ? of_skeletons : box.num_sources;
  }

  /// Charge i, relative to the centre of the box.
  __device__ Point<T> get(int i, T& im) const {
    Point<T> p;
    complex<T> q;
    Vec3<T> shift;
    if (skeletons) {
      const int rank = view.levels[box.level + 1].rank, r = i % rank;
      const DeviceBox& child = view.boxes[children[i / rank]];
      const T* places = view.skeleton + Offset(child.level) * 3 * view.rows;
      p = {places[r], places[view.rows + r], places[2 * view.rows + r], T(0)};
      q = outgoing[Offset(child.grid) * view.rows + r];
      shift = shift_between<T>(child, box);
    } else {
      p = view.sources[box.source_begin + i];
      q = charges[box.source_begin + i];
      shift = shift_between<T>(view.boxes[view.source_leaf[box.source_begin + i]], box);
    }
    im = q.im;
    return {p.x + shift.x, p.y + shift.y, p.z + shift.z, q.re};
  }
};

constexpr int direct_block = 128, direct_samples = 2 * direct_block;

/// Samples of a box's segments from charges: a block takes 256 samples, two per thread, and tiles of charges.
template <Wave W, class T>
__global__ __launch_bounds__(direct_block) void samples_from_charges(View<T> view, int l,
                                                                     const ConeChunk* chunks,
                                                                     const int* first_slot,
                                                                     Kernel<T> kernel) {
  __shared__ Point<T> tile[direct_block];
  __shared__ T tile_im[direct_block];
  const ConeChunk chunk = chunks[blockIdx.x];
  const LevelCones<T>& level = view.cones[l];
  const DeviceBox box = view.boxes[chunk.box];
  const Below<T> below(view, chunk.box, box, blockIdx.y);
  const int num = level.grid.num_samples(), local = chunk.box - level.first_box;
  const Offset begin = Offset(first_slot[local]) * num, end = Offset(first_slot[local + 1]) * num;
  Vec3<T> at[2];
  Sum<T> sum[2][1];
  for (int p = 0; p < 2; ++p) {
    const Offset i = min(begin + chunk.first + Offset(threadIdx.x) + p * direct_block, end - 1);
    at[p] = sample_place(level.grid, level.segments[i / num], int(i % num), side_of<T>(l));
  }
  for (int first = 0; first < below.count; first += direct_block) {
    const int here = min(direct_block, below.count - first);
    __syncthreads();
    if (int(threadIdx.x) < here) tile[threadIdx.x] = below.get(first + threadIdx.x, tile_im[threadIdx.x]);
    __syncthreads();
#pragma unroll 4
    for (int s = 0; s < here; ++s) {
      const Point<T> from = tile[s];
      const complex<T> q[1] = {{from.w, tile_im[s]}};
#pragma unroll
      for (int p = 0; p < 2; ++p)
        add_pair<W, false, false, false, 1, T>(sum[p], at[p].x - from.x, at[p].y - from.y, at[p].z - from.z,
                                               q, kernel);
    }
  }
  for (int p = 0; p < 2; ++p) {
    const Offset i = begin + chunk.first + Offset(threadIdx.x) + p * direct_block;
    if (i < end)
      level.samples[blockIdx.y * level.vector_stride + i] =
          compensation(norm(at[p]), kernel) * complex<T>(sum[p][0].v[0], sum[p][0].v[1]);
  }
}

/// Samples from the cones of the children. A thread per sample.
template <class T>
__global__ __launch_bounds__(128) void samples_from_cones(View<T> view, int l, Kernel<T> kernel) {
  const LevelCones<T>& level = view.cones[l];
  const LevelCones<T>& below = view.cones[l + 1];
  const int num = level.grid.num_samples();
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= Offset(level.num_slots) * num) return;
  const int slot = int(i / num);
  const Index b = level.slot_box[slot];
  const DeviceBox box = view.boxes[b];
  if (box.is_leaf) return;  // from its charges
  const Vec3<T> place = sample_place(level.grid, level.segments[slot], int(i % num), side_of<T>(l));
  Sum<T> sum[1];
  for (int o = 0; o < 8; ++o) {
    const Index child = view.children[Offset(b) * 8 + o];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    add_cone<false, 1, T>(
        below, below.samples + blockIdx.y * below.vector_stride, child - below.first_box,
        relative_place(place, shift_between<T>(box, view.boxes[child]), inverse_side_of<T>(l + 1)),
        side_of<T>(l + 1), kernel, sum);
  }
  level.samples[blockIdx.y * level.vector_stride + i] =
      compensation(norm(place), kernel) * complex<T>(sum[0].v[0], sum[0].v[1]);
}

/// One direction of the transform: out[before][m][after] = sum_i map[m][i] in[before][i][after].
template <class T>
__device__ void transform(const complex<T>* in, complex<T>* out, const T* map, int n, int after, int count) {
  for (int j = threadIdx.x; j < count; j += blockDim.x) {
    const int m = j / after % n;
    const complex<T>* line = in + j - m * after;
    complex<T> sum{};
    for (int i = 0; i < n; ++i) sum += map[m * n + i] * line[i * after];
    out[j] = sum;
  }
  __syncthreads();
}

/// Values at the nodes to Chebyshev coefficients, in place. One block per slot and charge vector.
template <class T>
__global__ __launch_bounds__(block_size) void values_to_coefficients(LevelCones<T> level) {
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
  complex<T>* values = level.samples + blockIdx.y * level.vector_stride + Offset(blockIdx.x) * num;
  for (int i = threadIdx.x; i < num; i += blockDim.x) a[i] = values[i];
  __syncthreads();
  transform(a, b, map_a, pa, 1, num);
  transform(b, a, map_a, pa, pa, num);
  transform(a, values, map_s, ps, pa * pa, num);
}

/// Fields of the targets straight from the cones. One block per leaf, a thread per target.
template <bool gradient, int C, class T>
__global__ __launch_bounds__(block_size) void cones_to_targets(View<T> view, Kernel<T> kernel) {
  constexpr int parts = gradient ? 8 : 2;
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  for (int chunk = 0; chunk < box.num_targets; chunk += block_size) {
    const int t = chunk + threadIdx.x;
    const Point<T> at = view.targets[box.target_begin + min(t, box.num_targets - 1)];
    Sum<T> sum[C];
    for_cone_sources(view, Index(blockIdx.x), [&](int l, Index source) {
      const LevelCones<T>& level = view.cones[l];
      add_cone<gradient, C, T>(level, level.samples, source - level.first_box,
                               relative_place({at.x, at.y, at.z}, shift_between<T>(box, view.boxes[source]),
                                              inverse_side_of<T>(l)),
                               side_of<T>(l), kernel, sum);
    });
    if (t >= box.num_targets) continue;
    for (int v = 0; v < C * parts; ++v)
      view.fields[v * view.num_targets + box.target_begin + t] += sum[v / parts].v[v % parts];
  }
}

}  // namespace

template <class T>
Cones<T>::Cones(const Scheme& scheme, View<T> view) {
  const int end = std::min(scheme.first_grid_level, scheme.num_levels());
  levels_.resize(end);
  std::vector<cuda::Buffer<unsigned char>> marks(end);
  std::vector<unsigned char*> mark_pointers(end, nullptr);
  for (int l = 2; l < end; ++l) {
    LevelCones<T>& cones = levels_[l].cones;
    cones.grid = scheme.cones[l];
    cones.first_box = scheme.tree.level_begin[l];
    cones.num_boxes = scheme.tree.level_begin[l + 1] - cones.first_box;
    cones.from_cones = l + 1 < scheme.first_grid_level;
    const std::size_t n = std::size_t(cones.num_boxes) * cones.grid.num_segments();
    require_device_memory(9 * n, "NGIM: the table of cone segments");
    marks[l] = cuda::Buffer<unsigned char>(n);
    mark_pointers[l] = marks[l].data();
    CURLEW_CUDA_CALL(cudaMemset(marks[l].data(), 0, n));
  }
  upload_levels();
  view.cones = d_levels_.data();
  const cuda::Buffer<unsigned char*> d_marks(mark_pointers);
  if (view.num_targets > 0) {
    mark_targets<T><<<unsigned(view.num_leaves), block_size>>>(view, d_marks.data());
    CURLEW_CHECK_LAUNCH("mark_targets");
  }
  for (int l = 2; l < end; ++l) {
    number_segments(levels_[l], marks[l]);
    upload_levels();
    view.cones = d_levels_.data();
    const Offset samples = Offset(levels_[l].cones.num_slots) * levels_[l].cones.grid.num_samples();
    if (levels_[l].cones.from_cones && l + 1 < end && samples > 0) {
      mark_samples<T><<<blocks_of(samples, 128), 128>>>(view, l, marks[l + 1].data());
      CURLEW_CHECK_LAUNCH("mark_samples");
    }
    list_chunks(levels_[l], view);
  }
}

template <class T>
void Cones<T>::upload_levels() {
  std::vector<LevelCones<T>> all;
  for (const Level& level : levels_) all.push_back(level.cones);
  if (d_levels_.size() == all.size())
    d_levels_.upload(all.data());
  else
    d_levels_ = cuda::Buffer<LevelCones<T>>(all);
}

template <class T>
void Cones<T>::number_segments(Level& level, const cuda::Buffer<unsigned char>& marks) {
  const int num_segments = level.cones.grid.num_segments();
  const Offset n = Offset(marks.size());
  cuda::Buffer<int> place(n + 1);
  level.slot = cuda::Buffer<int>(n);
  std::size_t bytes = 0;
  // place[i] counts the marks before i; the one after the last mark counts all of them.
  CURLEW_CUDA_CALL(cudaMemset(place.data(), 0, sizeof(int)));
  const auto ones = thrust::make_transform_iterator(marks.data(), ToInt());
  CURLEW_CUDA_CALL(cub::DeviceScan::InclusiveSum(nullptr, bytes, ones, place.data() + 1, n));
  cuda::Buffer<unsigned char> work(bytes);
  CURLEW_CUDA_CALL(cub::DeviceScan::InclusiveSum(work.data(), bytes, ones, place.data() + 1, n));
  std::vector<int> ends(level.cones.num_boxes + 1);
  CURLEW_CUDA_CALL(cudaMemcpy2D(ends.data(), sizeof(int), place.data(), num_segments * sizeof(int),
                                sizeof(int), ends.size(), cudaMemcpyDeviceToHost));
  level.first_slot_host = ends;
  level.first_slot = cuda::Buffer<int>(ends);
  level.cones.num_slots = ends.back();
  level.segments = cuda::Buffer<int>(ends.back()), level.slot_box = cuda::Buffer<Index>(ends.back());
  write_slots<<<blocks_of(n, 256), 256>>>(n, num_segments, level.cones.first_box, marks.data(), place.data(),
                                          level.slot.data(), level.segments.data(), level.slot_box.data());
  CURLEW_CHECK_LAUNCH("write_slots");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // `place` is freed here
  level.cones.slot = level.slot.data(), level.cones.segments = level.segments.data(),
  level.cones.slot_box = level.slot_box.data();
  level.cones.vector_stride = Offset(ends.back()) * level.cones.grid.num_samples();
}

template <class T>
void Cones<T>::list_chunks(Level& level, const View<T>& view) {
  std::vector<DeviceBox> boxes(level.cones.num_boxes);
  CURLEW_CUDA_CALL(cudaMemcpy(boxes.data(), view.boxes + level.cones.first_box,
                              boxes.size() * sizeof(DeviceBox), cudaMemcpyDefault));
  std::vector<ConeChunk> chunks;
  const int num = level.cones.grid.num_samples();
  for (Index b = 0; b < level.cones.num_boxes; ++b) {
    if (level.cones.from_cones && !boxes[b].is_leaf) continue;
    const int samples = (level.first_slot_host[b + 1] - level.first_slot_host[b]) * num;
    for (int first = 0; first < samples; first += direct_samples)
      chunks.push_back({level.cones.first_box + b, first});
  }
  level.chunks = cuda::Buffer<ConeChunk>(chunks);
}

template <class T>
std::size_t Cones<T>::num_samples() const {
  std::size_t n = 0;
  for (const Level& level : levels_) n += std::size_t(level.cones.vector_stride);
  return n;
}

template <class T>
void Cones<T>::reserve(int num_vectors) {
  if (num_vectors <= reserved_) return;
  reserved_ = 0;
  for (Level& level : levels_) level.samples = {};
  require_device_memory(num_samples() * num_vectors * sizeof(complex<T>), "NGIM: the samples of the cones");
  for (Level& level : levels_) {
    level.samples = cuda::Buffer<complex<T>>(std::size_t(level.cones.vector_stride) * num_vectors);
    level.cones.samples = level.samples.data();
  }
  reserved_ = num_vectors;
  upload_levels();
}

template <class T>
void Cones<T>::fill(const Evaluation<T>& e, cudaStream_t stream) const {
  for (int l = int(levels_.size()) - 1; l >= 2; --l) {
    const Level& level = levels_[l];
    if (level.cones.num_slots == 0) continue;
    if (level.chunks.size() > 0) {
      dispatch_wave<T, false>(e.far_wave, [&](auto wave) {
        constexpr Wave W = decltype(wave)::value == Wave::still ? Wave::full : decltype(wave)::value;
        samples_from_charges<W, T>
            <<<dim3(unsigned(level.chunks.size()), e.num_vectors), direct_block, 0, stream>>>(
                e.view, l, level.chunks.data(), level.first_slot.data(), e.kernel);
      });
      CURLEW_CHECK_LAUNCH("samples_from_charges");
    }
    if (level.cones.from_cones) {
      samples_from_cones<T>
          <<<dim3(blocks_of(level.cones.vector_stride, 128), e.num_vectors), 128, 0, stream>>>(e.view, l,
                                                                                               e.kernel);
      CURLEW_CHECK_LAUNCH("samples_from_cones");
    }
    const std::size_t bytes = 2 * std::size_t(level.cones.grid.num_samples()) * sizeof(complex<T>);
    if (bytes > 40 * 1024)
      CURLEW_CUDA_CALL(cudaFuncSetAttribute(values_to_coefficients<T>,
                                            cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    values_to_coefficients<T>
        <<<dim3(unsigned(level.cones.num_slots), e.num_vectors), block_size, bytes, stream>>>(level.cones);
    CURLEW_CHECK_LAUNCH("values_to_coefficients");
  }
}

template <class T>
void Cones<T>::add_fields(const Evaluation<T>& e, cudaStream_t stream) const {
  if (levels_.size() <= 2 || e.view.num_leaves == 0) return;
  dispatch_shape(e.num_vectors, e.gradient, [&](auto vectors, auto gradient) {
    cones_to_targets<decltype(gradient)::value, decltype(vectors)::value, T>
        <<<unsigned(e.view.num_leaves), block_size, 0, stream>>>(e.view, e.kernel);
  });
  CURLEW_CHECK_LAUNCH("cones_to_targets");
}

template class Cones<float>;
template class Cones<double>;

}  // namespace curlew::ngim::device
