// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stored part of the accelerated operator: for near pairs of elements, the accurate interaction minus the
// sum over their points.

#include "ie/mixed_potential/element_pair.hpp"
#include "ie/operator/near_list.hpp"

namespace curlew::ie {

/// Degrees of the rules, and range of the stored part.
struct Integration {
  int point_degree = 2;     ///< of the points that represent a distant element
  double near_reach = 1.4;  ///< of find_near_pairs
  int touching_degree = 8;  ///< outer rule of pairs with |centre - centre'| < radius + radius'; triangles + 5
  int near_degree = 4;      ///< outer rule of the other stored pairs
};

/// Degrees and range for a relative accuracy of products with the matrix, 1e-1 ... 1e-4
/// (determined in docs/measured/ie_volume.md). @throws InputError outside this range
Integration integration_for(double accuracy);

/// All rules of an Integration.
struct IntegrationRules {
  explicit IntegrationRules(const Integration& integration)
      : point(integration.point_degree),
        touching(integration.touching_degree),
        touching_flat(integration.touching_degree + 5),
        near(integration.near_degree),
        smooth(3) {}

  /// The potential of a flat charge has a kink at its edges, that of a volume has none: triangles need more
  /// points.
  ElementRules point, touching, touching_flat, near, smooth;
  /// Views of the rules for loops. Both are stored by reference.
  PairInput input(const std::vector<Element>& elements, double k) const;
};

/// Corrections in single precision: they are added to sums in the precision of the operator, and their
/// rounding, 6e-8 of the near part, is below every available tolerance.
struct NearBlocks {
  NearList list;
  std::vector<ElementBlock<float>> blocks;  ///< [pairs]
};

/// On the CPU, all threads. @throws ResourceError if the blocks do not fit
NearBlocks make_near_blocks(const std::vector<Element>& elements, const Integration& integration, double k);

}  // namespace curlew::ie
