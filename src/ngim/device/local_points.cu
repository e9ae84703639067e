// SPDX-License-Identifier: BSD-3-Clause
// Points in the order of the tree, relative to their leaves.

#include "ngim/device/device_tree.cuh"

namespace curlew::ngim::device {
namespace {

constexpr int block_size = 64;

/// One block per leaf. Differences are in double precision and then rounded, so that distances in small boxes
/// stay accurate.
template <class T>
__global__ void place_points(const DeviceBox* boxes, const Index* leaves, bool of_sources, const Index* order,
                             const Vec3<double>* points, Vec3<double> origin, double side, Point<T>* out) {
  const DeviceBox box = boxes[leaves[blockIdx.x]];
  const Offset begin = of_sources ? box.source_begin : box.target_begin;
  const int count = of_sources ? box.num_sources : box.num_targets;
  for (int i = threadIdx.x; i < count; i += block_size) {
    const Vec3<double> p = points[order[begin + i]];
    out[begin + i] = {T((p.x - origin.x) / side - box.x), T((p.y - origin.y) / side - box.y),
                      T((p.z - origin.z) / side - box.z), T(0)};
  }
}

__global__ void name_leaves(const DeviceBox* boxes, const Index* leaves, Index* leaf) {
  const DeviceBox& box = boxes[leaves[blockIdx.x]];
  for (int i = threadIdx.x; i < box.num_sources; i += block_size)
    leaf[box.source_begin + i] = leaves[blockIdx.x];
}

}  // namespace

template <class T>
cuda::Buffer<Point<T>> local_points(const DeviceTree& tree, bool of_sources) {
  cuda::Buffer<Point<T>> out(of_sources ? tree.num_sources : tree.num_targets);
  if (tree.leaves.size() > 0) {
    place_points<T><<<unsigned(tree.leaves.size()), block_size>>>(
        tree.boxes.data(), tree.leaves.data(), of_sources,
        of_sources ? tree.source_order.data() : tree.target_order.data(),
        of_sources ? tree.source_points.data() : tree.target_points.data(), tree.origin, tree.side,
        out.data());
    CURLEW_CHECK_LAUNCH("place_points");
  }
  return out;
}

cuda::Buffer<Index> leaves_of_sources(const DeviceTree& tree) {
  cuda::Buffer<Index> leaf(tree.num_sources);
  if (tree.leaves.size() > 0) {
    name_leaves<<<unsigned(tree.leaves.size()), block_size>>>(tree.boxes.data(), tree.leaves.data(),
                                                              leaf.data());
    CURLEW_CHECK_LAUNCH("name_leaves");
  }
  return leaf;
}

template cuda::Buffer<Point<float>> local_points(const DeviceTree&, bool);
template cuda::Buffer<Point<double>> local_points(const DeviceTree&, bool);

}  // namespace curlew::ngim::device
