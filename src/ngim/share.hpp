// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Division of a sum's observers over several devices. Each device knows all sources and makes the fields of
// one compact piece, so that a product needs nothing from the others but the charges. What is done for
// sources (charges to grids, and from fine to coarse boxes) is done on every device, as far as its observers
// ask for it.

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

}  // namespace curlew::ngim
