// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Quadrature of one cell as seen from a point near it or on it: halvings towards the nearest point,
// Gauss-Legendre on each, and on the cell itself the rule for a logarithm next to the observer. The rule does
// not depend on the kernel: one set of points is used for S, D, D' and N of any wave number.

#include <cmath>

#include "mom2d/panel.hpp"

namespace curlew::mom2d {

/// Points and weights on [0, 1] of which all near rules consist; pointers to host or device memory.
struct NearTables {
  static constexpr int num_points =
      20;                              ///< per piece: 14 digits for polynomials of degree 11 times the kernel
  const double *gauss, *gauss_weight;  ///< Gauss-Legendre
  const double *log, *log_weight;      ///< quadrature/log_singular.hpp
};

/// Pieces on the two sides of the nearest parameter, each side halved `levels` times towards it.
struct NearRule {
  double t = 0;           ///< nearest parameter; the observer's own one on its own cell
  double length[2] = {};  ///< of the sides -1..t and t..1
  int levels[2] = {};
  bool self = false;

  CURLEW_HD int side_points(int side) const {
    return length[side] > 0 ? NearTables::num_points * (levels[side] + 1) : 0;
  }
  CURLEW_HD int num_points() const { return side_points(0) + side_points(1); }
};

/// tau = t' - t of a point and its weight.
struct NearPoint {
  double tau, weight;
};

CURLEW_HD NearPoint near_point(const NearRule& rule, const NearTables& tables, int index) {
  const int side = index < rule.side_points(0) ? 0 : 1;
  if (side == 1) index -= rule.side_points(0);
  const int level = index / NearTables::num_points, i = index % NearTables::num_points;
  const bool innermost = level == rule.levels[side];
  const double outer = ::ldexp(rule.length[side], -level), sign = side == 0 ? -1 : 1;
  if (innermost && rule.self) return {sign * outer * tables.log[i], outer * tables.log_weight[i]};
  if (innermost) return {sign * outer * tables.gauss[i], outer * tables.gauss_weight[i]};
  return {sign * outer * 0.5 * (1 + tables.gauss[i]), 0.5 * outer * tables.gauss_weight[i]};
}

/// @param self_t parameter of an observer on this cell; ignored unless self
/// @param k modulus of the wave number [1/m]: cells long in wavelengths are halved at least once or twice
CURLEW_HD NearRule make_near_rule(const Panel& panel, double x, double y, bool self, double self_t,
                                  double k) {
  NearRule rule;
  rule.self = self;
  rule.t = self ? self_t : closest_parameter(panel, x, y);
  const CurvePoint q = evaluate<double>(panel, rule.t);
  const double speed = ::sqrt(q.dx * q.dx + q.dy * q.dy);
  const double distance = self ? 0 : ::sqrt((q.x - x) * (q.x - x) + (q.y - y) * (q.y - y)) / speed;
  const int least = k * speed > 4 ? 2 : (k * speed > 2 ? 1 : 0);
  for (int side = 0; side < 2; ++side) {
    rule.length[side] = side == 0 ? rule.t + 1 : 1 - rule.t;
    int levels = 0;
    double length = rule.length[side];
    // The innermost piece is at most as long as its distance: its singularity lies outside the Bernstein
    // ellipse of parameter 4.4.
    while (!self && length > distance && levels < 48) length *= 0.5, ++levels;
    rule.levels[side] = levels > least ? levels : least;
  }
  return rule;
}

}  // namespace curlew::mom2d
