// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Charges outside of the boxes adjacent to a unit box at the origin, and their fields in it, with which grids
// of the box are made and tested.

#include <Eigen/Core>
#include <cmath>
#include <random>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

/// exp(-j kappa R)/R.
inline Complex kernel(Vec3<double> d, Complex kappa) {
  const double r = norm(d);
  return std::exp(Complex(0, -1) * kappa * r) / r;
}

/// A random point, uniform on the surface of the cube [-h, h]^3.
inline Vec3<double> surface_point(std::mt19937_64& random, double h) {
  std::uniform_real_distribution<double> uniform(-h, h);
  Vec3<double> p{uniform(random), uniform(random), uniform(random)};
  p[int(random() % 3)] = random() % 2 ? h : -h;
  return p;
}

/// Columns f(0) ... f(count - 1), computed by all threads.
inline Eigen::MatrixXcd columns_of(Eigen::Index rows, Eigen::Index count, const auto& column) {
  Eigen::MatrixXcd a(rows, count);
#pragma omp parallel for schedule(dynamic, 8)
  for (Eigen::Index j = 0; j < count; ++j) a.col(j) = column(j);
  return a;
}

/// Charges outside the adjacent boxes, on two surfaces. Fields of outer charges are fields of charges on the
/// nearer one; the farther one avoids its interior resonances.
class FarCharges {
 public:
  FarCharges(Complex kappa, int count, unsigned seed) : kappa_(kappa), places_(count) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) places_[i] = surface_point(random, i % 4 ? 1.5 : 3.0);
  }
  /// Fields at points: [charge, point].
  Eigen::MatrixXcd fields(const std::vector<Vec3<double>>& points) const {
    const double rescale = std::exp(-kappa_.imag());  // avoids denormal values with strong damping
    return columns_of(Eigen::Index(places_.size()), Eigen::Index(points.size()), [&](Eigen::Index j) {
      Eigen::VectorXcd column(places_.size());
      for (std::size_t i = 0; i < places_.size(); ++i)
        column[Eigen::Index(i)] = rescale * kernel(points[std::size_t(j)] - places_[i], kappa_);
      return column;
    });
  }

 private:
  Complex kappa_;
  std::vector<Vec3<double>> places_;
};

}  // namespace curlew::ngim
