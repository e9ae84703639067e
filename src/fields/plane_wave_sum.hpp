// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sum of every far field: columns of point moments times exp(jk u.r), for many directions u,
//   S(d, v) = sum_p exp(jk u_d . r_p) q_v(p).
// All columns (components, currents of both kinds, right-hand sides) share the exponential of a point and a
// direction. Source: Balanis (2016), Antenna Theory, section 12.3.

#include <span>
#include <vector>

#include "base/device.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::fields {

class PlaneWaveSum {
 public:
  /// @param points [m]; phases refer to the middle of their bounding box and are shifted to the origin
  /// afterwards @param k [1/m] @param device that computes the sums; values agree to rounding
  PlaneWaveSum(std::span<const Vec3<double>> points, double k, Device device = Device::cpu);

  Offset num_points() const { return Offset(points_.size()); }
  /// Radius [m] about the middle that contains all points.
  double radius() const { return radius_; }

  /// Every column in every direction.
  /// @param moments [columns, points] @param units [directions] unit vectors
  /// @return [columns, directions]
  /// @throws Interrupted between blocks of directions
  std::vector<Complex> all(std::span<const Complex> moments, std::span<const Vec3<double>> units) const;
  /// Columns per i ... per (i + 1) - 1 in direction i only, for sweeps of incidence.
  /// @param moments [per directions, points] @return [per, directions]
  std::vector<Complex> each(std::span<const Complex> moments, std::span<const Vec3<double>> units) const;

 private:
  /// Moves the sums, [columns, directions], from the middle of the box to the origin.
  void shift(std::span<const Vec3<double>> units, std::vector<Complex>& sums) const;

  double k_, radius_ = 0;
  Device device_;
  Vec3<double> centre_{};
  std::vector<Vec3<double>> points_;  ///< from the centre, times k
};

}  // namespace curlew::fields
