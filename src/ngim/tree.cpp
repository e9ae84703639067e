// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::ngim {
namespace {

using Key = std::uint64_t;
struct KeyedPoint {
  Key key;
  Offset point;
};

void enlarge(Extent& extent, std::span<const Vec3<double>> points, const char* what) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int d = 0; d < 3; ++d) {
      const double v = points[i][d];
      if (!std::isfinite(v)) throw_not_finite(what, Offset(i), points[i]);
      extent.low[d] = std::min(extent.low[d], v);
      extent.high[d] = std::max(extent.high[d], v);
    }
  }
}

std::vector<Key> sort_points(const Tree& tree, std::span<const Vec3<double>> points, PointSet& set) {
  const Offset n = Offset(points.size());
  std::vector<KeyedPoint> order(n);
#pragma omp parallel for
  for (Offset i = 0; i < n; ++i) order[i] = {morton_key(points[i], tree.origin, tree.side), i};
  // A radix sort in 6 passes of 11 bits, which moves keys and indices together.
  std::vector<KeyedPoint> other(n);
  for (int pass = 0; pass < 6; ++pass) {
    std::array<Offset, 2048> count{};
    const int shift = 11 * pass;
    for (const KeyedPoint& p : order) ++count[(p.key >> shift) & 2047];
    Offset sum = 0;
    for (Offset& c : count) sum += std::exchange(c, sum);
    for (const KeyedPoint& p : order) other[count[(p.key >> shift) & 2047]++] = p;
    order.swap(other);
  }
  set.original.resize(n), set.x.resize(n), set.y.resize(n), set.z.resize(n);
  std::vector<Key> keys(n);
#pragma omp parallel for
  for (Offset i = 0; i < n; ++i) {
    const Vec3<double> p = points[order[i].point];
    set.original[i] = order[i].point;
    set.x[i] = (p.x - tree.origin.x) / tree.side;
    set.y[i] = (p.y - tree.origin.y) / tree.side;
    set.z[i] = (p.z - tree.origin.z) / tree.side;
    keys[i] = order[i].key;
  }
  return keys;
}

/// First index in [begin, end) whose octant at `level` is at least `octant`.
Offset find_octant(const std::vector<Key>& keys, Offset begin, Offset end, int level, int octant) {
  const int shift = 3 * (max_level - level);
  return std::partition_point(keys.begin() + begin, keys.begin() + end,
                              [&](Key key) { return int((key >> shift) & 7) < octant; }) -
         keys.begin();
}

void divide(Tree& tree, Index parent, const std::vector<Key>& source_keys,
            const std::vector<Key>& target_keys) {
  const Box box = tree.boxes[parent];
  Offset s = box.source_begin, t = box.target_begin;
  for (int octant = 0; octant < 8; ++octant) {
    Box child;
    child.children.fill(no_box);
    child.parent = parent;
    child.level = box.level + 1;
    child.x = 2 * box.x + (octant & 1), child.y = 2 * box.y + (octant >> 1 & 1),
    child.z = 2 * box.z + (octant >> 2);
    child.source_begin = s;
    child.source_end = s = find_octant(source_keys, s, box.source_end, child.level, octant + 1);
    if (tree.same_points) {
      child.target_begin = child.source_begin, child.target_end = child.source_end;
    } else {
      child.target_begin = t;
      child.target_end = t = find_octant(target_keys, t, box.target_end, child.level, octant + 1);
    }
    if (child.num_sources() == 0 && child.num_targets() == 0) continue;
    tree.boxes[parent].children[octant] = Index(tree.boxes.size());
    tree.boxes.push_back(child);
  }
  tree.boxes[parent].is_leaf = false;
}

