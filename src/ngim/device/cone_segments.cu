// SPDX-License-Identifier: BSD-3-Clause
// Which segments of the cones are needed, and their numbers.

#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "ngim/device/cone_sources.cuh"
#include "ngim/device/cones.cuh"

namespace curlew::ngim::device {
namespace {

/// Marks the segments that the targets of a leaf need. One block per leaf.
template <class T>
__global__ __launch_bounds__(cone_block) void mark_targets(View<T> view, unsigned char* const* marks) {
  const DeviceBox box = view.boxes[view.leaves[blockIdx.x]];
  for (int chunk = 0; chunk < box.num_targets; chunk += cone_block) {
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

/// The same for the boxes whose skeletons receive the cones' fields. A block per box and cone_block nodes.
template <class T>
__global__ __launch_bounds__(cone_block) void mark_skeletons(View<T> view, unsigned char* const* marks) {
  const Index b = view.first_grid_begin + Index(blockIdx.x);
  const DeviceBox box = view.boxes[b];
  if (!takes_cones_by_skeleton(view, box)) return;
  const int last = view.levels[view.first_grid_level].rank - 1;
  const Vec3<T> at = skeleton_place(view, min(int(blockIdx.y) * cone_block + int(threadIdx.x), last));
  for_cone_sources_above(view, b, [&](int l, Index source) {
    const LevelCones<T>& level = view.cones[l];
    mark_cone(level.grid, marks[l] + Offset(source - level.first_box) * level.grid.num_segments(),
              relative_place(at, shift_between<T>(box, view.boxes[source]), inverse_side_of<T>(l)));
  });
}

/// Marks the segments of level l + 1 that the samples of level l need. A thread per sample.
template <class T>
__global__ __launch_bounds__(128) void mark_samples(View<T> view, int l, unsigned char* marks) {
  const LevelCones<T>& level = view.cones[l];
  const LevelCones<T>& below = view.cones[l + 1];
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= level.num_samples) return;
  const ConeSample<T> sample(view, l, i);
  for (int o = 0; o < 8; ++o) {
    const Index child = view.children[Offset(sample.box_number) * 8 + o];
    if (child == no_box || view.boxes[child].num_sources == 0) continue;
    mark_cone(below.grid, marks + Offset(child - below.first_box) * below.grid.num_segments(),
              relative_place(sample.place, shift_between<T>(sample.box, view.boxes[child]),
                             inverse_side_of<T>(l + 1)));
  }
}

struct ToInt {
  __host__ __device__ int operator()(unsigned char mark) const { return mark; }
};

/// Writes the tables of slots from marks and their running sum.
__global__ void write_slots(Offset n, int num_segments, Index first_box, const unsigned char* marks,
                            const int* place, int* slot, int* segments, Index* slot_box) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  slot[i] = marks[i] ? place[i] : -1;
  if (marks[i])
    segments[place[i]] = int(i % num_segments), slot_box[place[i]] = first_box + Index(i / num_segments);
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
    mark_targets<T><<<unsigned(view.num_leaves), cone_block>>>(view, d_marks.data());
    CURLEW_CHECK_LAUNCH("mark_targets");
    const Index boxes = view.first_grid_end - view.first_grid_begin;
    if (boxes > 0)
      mark_skeletons<T><<<dim3(unsigned(boxes), cuda::blocks_for(view.rows, cone_block)), cone_block>>>(
          view, d_marks.data());
    CURLEW_CHECK_LAUNCH("mark_skeletons");
  }
  for (int l = 2; l < end; ++l) {
    number_segments(levels_[l], marks[l]);
    upload_levels();
    view.cones = d_levels_.data();
    const Offset samples = Offset(levels_[l].cones.num_slots) * levels_[l].cones.grid.num_samples();
    if (levels_[l].cones.from_cones && l + 1 < end && samples > 0) {
      mark_samples<T><<<cuda::blocks_for(samples, 128), 128>>>(view, l, marks[l + 1].data());
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
  write_slots<<<cuda::blocks_for(n, 256), 256>>>(n, num_segments, level.cones.first_box, marks.data(),
                                                 place.data(), level.slot.data(), level.segments.data(),
                                                 level.slot_box.data());
  CURLEW_CHECK_LAUNCH("write_slots");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // `place` is freed here
  level.cones.slot = level.slot.data(), level.cones.segments = level.segments.data(),
  level.cones.slot_box = level.slot_box.data();
  level.cones.num_samples = Offset(ends.back()) * level.cones.grid.num_samples();
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
    for (int first = 0; first < samples; first += cone_chunk_samples)
      chunks.push_back({level.cones.first_box + b, first});
  }
  level.chunks = cuda::Buffer<ConeChunk>(chunks);
}

template <class T>
std::size_t Cones<T>::num_samples() const {
  std::size_t n = 0;
  for (const Level& level : levels_) n += std::size_t(level.cones.num_samples);
  return n;
}

template <class T>
void Cones<T>::reserve(int num_vectors) {
  if (num_vectors <= reserved_) return;
  reserved_ = 0;
  for (Level& level : levels_) level.samples = {};
  require_device_memory(num_samples() * num_vectors * sizeof(complex<T>), "NGIM: the samples of the cones");
  for (Level& level : levels_) {
    level.samples = cuda::Buffer<complex<T>>(std::size_t(level.cones.num_samples) * num_vectors);
    level.cones.samples = level.samples.data();
  }
  reserved_ = num_vectors;
  upload_levels();
}

template Cones<float>::Cones(const Scheme&, View<float>);
template void Cones<float>::reserve(int);
template std::size_t Cones<float>::num_samples() const;
template Cones<double>::Cones(const Scheme&, View<double>);
template void Cones<double>::reserve(int);
template std::size_t Cones<double>::num_samples() const;

}  // namespace curlew::ngim::device
