// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far fields of many solutions, and their radiated power. All solutions share the exponentials of a direction
// (fields/plane_wave_sum.hpp).

#include <span>
#include <vector>

#include "fields/far_field.hpp"
#include "fields/plane_wave_sum.hpp"
#include "ie/results/radiating_points.hpp"

namespace curlew::ie {

class FarFields {
 public:
  /// @param device that sums over points
  explicit FarFields(RadiatingPoints sources, Device device = Device::cpu);
  explicit FarFields(const System& system, Device device = Device::cpu)
      : FarFields(radiating_points(system), device) {}

  /// All solutions in all directions. @param x [count, unknowns]
  fields::FarField pattern(const Complex* x, Index count,
                           std::span<const fields::Direction> directions) const;
  /// Solution i in direction i only, [directions]: monostatic cross-sections. @param x [directions, unknowns]
  fields::FarField each(const Complex* x, std::span<const fields::Direction> directions) const;
  /// Power [W] of the far field of every solution, by the cheaper method: on large conductors the reaction of
  /// the currents with their own field (reaction_power.hpp), else integration over the sphere. @param x
  /// [count, unknowns]
  std::vector<double> powers(const Complex* x, Index count) const;
  /// Powers by integration of |E|^2 over the sphere, with about 2 (ka)^2 directions for bodies of radius a.
  std::vector<double> powers_on_sphere(const Complex* x, Index count) const;

  double k() const { return sources_.k; }
  Index num_unknowns() const { return sources_.num_unknowns; }

 private:
  Index batch() const;
  std::vector<Complex> sum_all(const Complex* x, Index count, std::span<const Vec3<double>> units) const;

  RadiatingPoints sources_;
  Device device_;
  fields::PlaneWaveSum sum_;
};

}  // namespace curlew::ie
