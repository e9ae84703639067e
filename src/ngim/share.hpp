// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Division of a sum over several devices. Each device knows all sources and makes the fields of one compact
// piece of the observers. What is done for sources (charges to grids, and from fine to coarse boxes) is
// divided by the boxes of the tree where the devices exchange their grids (shared_solver.hpp); elsewhere
// (processes, rows of an operator) each does it for all sources.

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

/// Marks the points of one piece: recursive bisection along the widest extent, sizes equal within one or two.
/// The same on every device. @param at [points] [m]
/// @return [points] 1 where the point is of the piece; empty: all are
std::vector<char> points_of_share(std::span<const Vec3<double>> at, Share share);

/// Division of an octree's boxes for what is made of sources. From first_level down a box is made by one
/// piece, together with all its descendants; the few boxes above are made by every piece, from grids that the
/// pieces have exchanged.
struct BoxShares {
  int first_level = 0;
  /// [level][piece + 1], empty above first_level: boxes begin[l][i] ... begin[l][i + 1] - 1 of level l are of
  /// piece i. They stand side by side, since boxes follow the Morton curve.
  std::vector<std::vector<Index>> begin;
};

/// Sources of a box, in the order of the tree.
struct SourceRange {
  Offset begin, count;
  bool operator==(const SourceRange&) const = default;
};

/// Cuts the Morton curve between boxes of one level, so that pieces have equally many sources within about
/// one box: of the levels with few thousand boxes, or the first with grids, the one that leaves least to all.
/// @param level_begin as of Tree
/// @param sources     [boxes]
/// @param first_grid_level levels above have no grids and are left out
BoxShares divide_boxes(std::span<const Index> level_begin, std::span<const SourceRange> sources,
                       int first_grid_level, int count);

/// Leaves whose grids a piece makes: its own, and all with grids above first_level.
/// @param leaves box numbers, ascending
std::vector<Index> leaves_of_share(const BoxShares& shares, int index, std::span<const Index> level_begin,
                                   std::span<const Index> leaves, int first_grid_level);

}  // namespace curlew::ngim
