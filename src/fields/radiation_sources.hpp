// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Currents in the layout of the all-pairs loops: blocks of eight points, u + v and u - v of
// green/surface_pair.hpp with the quadrature weight and 1/(4 pi) multiplied in. Private to this module.

#include <vector>

#include "fields/surface_currents.hpp"

namespace curlew::fields {

class RadiationSources {
 public:
  static constexpr int lanes = 8;
  static constexpr int values = 12;  ///< u + v, then u - v: re x, im x, re y, im y, re z, im z

  /// @throws InputError if the currents do not belong to the points
  RadiationSources(const SurfacePoints& points, const SurfaceCurrents& currents, double impedance);

  Index count() const { return count_; }
  Offset num_blocks() const { return num_blocks_; }
  /// [3][lanes]
  const double* position_block(Offset block) const { return &positions_[std::size_t(block) * 3 * lanes]; }
  /// [values][lanes]
  const double* current_block(Offset block, Index rhs) const {
    return &currents_[std::size_t(block * count_ + rhs) * values * lanes];
  }

  /// All positions [num_blocks, 3, lanes] and currents [num_blocks, count, values, lanes].
  const std::vector<double>& positions() const { return positions_; }
  const std::vector<double>& currents() const { return currents_; }

 private:
  Index count_;
  Offset num_blocks_;
  std::vector<double> positions_, currents_;
};

}  // namespace curlew::fields