void find_colleagues(Tree& tree) {
  const Index n = Index(tree.boxes.size());
  tree.colleagues.resize(n);
  tree.colleagues[0].fill(no_box);
  tree.colleagues[0][13] = 0;
  for (int level = 1; level < tree.num_levels(); ++level) {
#pragma omp parallel for
    for (Index b = tree.level_begin[level]; b < tree.level_begin[level + 1]; ++b) {
      const Box& box = tree.boxes[b];
      const auto& uncles = tree.colleagues[box.parent];
      for (int i = 0; i < 27; ++i) {
        // Offset by -1, 0 or 1 inside the parent's 3 x 3 x 3 neighbourhood of 6 x 6 x 6 octants.
        const int u[3] = {2 + int(box.x & 1) + i % 3 - 1, 2 + int(box.y & 1) + i / 3 % 3 - 1,
                          2 + int(box.z & 1) + i / 9 - 1};
        const Index uncle = uncles[u[0] / 2 + 3 * (u[1] / 2) + 9 * (u[2] / 2)];
        const int octant = u[0] % 2 + 2 * (u[1] % 2) + 4 * (u[2] % 2);
        tree.colleagues[b][i] = uncle == no_box ? no_box : tree.boxes[uncle].children[octant];
      }
    }
  }
}

}  // namespace

void throw_not_finite(const char* what, Offset number, Vec3<double> point) {
  for (int d = 0; d < 3; ++d) {
    if (!std::isfinite(point[d])) {
      throw InputError(
          fmt::format("{} {}: coordinate {} is {}, it must be finite", what, number, "xyz"[d], point[d]));
    }
  }
  throw InputError(fmt::format("{} {}: coordinates must be finite", what, number));
}

std::pair<Vec3<double>, double> unit_cube(const Extent& extent) {
  if (!(extent.low.x <= extent.high.x)) return {{-0.5, -0.5, -0.5}, 1.0};  // no points
  double side = 0;
  for (int d = 0; d < 3; ++d) side = std::max(side, extent.high[d] - extent.low[d]);
  if (!(side < 1e150))
    throw InputError(fmt::format("the points extend over {:g} m: the limit is 1e150 m", side));
  if (!(side > 1e-150)) side = 1;  // all points coincide
  // A little larger, so that no point lies on the far faces; centred, so that symmetric sets stay symmetric.
  side *= 1 + 1e-10;
  Vec3<double> origin;
  for (int d = 0; d < 3; ++d) origin[d] = 0.5 * (extent.low[d] + extent.high[d]) - 0.5 * side;
  return {origin, side};
}

bool is_adjacent(const Box& a, const Box& b) {
  const auto touches = [&](std::uint32_t p, std::uint32_t q) {
    const Offset low_a = Offset(p) << (max_level - a.level), high_a = Offset(p + 1) << (max_level - a.level);
    const Offset low_b = Offset(q) << (max_level - b.level), high_b = Offset(q + 1) << (max_level - b.level);
    return low_a <= high_b && low_b <= high_a;
  };
  return touches(a.x, b.x) && touches(a.y, b.y) && touches(a.z, b.z);
}

Tree build_tree(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                bool same_points, const LeafSize& leaf_size) {
  require_memory((sources.size() + targets.size()) * 2 * (sizeof(KeyedPoint) + 5 * sizeof(double)),
                 "the octree");
  Tree tree;
  tree.same_points = same_points;
  if (same_points) targets = {};
  Extent extent;
  enlarge(extent, sources, "source");
  enlarge(extent, targets, "observer");
  std::tie(tree.origin, tree.side) = unit_cube(extent);
  const std::vector<Key> source_keys = sort_points(tree, sources, tree.sources);
  const std::vector<Key> target_keys = sort_points(tree, targets, tree.targets);

  Box root;
  root.children.fill(no_box);
  root.source_end = Offset(sources.size());
  root.target_end = tree.same_points ? root.source_end : Offset(targets.size());
  tree.boxes.push_back(root);
  tree.level_begin = {0};
  for (int level = 0; tree.level_begin.back() < Index(tree.boxes.size()); ++level) {
    const Index begin = tree.level_begin.back(), end = Index(tree.boxes.size());
    tree.level_begin.push_back(end);
    const Offset limit = leaf_size(level, tree.side / double(1u << level));
    for (Index b = begin; b < end; ++b) {
      const Offset count = std::max(tree.boxes[b].num_sources(), tree.boxes[b].num_targets());
      if (level < max_level && count > limit)
        divide(tree, b, source_keys, target_keys);
      else
        tree.leaves.push_back(b);
    }
  }
  find_colleagues(tree);
  return tree;
}

}  // namespace curlew::ngim
