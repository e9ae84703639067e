// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs of elements too close for sums over their points.

#include <functional>
#include <vector>

#include "ie/elements/elements.hpp"

namespace curlew::ie {

/// Symmetric: s is in the row of t if and only if t is in that of s; every element is in its own row.
struct NearList {
  std::vector<Offset> offsets{0};  ///< [elements + 1]
  std::vector<Index> columns;      ///< ascending within a row

  Offset num_pairs() const { return offsets.back(); }
  /// Index of s in the row of t, which must contain it.
  Offset find(Index t, Index s) const;
};

/// Centre and radius of an element, for distances.
struct Ball {
  Vec3<double> centre;
  double radius;  ///< > 0
};

/// Unit of the range of near pairs.
enum class ReachUnit { sum_of_radii, larger_radius };

/// All pairs with |centre - centre'| < reach (radius + radius'), or reach max(radius, radius'), for which
/// keep(t, s), if given, is true; it must be symmetric. Balls of any mixture of sizes: one grid for every
/// factor of two in radius.
/// @throws ResourceError if the pairs do not fit into memory
NearList find_near_pairs(const std::vector<Ball>& balls, double reach,
                         const std::function<bool(Index, Index)>& keep = {},
                         ReachUnit unit = ReachUnit::sum_of_radii);
/// The same for elements by their radii: reach >= 1 includes all that touch.
NearList find_near_pairs(const std::vector<Element>& elements, double reach);

}  // namespace curlew::ie
