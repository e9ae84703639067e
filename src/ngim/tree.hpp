// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An adaptive octree over one or two sets of points: Morton order, non-empty boxes only, stored level by
// level. Source: Warren and Salmon (1993), A parallel hashed oct-tree N-body algorithm; the list of
// colleagues as in Cheng, Greengard and Rokhlin (1999), J. Comput. Phys. 155.

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/macros.hpp"
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
/// unit cube, so that single precision resolves distances inside a small box.
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
/// Extent of a set of points, for the unit cube.
struct Extent {
  Vec3<double> low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};  ///< [m]
};
/// Corner and side [m] of the unit cube, a little larger than the extent; side 1 if all points coincide.
/// @throws InputError if the extent overflows
std::pair<Vec3<double>, double> unit_cube(const Extent& extent);
/// Throws the InputError for a point that is not finite.
[[noreturn]] void throw_not_finite(const char* what, Offset number, Vec3<double> point);

/// Spreads 21 bits to every third position.
CURLEW_HD std::uint64_t spread_bits(std::uint64_t v) {
  v = (v | v << 32) & 0x1f00000000ffff;
  v = (v | v << 16) & 0x1f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  return (v | v << 2) & 0x1249249249249249;
}
/// Morton key of a point in the cube: 21 bits of each coordinate, x in the lowest.
CURLEW_HD std::uint64_t morton_key(Vec3<double> p, Vec3<double> origin, double side) {
  constexpr double cells = double(1u << max_level);
  const double u[3] = {(p.x - origin.x) / side * cells, (p.y - origin.y) / side * cells,
                       (p.z - origin.z) / side * cells};
  std::uint64_t key = 0;
  for (int d = 0; d < 3; ++d) {
    const double inside = u[d] < 0 ? 0.0 : (u[d] > cells - 1 ? cells - 1 : u[d]);
    key |= spread_bits(std::uint64_t(inside)) << d;
  }
  return key;
}

/// Largest number of points in an undivided box of this level and side [m].
using LeafSize = std::function<Offset(int level, double side)>;

/// Whether two boxes of any levels touch or overlap.
bool is_adjacent(const Box& a, const Box& b);

/// @param sources   [n] points [m]
/// @param targets   [m] points [m]; ignored when same_points, the sources then being also the targets
/// @param leaf_size a box of level l, side a [m] with more sources or targets than leaf_size(l, a) is divided
/// @throws InputError if a coordinate is not finite or the extent overflows; ResourceError if memory does not
/// suffice
Tree build_tree(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> targets,
                bool same_points, const LeafSize& leaf_size);

}  // namespace curlew::ngim
