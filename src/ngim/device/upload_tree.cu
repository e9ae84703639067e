// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "ngim/device/device_tree.cuh"

namespace curlew::ngim::device {
namespace {

std::vector<DeviceBox> device_boxes(const Tree& tree, int first_grid_level) {
  const Index first = first_grid_level < tree.num_levels() ? tree.level_begin[first_grid_level] : 0;
  std::vector<DeviceBox> boxes(tree.boxes.size());
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Box& box = tree.boxes[b];
    const auto c = center(box);
    boxes[b] = {c.x,
                c.y,
                c.z,
                box.source_begin,
                box.target_begin,
                int(box.num_sources()),
                int(box.num_targets()),
                box.parent,
                box.level >= first_grid_level ? Index(b) - first : no_box,
                box.level,
                box.octant(),
                box.is_leaf};
  }
  return boxes;
}

void list_groups(const Tree& tree, int first_grid_level, DeviceTree& device) {
  std::vector<Index> members;
  for (int l = first_grid_level; l < tree.num_levels(); ++l) {
    for (int octant = 0; octant < 8; ++octant) {
      const Index first = Index(members.size());
      for (Index b = tree.level_begin[l]; b < tree.level_begin[l + 1]; ++b) {
        if (tree.boxes[b].octant() == octant && tree.boxes[b].num_targets() > 0) members.push_back(b);
      }
      for (Index i = first; i < Index(members.size()); i += group_boxes)
        device.groups.push_back({i, std::min<int>(group_boxes, Index(members.size()) - i), l, octant});
    }
  }
  device.members = cuda::Buffer<Index>(members);
}

void measure_near(const Scheme& scheme, DeviceTree& device) {
  const Tree& tree = scheme.tree;
  for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
    const Box& target = tree.boxes[tree.leaves[l]];
    for (const Index b : scheme.lists.near.row(l)) {
      const Box& source = tree.boxes[b];
      device.near_pairs += target.num_targets() * source.num_sources();
      const double reach = norm(center(source) - center(target)) +
                           std::sqrt(0.75) * (scheme.box_side(source.level) + scheme.box_side(target.level));
      device.near_reach = std::max(device.near_reach, reach);
    }
  }
}

}  // namespace

DeviceTree upload_tree(const Scheme& scheme, std::span<const Vec3<double>> sources,
                       std::span<const Vec3<double>> targets) {
  const Tree& tree = scheme.tree;
  DeviceTree d;
  d.same_points = tree.same_points, d.origin = tree.origin, d.side = tree.side;
  d.num_sources = Offset(sources.size()),
  d.num_targets = Offset(tree.same_points ? sources.size() : targets.size());
  d.level_begin = tree.level_begin;
  d.source_points = cuda::Buffer<Vec3<double>>({sources.begin(), sources.end()});
  d.source_order =
      cuda::Buffer<Index>(std::vector<Index>(tree.sources.original.begin(), tree.sources.original.end()));
  if (!tree.same_points) {
    d.target_points = cuda::Buffer<Vec3<double>>({targets.begin(), targets.end()});
    d.target_order =
        cuda::Buffer<Index>(std::vector<Index>(tree.targets.original.begin(), tree.targets.original.end()));
  }
  d.boxes = cuda::Buffer<DeviceBox>(device_boxes(tree, scheme.first_grid_level));
  std::vector<Index> children, colleagues, to_targets;
  for (std::size_t b = 0; b < tree.boxes.size(); ++b) {
    children.insert(children.end(), tree.boxes[b].children.begin(), tree.boxes[b].children.end());
    colleagues.insert(colleagues.end(), tree.colleagues[b].begin(), tree.colleagues[b].end());
    if (!scheme.lists.to_grids.row(b).empty()) to_targets.push_back(Index(b));
  }
  d.children = cuda::Buffer<Index>(children), d.colleagues = cuda::Buffer<Index>(colleagues);
  d.leaves = cuda::Buffer<Index>(tree.leaves), d.to_targets = cuda::Buffer<Index>(to_targets);
  d.near = cuda::Buffer<Index>(scheme.lists.near.values);
  d.near_offsets = cuda::Buffer<Offset>(scheme.lists.near.offsets);
  d.from = cuda::Buffer<Index>(scheme.lists.from_grids.values);
  d.from_offsets = cuda::Buffer<Offset>(scheme.lists.from_grids.offsets);
  d.to = cuda::Buffer<Index>(scheme.lists.to_grids.values);
  d.to_offsets = cuda::Buffer<Offset>(scheme.lists.to_grids.offsets);
  list_groups(tree, scheme.first_grid_level, d);
  measure_near(scheme, d);
  return d;
}

}  // namespace curlew::ngim::device
