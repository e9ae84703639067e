// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far fields of many solutions, and the power that they carry away: |E|^2 over the sphere of directions,
// about 2 (ka)^2 of them for bodies of radius a. All solutions share the exponentials of a direction;
// currents are taken at the middles of edges, a rule of degree 2 whose points neighbours share: at ten edges
// a wavelength it is right to 1e-4.

#include <Eigen/Dense>
#include <array>
#include <span>
#include <vector>

#include "fields/far_field.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

class FarFields {
 public:
  explicit FarFields(const System& system);

  /// All solutions in all directions. @param x [count, unknowns]
  fields::FarField pattern(const Complex* x, Index count,
                           std::span<const fields::Direction> directions) const;
  /// Solution i in direction i alone, [directions]: monostatic cross-sections. @param x [directions,
  /// unknowns]
  fields::FarField each(const Complex* x, std::span<const fields::Direction> directions) const;
  /// Power [W] of the far field of every solution. @param x [count, unknowns]
  std::vector<double> powers(const Complex* x, Index count) const;

 private:
  using Matrix = Eigen::MatrixXcd;
  /// What one batch of solutions radiates from: J, and M/eta0 where it flows, times area [points, 3 each].
  struct Moments {
    Matrix electric, magnetic;
  };
  Moments moments(const Complex* x, Index count) const;
  Matrix moments_of(const Complex* x, Index count, bool magnetic) const;
  /// exp(jk u.(r - centre)), [directions, points]
  Matrix phases(std::span<const Vec3<double>> directions) const;
  /// J - u (u.J) + M/eta x u of a range of directions; sink(direction, solution, vector).
  template <class Sink>
  void radiate(const Moments& m, Index count, std::span<const Vec3<double>> directions, Sink&& sink) const;
  Index batch() const;

  const System& system_;
  double k_;
  std::vector<Vec3<double>> points_;
  std::vector<std::array<Index, 3>> of_triangle_;  ///< [triangles of region 0]
  Vec3<double> centre_{};
  double radius_ = 0;
};

}  // namespace curlew::ie
