// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cache of grids and transfer matrices for several plans: plans of equal wavenumber and extent need the same
// ones, and with small tolerances making them costs more than an evaluation.

#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "ngim/cartesian_grid.hpp"

namespace curlew::ngim {

/// Not thread-safe.
class GridCache {
 public:
  using Transfers = std::array<std::vector<Complex>, 8>;

  /// build_cartesian_grid of the smallest order that reaches the error; order 0 if none up to most_order
  /// does.
  const CartesianGrid& grid(Complex kappa, double interpolation_error, double skeleton_error, int most_order);
  /// child_to_parent of two grids.
  const Transfers& transfers(const CartesianGrid& child, const CartesianGrid& parent);

 private:
  std::map<std::tuple<double, double, double, double>, CartesianGrid> grids_;
  std::map<std::pair<int, int>, Transfers> transfers_;
};

}  // namespace curlew::ngim
