// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Basis functions as point sources, which express a matrix-vector product as sums of exp(-jkR)/R over points,
// for fast summation. For any current basis (RWG on triangles, SWG on tetrahedra).

#include <vector>

#include "base/complex.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ie {

/// A sparse map from unknowns x to weighted currents and charges at quadrature points p, in plain memory of
/// host or device,
///   J_p = sum_b current(p, b) x_b, rho_p = sum_b charge(p, b) x_b,
/// with current(p, b) = w_p f_b(r_p) and charge(p, b) = w_p div f_b(r_p), w_p with its measure (areas: m^2,
/// volumes: m^3). Its transpose tests a field, and f x n in place of f tests n x field.
struct PointCurrentsView {
  using Value = complex<double>;
  Offset num_points;
  Index num_unknowns;
  const Offset* offsets;        ///< [P + 1] entries of every point
  const Index* unknowns;        ///< [entries] b
  const Vec3<double>* current;  ///< [entries]
  const Vec3<double>* rotated;  ///< [entries] current x n; null if not needed for tests
  const double* charge;         ///< [entries]
  const Offset* use_offsets;    ///< [unknowns + 1] into uses
  const Offset* uses;           ///< [entries] entries of every unknown
  Offset num_observers;         ///< points at which fields are given to tests
  const Index* observers;       ///< [entries] number of the observer at the entry's point, or -1

  /// Jx, Jy, Jz, rho at one point. @param x(b) the unknown of a function @param out [4, P]
  template <class Unknowns>
  CURLEW_HD void spread(Offset p, const Unknowns& x, Value* out) const {
    Value sum[4];
    for (Offset e = offsets[p]; e < offsets[p + 1]; ++e) {
      const Value xb = x(unknowns[e]);
      for (int i = 0; i < 3; ++i) sum[i] += current[e][i] * xb;
      sum[3] += charge[e] * xb;
    }
    for (int i = 0; i < 4; ++i) out[i * num_points + p] = sum[i];
  }
  /// sum_p current(p, b) . a A_p + charge(p, b) b phi_p for one unknown b.
  /// @param fields [4, observers] Ax, Ay, Az, phi
  CURLEW_HD Value test(Index unknown, const Value* fields, Value vector_factor, Value scalar_factor) const {
    Value vector, scalar;
    for (Offset u = use_offsets[unknown]; u < use_offsets[unknown + 1]; ++u) {
      const Offset e = uses[u], p = observers[e];
      for (int i = 0; i < 3; ++i) vector += current[e][i] * fields[i * num_observers + p];
      scalar += charge[e] * fields[3 * num_observers + p];
    }
    return vector_factor * vector + scalar_factor * scalar;
  }
  /// Tests of curl A with the functions and with the rotated ones.
  struct Curl {
    Value straight, rotated;
  };
  /// @param gradient [3, 3, observers] d A_i / d x_j
  CURLEW_HD Curl test_curl(Index unknown, const Value* gradient) const {
    Curl sum;
    for (Offset u = use_offsets[unknown]; u < use_offsets[unknown + 1]; ++u) {
      const Offset e = uses[u], p = observers[e];
      const auto d = [&](int i, int j) { return gradient[(3 * i + j) * num_observers + p]; };
      const Value curl[3] = {d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1)};
      for (int i = 0; i < 3; ++i) sum.straight += current[e][i] * curl[i];
      if (rotated == nullptr) continue;
      for (int i = 0; i < 3; ++i) sum.rotated += rotated[e][i] * curl[i];
    }
    return sum;
  }
};

/// The same as owned memory of the host. Rows by point: entries [offsets[p], offsets[p + 1]).
struct PointCurrents {
  std::vector<Vec3<double>> points;   ///< [P] [m]
  std::vector<Offset> offsets;        ///< [P + 1]
  std::vector<Index> unknowns;        ///< [entries]
  std::vector<Vec3<double>> current;  ///< [entries]
  std::vector<Vec3<double>> rotated;  ///< [entries], or empty
  std::vector<double> charge;         ///< [entries]
  Index num_unknowns = 0;
  std::vector<Offset> use_offsets, uses;  ///< as in the view, by index_uses
  std::vector<Vec3<double>> observers;    ///< [m]; empty: all points, in their order
  std::vector<Index> observer_of;         ///< [entries] as in the view

  Offset num_points() const { return Offset(points.size()); }
  Offset num_observers() const { return observers.empty() ? num_points() : Offset(observers.size()); }
  /// Fills the arrays for tests from the others.
  void index_uses();
  /// Tests with some unknowns only, at no more points than they need; tests of others are zero. @param rows
  /// [unknowns] from points_of_share; empty: all
  void restrict_tests(const std::vector<char>& rows);
  PointCurrentsView view() const;

 private:
  /// The entries of the unknowns that test.
  void index_entries(const std::vector<char>& rows);
};

}  // namespace curlew::ie
