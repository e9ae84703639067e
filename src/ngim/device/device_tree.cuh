// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Octree and lists built on the device and kept there: the same boxes, order and lists as ngim::Tree and
// ngim::InteractionLists, for points of one or two sets.

#include <span>
#include <vector>

#include "base/cuda.hpp"
#include "ngim/device/stages.cuh"
#include "ngim/scheme.hpp"

namespace curlew::ngim::device {

struct DeviceTree {
  Offset num_sources = 0, num_targets = 0;
  bool same_points = true;
  Vec3<double> origin;             ///< corner of the unit cube [m]
  double side = 1;                 ///< its side [m]
  std::vector<Index> level_begin;  ///< boxes of level l: [level_begin[l], level_begin[l + 1])
  cuda::Buffer<Vec3<double>> source_points, target_points;  ///< [m], the caller's order; empty once placed
  cuda::Buffer<Index> source_order, target_order;  ///< index in the caller's arrays; targets: unless same
  cuda::Buffer<std::uint64_t> source_keys, target_keys;  ///< Morton keys, sorted; empty once divided
  cuda::Buffer<DeviceBox> boxes;
  cuda::Buffer<Index> children, colleagues, leaves;  ///< [box][8], [box][27], [leaf]
  cuda::Buffer<Offset> near_offsets, from_offsets, to_offsets;
  cuda::Buffer<Index> near, from, to;
  cuda::Buffer<Index> to_targets;  ///< boxes whose row of `to` is not empty
  cuda::Buffer<Index> members;     ///< boxes with targets and a grid, by level and octant
  std::vector<Group> groups;       ///< runs of `members`
  double filled_offsets = 0;  ///< fraction of the offsets of interaction lists at which a member has a source
  Offset near_pairs = 0;
  double near_reach = 0;  ///< upper bound of the distance of a pair of the near lists

  Index num_boxes() const { return level_begin.back(); }
  int num_levels() const { return int(level_begin.size()) - 1; }
  const cuda::Buffer<Index>& order_of_targets() const { return same_points ? source_order : target_order; }
};

/// Copies the points to the device. sort_points.cu
/// @param targets ignored when same_points
/// @throws ResourceError if they do not fit or are more than 2^31
DeviceTree upload_points(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                         bool same_points);

/// Finds the unit cube and sorts the points by Morton keys. sort_points.cu
/// @throws InputError if a coordinate is not finite or the extent overflows
void sort_points(DeviceTree& tree);

/// Divides boxes as ngim::build_tree does, and finds colleagues. divide.cu
void divide(DeviceTree& tree, const LeafSize& leaf_size);

/// The lists of ngim::build_lists, the groups of the translation and the extent of the near field.
/// device_lists.cu
void build_lists(DeviceTree& tree, int first_grid_level, const std::vector<Index>& grid_size);

/// The data of a tree on the device that a Scheme stores: cube and number of boxes by level.
Tree outline(const DeviceTree& tree);

/// Points relative to the centres of their leaves. local_points.cu
template <class T>
cuda::Buffer<Point<T>> local_points(const DeviceTree& tree, bool of_sources);
/// The leaf of each source. local_points.cu
cuda::Buffer<Index> leaves_of_sources(const DeviceTree& tree);

}  // namespace curlew::ngim::device
