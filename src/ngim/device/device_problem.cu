// SPDX-License-Identifier: BSD-3-Clause
// Set-up of a problem whose tree and lists stay on the device.

#include "base/timer.hpp"
#include "ngim/device/device_tree.cuh"
#include "ngim/device_solver.hpp"

namespace curlew::ngim {

using namespace device;  // NOLINT: this file puts the steps together

DeviceProblem::DeviceProblem(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                             bool same_points, Complex k, Accuracy accuracy, bool single_precision,
                             Offset leaf_size) {
  CURLEW_CUDA_CALL(cudaFree(nullptr));  // starts the driver, so that the time of the tree does not contain it
  Timer copying;
  tree = std::make_unique<DeviceTree>(upload_points(sources, targets, same_points));
  copy_seconds = copying.seconds();
  const auto timed = [&](auto&& work) {
    Timer timer;
    work();
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    tree_seconds += timer.seconds();
  };
  double grid_seconds = 0;
  scheme = build_scheme(
      [&](const LeafSize& limit) {
        timed([&] {
          sort_points(*tree);
          divide(*tree, [&](int level, double side) {
            Timer grids;  // the grids determine the size of leaves; their time does not count for the tree
            const Offset size = limit(level, side);
            grid_seconds += grids.seconds();
            return size;
          });
        });
        return outline(*tree);
      },
      k, accuracy, single_precision, true, leaf_size);
  timed([&] { build_lists(*tree, scheme.first_grid_level, scheme.grid_size); });
  tree_seconds -= grid_seconds;
}

DeviceProblem::~DeviceProblem() = default;

std::vector<SourceRange> DeviceProblem::source_ranges() const {
  std::vector<SourceRange> ranges;
  for (const DeviceBox& box : tree->boxes.to_host()) ranges.push_back({box.source_begin, box.num_sources});
  return ranges;
}

namespace {

BoxLists download_rows(const cuda::Buffer<Offset>& offsets, const cuda::Buffer<Index>& values) {
  BoxLists lists{offsets.to_host(), values.to_host()};
  lists.values.resize(lists.offsets.back());
  return lists;
}

std::vector<Offset> widen(const std::vector<Index>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::pair<Tree, InteractionLists> download_tree(const DeviceProblem& problem) {
  const DeviceTree& d = *problem.tree;
  Tree t = outline(d);
  const auto children = d.children.to_host(), colleagues = d.colleagues.to_host();
  for (const DeviceBox& from : d.boxes.to_host()) {
    const double cells = double(1u << from.level);
    Box box;
    const std::size_t b = t.boxes.size();
    std::copy_n(&children[8 * b], 8, box.children.begin());
    box.parent = from.parent, box.level = from.level, box.is_leaf = from.is_leaf != 0;
    box.x = std::uint32_t(from.x * cells), box.y = std::uint32_t(from.y * cells),
    box.z = std::uint32_t(from.z * cells);
    box.source_begin = from.source_begin, box.source_end = from.source_begin + from.num_sources;
    box.target_begin = from.target_begin, box.target_end = from.target_begin + from.num_targets;
    t.boxes.push_back(box);
    t.colleagues.emplace_back();
    std::copy_n(&colleagues[27 * b], 27, t.colleagues.back().begin());
  }
  t.leaves = d.leaves.to_host();
  t.sources.original = widen(d.source_order.to_host());
  t.targets.original = widen(d.target_order.to_host());
  return {std::move(t),
          {download_rows(d.near_offsets, d.near), download_rows(d.from_offsets, d.from),
           download_rows(d.to_offsets, d.to)}};
}

}  // namespace curlew::ngim
