// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far fields of many solutions, and the power that they carry away: |E|^2 over the sphere of directions,
// about 2 (ka)^2 of them for bodies of radius a. All solutions share the exponentials of a direction.

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "fields/far_field.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// What radiates in vacuum: points, and currents times their measure there, [points, 3 each].
struct RadiatingPoints {
  using Matrix = Eigen::MatrixXcd;
  double k;            ///< [1/m]
  Index num_unknowns;  ///< of a solution
  std::vector<Vec3<double>> points;
  /// J [A m] and M/eta0 of solutions [count, unknowns]; the second is empty where there is no M.
  std::function<Matrix(const Complex*x, Index count)> electric, magnetic;
};
/// The middles of edges, a rule of degree 2 whose points neighbours share: at ten edges a wavelength it is
/// right to 1e-4. @param system kept by reference
RadiatingPoints radiating_points(const System& system);
/// @param degree of the rule on every element @param system kept by reference
RadiatingPoints radiating_points(const MixedPotentialSystem& system, int degree);

class FarFields {
 public:
  explicit FarFields(RadiatingPoints sources);
  explicit FarFields(const System& system) : FarFields(radiating_points(system)) {}

  /// All solutions in all directions. @param x [count, unknowns]
  fields::FarField pattern(const Complex* x, Index count,
                           std::span<const fields::Direction> directions) const;
  /// Solution i in direction i alone, [directions]: monostatic cross-sections. @param x [directions,
  /// unknowns]
  fields::FarField each(const Complex* x, std::span<const fields::Direction> directions) const;
  /// Power [W] of the far field of every solution. @param x [count, unknowns]
  std::vector<double> powers(const Complex* x, Index count) const;

  double k() const { return sources_.k; }
  Index num_unknowns() const { return sources_.num_unknowns; }

 private:
  using Matrix = RadiatingPoints::Matrix;
  struct Moments {
    Matrix electric, magnetic;
  };
  Moments moments(const Complex* x, Index count) const;
  /// exp(jk u.(r - centre)), [directions, points]
  Matrix phases(std::span<const Vec3<double>> directions) const;
  /// J - u (u.J) + M/eta x u of a range of directions; sink(direction, solution, vector).
  template <class Sink>
  void radiate(const Moments& m, Index count, std::span<const Vec3<double>> directions, Sink&& sink) const;
  Index batch() const;

  RadiatingPoints sources_;
  Vec3<double> centre_{};
  double radius_ = 0;
};

}  // namespace curlew::ie
