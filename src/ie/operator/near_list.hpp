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
  /// Where s stands in the row of t, which must hold it.
  Offset find(Index t, Index s) const;
};

/// What of an element its distances are measured by.
struct Ball {
  Vec3<double> centre;
  double radius;  ///< > 0
};

/// What the reach of a pair is measured in.
enum class ReachUnit { sum_of_radii, larger_radius };

/// All pairs with |centre - centre'| < reach (radius + radius'), or reach max(radius, radius'), that `keep`,
/// where it is given, takes; keep(t, s) must be symmetric. Balls of any mixture of sizes: one grid for every
/// factor of two in radius.
/// @throws ResourceError if there are more pairs than memory holds
NearList find_near_pairs(const std::vector<Ball>& balls, double reach,
                         const std::function<bool(Index, Index)>& keep = {},
                         ReachUnit unit = ReachUnit::sum_of_radii);
/// The same of elements by their radii: reach >= 1 takes in all that touch.
NearList find_near_pairs(const std::vector<Element>& elements, double reach);

}  // namespace curlew::ie
