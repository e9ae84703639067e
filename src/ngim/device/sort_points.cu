// SPDX-License-Identifier: BSD-3-Clause
// Points to Morton order on the device: extent, keys, radix sort.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <limits>

#include "base/error.hpp"
#include "ngim/device/device_tree.cuh"

namespace curlew::ngim::device {
namespace {

/// Extent of a set and its first point that is none.
struct Range {
  double low[3], high[3];
  Offset bad;
};
constexpr Offset none = std::numeric_limits<Offset>::max();

struct RangeOfPoint {
  const Vec3<double>* points;
  __device__ Range operator()(Offset i) const {
    Range r{};
    r.bad = none;
    for (int d = 0; d < 3; ++d) {
      const double v = d == 0 ? points[i].x : (d == 1 ? points[i].y : points[i].z);
      r.low[d] = r.high[d] = v;
      if (!isfinite(v)) r.bad = i;
    }
    return r;
  }
};

struct UniteRanges {
  __host__ __device__ Range operator()(const Range& a, const Range& b) const {
    Range r;
    for (int d = 0; d < 3; ++d) {
      r.low[d] = a.low[d] < b.low[d] ? a.low[d] : b.low[d];
      r.high[d] = a.high[d] > b.high[d] ? a.high[d] : b.high[d];
    }
    r.bad = a.bad < b.bad ? a.bad : b.bad;
    return r;
  }
};

void enlarge(Extent& extent, const cuda::Buffer<Vec3<double>>& points, const char* what) {
  if (points.size() == 0) return;
  Range start{};
  for (int d = 0; d < 3; ++d) start.low[d] = INFINITY, start.high[d] = -INFINITY;
  start.bad = none;
  cuda::Buffer<Range> result(1);
  std::size_t bytes = 0;
  const auto reduce = [&](void* work) {
    CURLEW_CUDA_CALL(cub::DeviceReduce::TransformReduce(work, bytes, thrust::counting_iterator<Offset>(0),
                                                        result.data(), Offset(points.size()), UniteRanges(),
                                                        RangeOfPoint{points.data()}, start));
  };
  reduce(nullptr);
  cuda::Buffer<unsigned char> work(bytes);
  reduce(work.data());
  const Range r = result.to_host()[0];
  if (r.bad != none) {
    Vec3<double> p;
    CURLEW_CUDA_CALL(cudaMemcpy(&p, points.data() + r.bad, sizeof(p), cudaMemcpyDefault));
    throw_not_finite(what, r.bad, p);
  }
  for (int d = 0; d < 3; ++d) {
    extent.low[d] = std::min(extent.low[d], r.low[d]);
    extent.high[d] = std::max(extent.high[d], r.high[d]);
  }
}

__global__ void make_keys(Offset n, const Vec3<double>* points, Vec3<double> origin, double side,
                          std::uint64_t* keys, Index* order) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  keys[i] = morton_key(points[i], origin, side), order[i] = Index(i);
}

void sort_set(const DeviceTree& tree, const cuda::Buffer<Vec3<double>>& points,
              cuda::Buffer<std::uint64_t>& keys, cuda::Buffer<Index>& order) {
  const Offset n = Offset(points.size());
  keys = cuda::Buffer<std::uint64_t>(n), order = cuda::Buffer<Index>(n);
  if (n == 0) return;
  cuda::Buffer<std::uint64_t> other_keys(n);
  cuda::Buffer<Index> other_order(n);
  make_keys<<<cuda::blocks_for(n, 256), 256>>>(n, points.data(), tree.origin, tree.side, keys.data(),
                                               order.data());
  CURLEW_CHECK_LAUNCH("make_keys");
  cub::DoubleBuffer<std::uint64_t> k(keys.data(), other_keys.data());
  cub::DoubleBuffer<Index> v(order.data(), other_order.data());
  std::size_t bytes = 0;
  CURLEW_CUDA_CALL(cub::DeviceRadixSort::SortPairs(nullptr, bytes, k, v, n, 0, 3 * max_level));
  cuda::Buffer<unsigned char> work(bytes);
  CURLEW_CUDA_CALL(cub::DeviceRadixSort::SortPairs(work.data(), bytes, k, v, n, 0, 3 * max_level));
  if (k.Current() != keys.data()) keys = std::move(other_keys);
  if (v.Current() != order.data()) order = std::move(other_order);
}

}  // namespace

DeviceTree upload_points(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                         bool same_points) {
  DeviceTree tree;
  tree.same_points = same_points;
  tree.num_sources = Offset(sources.size());
  tree.num_targets = same_points ? tree.num_sources : Offset(targets.size());
  if (std::max(tree.num_sources, tree.num_targets) > std::numeric_limits<Index>::max())
    throw ResourceError("NGIM on the device: more than 2^31 points (use --device cpu)");
  const std::size_t n = sources.size() + (same_points ? 0 : targets.size());
  require_device_memory(n * (sizeof(Vec3<double>) + 2 * (sizeof(std::uint64_t) + sizeof(Index))),
                        "NGIM: sorting the points");
  tree.source_points = cuda::Buffer<Vec3<double>>(sources.size());
  tree.source_points.upload(sources.data());
  if (!same_points) {
    tree.target_points = cuda::Buffer<Vec3<double>>(targets.size());
    tree.target_points.upload(targets.data());
  }
  return tree;
}

void sort_points(DeviceTree& tree) {
  Extent extent;
  enlarge(extent, tree.source_points, "source");
  enlarge(extent, tree.target_points, "observer");
  std::tie(tree.origin, tree.side) = unit_cube(extent);
  sort_set(tree, tree.source_points, tree.source_keys, tree.source_order);
  if (!tree.same_points) sort_set(tree, tree.target_points, tree.target_keys, tree.target_order);
}

}  // namespace curlew::ngim::device
