// SPDX-License-Identifier: BSD-3-Clause
// Near lists and lists between levels on the device: each leaf and box gathers its own rows, first to count
// them, then to write them. The rules are those of ngim/lists.cpp, where targets are visited from the
// sources.

#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "ngim/device/device_tree.cuh"
#include "ngim/device/offsets.cuh"

namespace curlew::ngim::device {
namespace {

struct Boxes {
  const DeviceBox* boxes;
  const Index *children, *colleagues, *leaves;
  const Index* grid_size;  ///< by level
  Index num_boxes, num_leaves;
  int first_grid_level;

  __device__ bool adjacent(const DeviceBox& a, const DeviceBox& b) const {
    const double reach = 0.5 / double(1u << a.level) + 0.5 / double(1u << b.level);  // exact, as the centres
    return ::fabs(a.x - b.x) <= reach && ::fabs(a.y - b.y) <= reach && ::fabs(a.z - b.z) <= reach;
  }
  __device__ bool has_grid(const DeviceBox& box) const { return box.level >= first_grid_level; }
};

/// Sources below a colleague of a target leaf: near and from_grids (ngim::Builder::down_sources).
template <class Near, class From>
__device__ void gather_smaller(const Boxes& t, const DeviceBox& target, Index child, Near&& near,
                               From&& from) {
  Index stack[7 * max_level + 8];
  int depth = 0;
  stack[depth++] = child;
  while (depth > 0) {
    const Index b = stack[--depth];
    const DeviceBox& box = t.boxes[b];
    if (box.num_sources == 0) continue;
    const bool small = box.is_leaf && box.num_sources <= t.grid_size[box.level];
    const bool adjacent = t.adjacent(target, box);
    if (small || (box.is_leaf && adjacent)) {
      near(b);
    } else if (!adjacent) {
      from(b);
    } else {
      for (int o = 7; o >= 0; --o) {
        if (t.children[8 * Offset(b) + o] != no_box) stack[depth++] = t.children[8 * Offset(b) + o];
      }
    }
  }
}

/// Larger leaves beside box b that end at b, near or on its grid (ngim::Builder::down_targets): leaf
/// colleagues of an ancestor of b with no ending box between it and b.
template <class Near, class To>
__device__ void gather_larger(const Boxes& t, Index b, Near&& near, To&& to) {
  const DeviceBox& box = t.boxes[b];
  if (box.num_targets == 0) return;
  for (Index ancestor = box.parent; ancestor != no_box; ancestor = t.boxes[ancestor].parent) {
    for (int i = 0; i < 27; ++i) {
      const Index s = t.colleagues[27 * Offset(ancestor) + i];
      if (s == no_box || !t.boxes[s].is_leaf || t.boxes[s].num_sources == 0) continue;
      const DeviceBox& source = t.boxes[s];
      bool cut = false;
      for (Index p = box.parent; p != ancestor && !cut; p = t.boxes[p].parent)
        cut = t.has_grid(t.boxes[p]) && !t.adjacent(t.boxes[p], source);
      if (cut) continue;
      const bool adjacent = t.adjacent(box, source);
      const bool small = box.is_leaf && box.num_targets <= t.grid_size[box.level];
      if (box.is_leaf && (adjacent || small || !t.has_grid(box)))
        near(s);
      else if (!adjacent && t.has_grid(box))
        to(s);
    }
  }
}

/// Rows of one leaf. values: nullptr to count only.
__global__ void leaf_rows(Boxes t, Offset* near_offsets, Offset* from_offsets, Index* near, Index* from) {
  const Index i = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (i >= t.num_leaves) return;
  const Index b = t.leaves[i];
  const DeviceBox target = t.boxes[b];
  const bool writes = near != nullptr;
  Offset num_near = writes ? near_offsets[i] : 0, num_from = writes ? from_offsets[i] : 0;
  const auto add_near = [&](Index s) {
    if (writes) near[num_near] = s;
    ++num_near;
  };
  const auto add_from = [&](Index s) {
    if (writes) from[num_from] = s;
    ++num_from;
  };
  for (int c = 0; c < 27 && target.num_targets > 0; ++c) {
    const Index colleague = t.colleagues[27 * Offset(b) + c];
    if (colleague == no_box || t.boxes[colleague].num_sources == 0) continue;
    if (t.boxes[colleague].is_leaf) {
      add_near(colleague);
      continue;
    }
    for (int o = 0; o < 8; ++o) {
      const Index child = t.children[8 * Offset(colleague) + o];
      if (child != no_box) gather_smaller(t, target, child, add_near, add_from);
    }
  }
  gather_larger(t, b, add_near, [](Index) {});
  if (!writes) near_offsets[i + 1] = num_near, from_offsets[i + 1] = num_from;
}

__global__ void box_rows(Boxes t, Offset* to_offsets, Index* to) {
  const Index b = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (b >= t.num_boxes) return;
  Offset n = to == nullptr ? 0 : to_offsets[b];
  gather_larger(
      t, b, [](Index) {},
      [&](Index s) {
        if (to != nullptr) to[n] = s;
        ++n;
      });
  if (to == nullptr) to_offsets[b + 1] = n;
}

void sum_offsets(cuda::Buffer<Offset>& offsets) {
  CURLEW_CUDA_CALL(cudaMemset(offsets.data(), 0, sizeof(Offset)));
  std::size_t bytes = 0;
  const Offset n = Offset(offsets.size());
  CURLEW_CUDA_CALL(cub::DeviceScan::InclusiveSum(nullptr, bytes, offsets.data(), offsets.data(), n));
  cuda::Buffer<unsigned char> work(bytes);
  CURLEW_CUDA_CALL(cub::DeviceScan::InclusiveSum(work.data(), bytes, offsets.data(), offsets.data(), n));
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // the work array is freed here
}

Offset last_of(const cuda::Buffer<Offset>& offsets) {
  Offset last = 0;
  CURLEW_CUDA_CALL(cudaMemcpy(&last, offsets.data() + offsets.size() - 1, sizeof(last), cudaMemcpyDefault));
  return last;
}

void fill_rows(DeviceTree& tree, const Boxes& t) {
  tree.near_offsets = cuda::Buffer<Offset>(t.num_leaves + 1),
  tree.from_offsets = cuda::Buffer<Offset>(t.num_leaves + 1),
  tree.to_offsets = cuda::Buffer<Offset>(t.num_boxes + 1);
  const auto run = [&](Index* near, Index* from, Index* to) {
    leaf_rows<<<cuda::blocks_for(t.num_leaves, 64), 64>>>(t, tree.near_offsets.data(),
                                                          tree.from_offsets.data(), near, from);
    box_rows<<<cuda::blocks_for(t.num_boxes, 64), 64>>>(t, tree.to_offsets.data(), to);
    CURLEW_CHECK_LAUNCH("rows of the lists");
  };
  run(nullptr, nullptr, nullptr);
  sum_offsets(tree.near_offsets), sum_offsets(tree.from_offsets), sum_offsets(tree.to_offsets);
  // One entry more than needed, so that the pointers are not null and the second pass writes.
  tree.near = cuda::Buffer<Index>(last_of(tree.near_offsets) + 1);
  tree.from = cuda::Buffer<Index>(last_of(tree.from_offsets) + 1);
  tree.to = cuda::Buffer<Index>(last_of(tree.to_offsets) + 1);
  run(tree.near.data(), tree.from.data(), tree.to.data());
}

struct HasRow {
  const Offset* offsets;
  __device__ bool operator()(Index b) const { return offsets[b] < offsets[b + 1]; }
};

void list_to_targets(DeviceTree& tree) {
  cuda::Buffer<Index> selected(tree.num_boxes()), count(1);
  std::size_t bytes = 0;
  const auto select = [&](void* work) {
    CURLEW_CUDA_CALL(cub::DeviceSelect::If(work, bytes, thrust::counting_iterator<Index>(0), selected.data(),
                                           count.data(), tree.num_boxes(), HasRow{tree.to_offsets.data()}));
  };
  select(nullptr);
  cuda::Buffer<unsigned char> work(bytes);
  select(work.data());
  tree.to_targets = cuda::Buffer<Index>(count.to_host()[0]);
  CURLEW_CUDA_CALL(
      cudaMemcpy(tree.to_targets.data(), selected.data(), tree.to_targets.bytes(), cudaMemcpyDefault));
}

constexpr int not_member = 255;

/// Level and octant of boxes with targets and a grid; the offset of the grids' values.
__global__ void name_members(Index num_boxes, Index first_with_grid, DeviceBox* boxes, unsigned char* keys,
                             Index* numbers, int* histogram) {
  const Index b = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (b >= num_boxes) return;
  DeviceBox& box = boxes[b];
  box.grid = b >= first_with_grid ? b - first_with_grid : no_box;
  const int key = box.grid != no_box && box.num_targets > 0 ? 8 * box.level + box.octant : not_member;
  keys[b] = static_cast<unsigned char>(key), numbers[b] = b;
  atomicAdd(&histogram[key], 1);
}

void list_groups(DeviceTree& tree, int first_grid_level) {
  const Index n = tree.num_boxes();
  const Index first = first_grid_level < tree.num_levels() ? tree.level_begin[first_grid_level] : n;
  cuda::Buffer<unsigned char> keys(n), sorted_keys(n);
  cuda::Buffer<Index> numbers(n);
  cuda::Buffer<int> histogram(std::vector<int>(256, 0));
  tree.members = cuda::Buffer<Index>(n);
  name_members<<<cuda::blocks_for(n, 256), 256>>>(n, first, tree.boxes.data(), keys.data(), numbers.data(),
                                                  histogram.data());
  CURLEW_CHECK_LAUNCH("name_members");
  std::size_t bytes = 0;
  const auto sort = [&](void* work) {
    CURLEW_CUDA_CALL(cub::DeviceRadixSort::SortPairs(work, bytes, keys.data(), sorted_keys.data(),
                                                     numbers.data(), tree.members.data(), n));
  };
  sort(nullptr);
  cuda::Buffer<unsigned char> work(bytes);
  sort(work.data());
  const auto counts = histogram.to_host();
  Index begin = 0;
  for (int key = 0; key < not_member; ++key) {
    for (Index i = 0; i < counts[key]; i += group_boxes)
      tree.groups.push_back({begin + i, std::min<int>(group_boxes, counts[key] - i), key / 8, key % 8});
    begin += counts[key];
  }
}

/// Translations of all members: the sources that their interaction lists hold.
__global__ void count_translations(Boxes t, const Index* members, Index num_members,
                                   unsigned long long* count) {
  const Index i = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (i >= num_members) return;
  const DeviceBox& target = t.boxes[members[i]];
  unsigned long long own = 0;
  for (int o = 0; o < num_octant_offsets; ++o) {
    int offset = 0;
    if (!octant_offset(o, target.octant, offset)) continue;
    const Index uncle = t.colleagues[Offset(target.parent) * 27 + o / 8];
    const Index source = uncle == no_box ? no_box : t.children[Offset(uncle) * 8 + o % 8];
    own += source != no_box && t.boxes[source].num_sources > 0 ? 1 : 0;
  }
  atomicAdd(count, own);
}

void measure_groups(DeviceTree& tree, const Boxes& t) {
  const Index members = tree.groups.empty() ? 0 : Index(tree.groups.back().first + tree.groups.back().count);
  if (members == 0) return;
  cuda::Buffer<unsigned long long> count(std::vector<unsigned long long>(1, 0));
  count_translations<<<cuda::blocks_for(members, 256), 256>>>(t, tree.members.data(), members, count.data());
  CURLEW_CHECK_LAUNCH("count_translations");
  tree.filled_offsets = double(count.to_host()[0]) / (189.0 * double(members));
}

/// Pairs of the near field and the largest distance between two of its points, at most.
__global__ void measure_near(Boxes t, const Offset* offsets, const Index* near, unsigned long long* pairs,
                             unsigned long long* reach) {
  const Index i = Index(blockIdx.x) * Index(blockDim.x) + Index(threadIdx.x);
  if (i >= t.num_leaves) return;
  const DeviceBox& target = t.boxes[t.leaves[i]];
  unsigned long long count = 0;
  double most = 0;
  for (Offset l = offsets[i]; l < offsets[i + 1]; ++l) {
    const DeviceBox& source = t.boxes[near[l]];
    count += static_cast<unsigned long long>(target.num_targets) * source.num_sources;
    const double x = source.x - target.x, y = source.y - target.y, z = source.z - target.z;
    most = ::fmax(most, ::sqrt(x * x + y * y + z * z) +
                            ::sqrt(0.75) * (1 / double(1u << source.level) + 1 / double(1u << target.level)));
  }
  atomicAdd(pairs, count);
  atomicMax(reach, static_cast<unsigned long long>(__double_as_longlong(most)));  // ordered as the values
}

}  // namespace

void build_lists(DeviceTree& tree, int first_grid_level, const std::vector<Index>& grid_size) {
  const cuda::Buffer<Index> sizes(grid_size);
  const Boxes t{tree.boxes.data(), tree.children.data(), tree.colleagues.data(),    tree.leaves.data(),
                sizes.data(),      tree.num_boxes(),     Index(tree.leaves.size()), first_grid_level};
  fill_rows(tree, t);
  list_to_targets(tree);
  list_groups(tree, first_grid_level);
  measure_groups(tree, t);
  cuda::Buffer<unsigned long long> results(std::vector<unsigned long long>(2, 0));
  measure_near<<<cuda::blocks_for(t.num_leaves, 128), 128>>>(t, tree.near_offsets.data(), tree.near.data(),
                                                             results.data(), results.data() + 1);
  CURLEW_CHECK_LAUNCH("measure_near");
  const auto r = results.to_host();
  tree.near_pairs = Offset(r[0]);
  std::memcpy(&tree.near_reach, &r[1], sizeof(double));
}

}  // namespace curlew::ngim::device
