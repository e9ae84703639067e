// SPDX-License-Identifier: BSD-3-Clause
// The octree from sorted keys on the device, level by level: where octants end, how many are not empty, a
// running sum for their numbers, the boxes themselves.

#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "ngim/device/device_tree.cuh"

namespace curlew::ngim::device {
namespace {

/// First index in [begin, end) whose octant at `level` is above `octant`.
__device__ Offset end_of_octant(const std::uint64_t* keys, Offset begin, Offset end, int level, int octant) {
  const int shift = 3 * (max_level - level);
  while (begin < end) {
    const Offset middle = begin + (end - begin) / 2;
    if (int((keys[middle] >> shift) & 7) <= octant)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// A thread per box and octant: where the octant's points end.
__global__ void find_octants(Index first, Index count, Offset limit, const DeviceBox* boxes,
                             const std::uint64_t* source_keys, const std::uint64_t* target_keys,
                             bool same_points, Offset* source_ends, Offset* target_ends) {
  const Index i = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (i >= 8 * count) return;
  const DeviceBox& box = boxes[first + i / 8];
  if (max(box.num_sources, box.num_targets) <= limit) return;
  source_ends[i] =
      end_of_octant(source_keys, box.source_begin, box.source_begin + box.num_sources, box.level + 1, i % 8);
  if (!same_points)
    target_ends[i] = end_of_octant(target_keys, box.target_begin, box.target_begin + box.num_targets,
                                   box.level + 1, i % 8);
}

/// Points of octant o of a box.
struct Octant {
  Offset source_begin, source_end, target_begin, target_end;
  __device__ Octant(const DeviceBox& box, int o, const Offset* source_ends, const Offset* target_ends,
                    bool same_points) {
    source_begin = o == 0 ? box.source_begin : source_ends[o - 1], source_end = source_ends[o];
    target_begin = source_begin, target_end = source_end;
    if (!same_points)
      target_begin = o == 0 ? box.target_begin : target_ends[o - 1], target_end = target_ends[o];
  }
  __device__ bool is_empty() const { return source_begin == source_end && target_begin == target_end; }
};

__global__ void count_children(Index first, Index count, Offset limit, DeviceBox* boxes,
                               const Offset* source_ends, const Offset* target_ends, bool same_points,
                               Index* counts) {
  const Index i = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (i >= count) return;
  DeviceBox& box = boxes[first + i];
  box.is_leaf = max(box.num_sources, box.num_targets) <= limit;
  Index n = 0;
  for (int o = 0; o < 8 && !box.is_leaf; ++o)
    n += !Octant(box, o, source_ends + 8 * Offset(i), target_ends + 8 * Offset(i), same_points).is_empty();
  counts[i] = n;
}

/// @param ends running sum of counts, inclusive
__global__ void write_children(Index first, Index count, DeviceBox* boxes, const Offset* source_ends,
                               const Offset* target_ends, bool same_points, const Index* ends,
                               Index* children) {
  const Index i = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (i >= count) return;
  const DeviceBox box = boxes[first + i];
  Index next = first + count + (i == 0 ? 0 : ends[i - 1]);
  const double quarter = 0.25 / double(1u << box.level);
  for (int o = 0; o < 8; ++o) {
    Index number = no_box;
    if (!box.is_leaf) {
      const Octant octant(box, o, source_ends + 8 * Offset(i), target_ends + 8 * Offset(i), same_points);
      if (!octant.is_empty()) {
        number = next++;
        boxes[number] = {box.x + (o & 1 ? quarter : -quarter),
                         box.y + (o & 2 ? quarter : -quarter),
                         box.z + (o & 4 ? quarter : -quarter),
                         octant.source_begin,
                         octant.target_begin,
                         int(octant.source_end - octant.source_begin),
                         int(octant.target_end - octant.target_begin),
                         first + i,
                         no_box,
                         box.level + 1,
                         o,
                         1};
      }
    }
    children[8 * Offset(first + i) + o] = number;
  }
}

/// A thread per box of a level and position in its 3 x 3 x 3 neighbourhood; see the host's find_colleagues.
__global__ void find_colleagues(Index first, Index count, const DeviceBox* boxes, const Index* children,
                                Index* colleagues) {
  const Offset thread = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= Offset(27) * count) return;
  const Index b = first + Index(thread / 27);
  const int i = int(thread % 27);
  const DeviceBox& box = boxes[b];
  Index found = i == 13 ? b : no_box;
  if (box.level > 0) {
    const int u[3] = {2 + (box.octant & 1) + i % 3 - 1, 2 + (box.octant >> 1 & 1) + i / 3 % 3 - 1,
                      2 + (box.octant >> 2) + i / 9 - 1};
    const Index uncle = colleagues[27 * Offset(box.parent) + u[0] / 2 + 3 * (u[1] / 2) + 9 * (u[2] / 2)];
    found =
        uncle == no_box ? no_box : children[8 * Offset(uncle) + u[0] % 2 + 2 * (u[1] % 2) + 4 * (u[2] % 2)];
  }
  colleagues[27 * Offset(b) + i] = found;
}

struct IsLeaf {
  const DeviceBox* boxes;
  __device__ bool operator()(Index b) const { return boxes[b].is_leaf != 0; }
};

/// Changes the size of a buffer and copies its first values.
template <class T>
void resize(cuda::Buffer<T>& buffer, std::size_t keep, std::size_t size) {
  cuda::Buffer<T> larger(size);
  if (keep > 0)
    CURLEW_CUDA_CALL(cudaMemcpy(larger.data(), buffer.data(), keep * sizeof(T), cudaMemcpyDefault));
  buffer = std::move(larger);
}

/// Running sum, inclusive, in place; returns the last one.
Index sum_in_place(cuda::Buffer<Index>& counts, Index n, cuda::Buffer<unsigned char>& work) {
  std::size_t bytes = 0;
  CURLEW_CUDA_CALL(cub::DeviceScan::InclusiveSum(nullptr, bytes, counts.data(), counts.data(), n));
  if (work.size() < bytes) work = cuda::Buffer<unsigned char>(bytes);
  CURLEW_CUDA_CALL(cub::DeviceScan::InclusiveSum(work.data(), bytes, counts.data(), counts.data(), n));
  Index last = 0;
  CURLEW_CUDA_CALL(cudaMemcpy(&last, counts.data() + n - 1, sizeof(last), cudaMemcpyDefault));
  return last;
}

void list_leaves(DeviceTree& tree) {
  cuda::Buffer<Index> selected(tree.num_boxes());
  cuda::Buffer<Index> count(1);
  std::size_t bytes = 0;
  const auto select = [&](void* work) {
    CURLEW_CUDA_CALL(cub::DeviceSelect::If(work, bytes, thrust::counting_iterator<Index>(0), selected.data(),
                                           count.data(), tree.num_boxes(), IsLeaf{tree.boxes.data()}));
  };
  select(nullptr);
  cuda::Buffer<unsigned char> work(bytes);
  select(work.data());
  const std::size_t n = count.to_host()[0];
  resize(selected, n, n);
  tree.leaves = std::move(selected);
}

}  // namespace

void divide(DeviceTree& tree, const LeafSize& leaf_size) {
  const DeviceBox root{0.5,    0.5,    0.5, 0, 0, int(tree.num_sources), int(tree.num_targets),
                       no_box, no_box, 0,   0, 1};
  tree.boxes = cuda::Buffer<DeviceBox>(std::vector<DeviceBox>{root});
  tree.level_begin = {0, 1};
  cuda::Buffer<Offset> source_ends, target_ends;
  cuda::Buffer<Index> counts;
  cuda::Buffer<unsigned char> work;
  for (int level = 0;; ++level) {
    const Index first = tree.level_begin[level], count = tree.level_begin[level + 1] - first;
    const Offset asked = leaf_size(level, tree.side / double(1u << level));
    // A box of the last level is not divided, however many points it has.
    const Offset limit = level < max_level ? asked : std::numeric_limits<Offset>::max();
    if (Offset(counts.size()) < count) {
      counts = cuda::Buffer<Index>(count), source_ends = cuda::Buffer<Offset>(8 * std::size_t(count));
      if (!tree.same_points) target_ends = cuda::Buffer<Offset>(8 * std::size_t(count));
    }
    find_octants<<<cuda::blocks_for(8 * Offset(count), 128), 128>>>(
        first, count, limit, tree.boxes.data(), tree.source_keys.data(), tree.target_keys.data(),
        tree.same_points, source_ends.data(), target_ends.data());
    count_children<<<cuda::blocks_for(count, 128), 128>>>(first, count, limit, tree.boxes.data(),
                                                          source_ends.data(), target_ends.data(),
                                                          tree.same_points, counts.data());
    CURLEW_CHECK_LAUNCH("count_children");
    const Index added = sum_in_place(counts, count, work), total = first + count + added;
    if (added > 0) resize(tree.boxes, first + count, total);
    resize(tree.children, 8 * std::size_t(first), 8 * std::size_t(first + count));
    write_children<<<cuda::blocks_for(count, 128), 128>>>(first, count, tree.boxes.data(), source_ends.data(),
                                                          target_ends.data(), tree.same_points, counts.data(),
                                                          tree.children.data());
    CURLEW_CHECK_LAUNCH("write_children");
    if (added == 0) break;
    tree.level_begin.push_back(total);
  }
  tree.colleagues = cuda::Buffer<Index>(27 * std::size_t(tree.num_boxes()));
  for (int level = 0; level < tree.num_levels(); ++level) {
    const Index first = tree.level_begin[level], count = tree.level_begin[level + 1] - first;
    find_colleagues<<<cuda::blocks_for(27 * Offset(count), 256), 256>>>(
        first, count, tree.boxes.data(), tree.children.data(), tree.colleagues.data());
    CURLEW_CHECK_LAUNCH("find_colleagues");
  }
  list_leaves(tree);
  tree.source_keys = {}, tree.target_keys = {};
}

Tree outline(const DeviceTree& tree) {
  Tree t;
  t.origin = tree.origin, t.side = tree.side, t.same_points = tree.same_points;
  t.level_begin = tree.level_begin;
  return t;
}

}  // namespace curlew::ngim::device
