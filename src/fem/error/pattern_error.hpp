// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of a far field and its power, out of solved_again.hpp.

#include "fem/error/solved_again.hpp"

namespace curlew::fem {

struct PatternError {
  std::vector<double> field;     ///< [directions] bar of |E| [V]
  std::vector<double> strength;  ///< [directions] |E| of the run [V]
  double relative = 0;           ///< norm of `field` over that of |E|, over the directions
  double order = 0, shape = 0;   ///< its two parts
  double power = 0;              ///< bar of the radiated power, relative
};

/// Bar of one quantity. @param ratio |d_3| / |d_2|, at order 3
double bar_of(const Changes& changes, std::size_t i, double ratio);

/// @param q the run's quantities: from `first` on E_theta and E_phi of all directions, then the power
/// @param[out] ratio |d_3| / |d_2| of the pattern, for further quantities; may be null
PatternError pattern_error(const Quantities& q, const Changes& changes, std::size_t first,
                           std::size_t directions, double* ratio = nullptr);

}  // namespace curlew::fem
