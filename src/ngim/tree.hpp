// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An adaptive octree over one or two sets of points: Morton order, non-empty boxes only, stored level by
// level. Source: Warren and Salmon (1993), A parallel hashed oct-tree N-body algorithm; the list of
// colleagues as in Cheng, Greengard and Rokhlin (1999), J. Comput. Phys. 155.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

inline constexpr int max_level = 21;  ///< three times 21 bits of a Morton key fill 63: boxes of side 2^-21
inline constexpr Index no_box = -1;

/// A cube of the tree. Coordinates of the tree are those of the unit cube that holds all points.
struct Box {
  std::array<Index, 8> children;  ///< by octant (x + 2y + 4z); no_box where empty
  Index parent = no_box;
  std::uint32_t x = 0, y = 0, z = 0;  ///< position in its level: [0, 2^level)
  Offset source_begin = 0, source_end = 0;
  Offset target_begin = 0, target_end = 0;
  int level = 0;
  bool is_leaf = true;

  Offset num_sources() const { return source_end - source_begin; }
  Offset num_targets() const { return target_end - target_begin; }
  int octant() const { return int(x & 1) + 2 * int(y & 1) + 4 * int(z & 1); }
};

/// Points in the order of the tree; local holds them relative to the centre of their leaf, in units of the
/// unit cube, so that single precision keeps the distances inside a small box.
struct PointSet {
  std::vector<Offset> original;  ///< position in the caller's array
  std::vector<double> x, y, z;   ///< [0, 1)
};

struct Tree {
  Vec3<double> origin;  ///< corner of the unit cube [m]
  double side = 1;      ///< its side [m]
  std::vector<Box> boxes;
  std::vector<Index> level_begin;  ///< boxes of level l: [level_begin[l], level_begin[l + 1])
  std::vector<Index> leaves;
  PointSet sources, targets;  ///< targets is empty when same_points
  std::vector<std::array<Index, 27>>
      colleagues;  ///< adjacent boxes of the same level, itself at 13; or no_box
  bool same_points = true;

  int num_levels() const { return int(level_begin.size()) - 1; }
  const PointSet& target_points() const { return same_points ? sources : targets; }
};

/// Centre of a box in the unit cube.
inline Vec3<double> center(const Box& box) {
  const double a = 1.0 / double(1u << box.level);
  return {(box.x + 0.5) * a, (box.y + 0.5) * a, (box.z + 0.5) * a};
}
/// Do two boxes of any levels touch or overlap?
bool is_adjacent(const Box& a, const Box& b);

/// @param sources   [n] points [m]
/// @param targets   [m] points [m]; ignored when same_points, the sources then being also the targets
/// @param leaf_size a box of level l, side a [m] with more sources or targets than leaf_size(l, a) is divided
/// @throws InputError if a coordinate is not finite or the extent overflows; ResourceError if memory is short
Tree build_tree(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                bool same_points, const std::function<Offset(int level, double side)>& leaf_size);

}  // namespace curlew::ngim
