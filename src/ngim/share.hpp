// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Division of a sum over several devices or processes. Each has all sources and computes the fields of one
// compact piece of the observers. Grids of sources are divided by boxes of the tree if devices exchange them
// (shared_solver.hpp); else (processes, rows of an operator) each computes those of all sources.

#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

/// Piece `index` of `count`; one piece is all.
struct Share {
  int index = 0, count = 1;
  bool is_all() const { return count == 1; }
};

/// Marks the points of one piece: recursive bisection along the widest extent, with equal sizes within one or
/// two. The same on every device. @param at [points] [m] @return [points] 1 if the point belongs to the
/// piece; empty: all do
std::vector<char> points_of_share(std::span<const Vec3<double>> at, Share share);

/// Division of an octree's boxes for grids of sources. From first_level down one piece computes a box and all
/// its descendants; the few boxes above are computed by every piece, from exchanged grids.
struct BoxShares {
  int first_level = 0;
  /// [level][piece + 1], empty above first_level: boxes begin[l][i] ... begin[l][i + 1] - 1 of level l belong
  /// to piece i. They are contiguous, since boxes follow the Morton curve.
  std::vector<std::vector<Index>> begin;
};

/// Sources of a box, in the order of the tree.
struct SourceRange {
  Offset begin, count;
  bool operator==(const SourceRange&) const = default;
};

/// Divides the Morton curve between boxes of one level, so that pieces have equal numbers of sources within
/// about one box: among levels with at most a few thousand boxes, or the first with grids, the one with least
/// work common to all pieces.
/// @param level_begin as of Tree
/// @param sources     [boxes]
/// @param first_grid_level levels above have no grids and are ignored
BoxShares divide_boxes(std::span<const Index> level_begin, std::span<const SourceRange> sources,
                       int first_grid_level, int count);

/// Leaves whose grids a piece computes: those of its boxes, and all with grids above first_level. @param
/// leaves box indices, ascending
std::vector<Index> leaves_of_share(const BoxShares& shares, int index, std::span<const Index> level_begin,
                                   std::span<const Index> leaves, int first_grid_level);

}  // namespace curlew::ngim
