// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/grid_cache.hpp"

#include <cmath>

namespace curlew::ngim {
namespace {

/// Rounds to 30 bits: extents that differ only by rounding then share a grid.
double rounded(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 30)), exponent - 30);
}

}  // namespace

const CartesianGrid& GridCache::grid(Complex kappa, double interpolation_error, double skeleton_error,
                                     int most_order) {
  const auto [place, is_new] =
      grids_.try_emplace({rounded(kappa.real()), rounded(kappa.imag()), interpolation_error, skeleton_error});
  if (is_new) {
    const int order = choose_order(kappa, interpolation_error, most_order);
    if (order > 0) place->second = build_cartesian_grid(kappa, order, skeleton_error);
    place->second.number = int(grids_.size());
  }
  return place->second;
}

const GridCache::Transfers& GridCache::transfers(const CartesianGrid& child, const CartesianGrid& parent) {
  const auto [place, is_new] = transfers_.try_emplace({child.number, parent.number});
  if (is_new) place->second = child_to_parent(child, parent);
  return place->second;
}

}  // namespace curlew::ngim
