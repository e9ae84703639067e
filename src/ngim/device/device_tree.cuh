// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Octree and lists in the memory of the device.

#include <span>
#include <vector>

#include "base/cuda.hpp"
#include "ngim/device/stages.cuh"
#include "ngim/scheme.hpp"

namespace curlew::ngim::device {

/// The same tree and lists as ngim::Tree and InteractionLists, for points of one or two sets.
struct DeviceTree {
  Offset num_sources = 0, num_targets = 0;
  bool same_points = true;
  Vec3<double> origin;             ///< corner of the unit cube [m]
  double side = 1;                 ///< its side [m]
  std::vector<Index> level_begin;  ///< boxes of level l: [level_begin[l], level_begin[l + 1])
  cuda::Buffer<Vec3<double>> source_points, target_points;  ///< [m], the caller's order; empty once placed
  cuda::Buffer<Index> source_order, target_order;  ///< place in the caller's arrays; targets: unless same
  cuda::Buffer<DeviceBox> boxes;
  cuda::Buffer<Index> children, colleagues, leaves;  ///< [box][8], [box][27], [leaf]
  cuda::Buffer<Offset> near_offsets, from_offsets, to_offsets;
  cuda::Buffer<Index> near, from, to;
  cuda::Buffer<Index> to_targets;  ///< boxes whose row of `to` is not empty
  cuda::Buffer<Index> members;     ///< boxes with targets, by level and octant
  std::vector<Group> groups;       ///< runs of `members`
  Offset near_pairs = 0;
  double near_reach = 0;  ///< largest distance of a pair of the near lists, at most

  Index num_boxes() const { return level_begin.back(); }
  int num_levels() const { return int(level_begin.size()) - 1; }
  const cuda::Buffer<Index>& order_of_targets() const { return same_points ? source_order : target_order; }
};

/// Copies what the host has built.
DeviceTree upload_tree(const Scheme& scheme, std::span<const Vec3<double>> sources,
                       std::span<const Vec3<double>> targets);

/// Points relative to the centres of their leaves.
template <class T>
cuda::Buffer<Point<T>> local_points(const DeviceTree& tree, bool of_sources);
/// The leaf of each source.
cuda::Buffer<Index> leaves_of_sources(const DeviceTree& tree);

}  // namespace curlew::ngim::device
