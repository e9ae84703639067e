// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One cell of a contour: a piece of a line, an ellipse or a polynomial, parametrised on [-1, 1].

#include <cmath>

#include "base/macros.hpp"
#include "green/elementary.hpp"

namespace curlew::mom2d {

struct Point2 {
  double x = 0, y = 0;
};

inline double distance(Point2 a, Point2 b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

enum class Curve : int { line, ellipse, polynomial };

struct Panel {
  static constexpr int max_degree = 12;
  Curve curve = Curve::line;
  int contour = 0;  ///< the contour it belongs to
  /// line: middle x, y, half vector x, y. ellipse: centre x, y, half axes, cos and sin of the rotation,
  /// middle and half of the range of its angle. polynomial: coefficients of x and y alternating, by ascending
  /// powers of t.
  double c[2 * (max_degree + 1)] = {};
  int degree = 0;  ///< of a polynomial
  /// Polynomials that approximate parts of one analytic curve have the same section (-1: none) and the range
  /// of its parameter; a periodic curve continues from 1 to 0.
  int section = -1;
  bool periodic = false;
  double middle = 0, half = 0;
};

/// Position and derivative by t in [-1, 1]; V is double or a vector of doubles.
template <class V>
struct CurvePointOf {
  V x, y, dx, dy;
};
using CurvePoint = CurvePointOf<double>;

template <class V>
CURLEW_HD CurvePointOf<V> evaluate(const Panel& p, V t) {
  const double* c = p.c;
  if (p.curve == Curve::line) return {c[0] + c[2] * t, c[1] + c[3] * t, t * 0.0 + c[2], t * 0.0 + c[3]};
  if (p.curve == Curve::ellipse) {
    V si, co;
    green::sincos<double>(V(c[6] + c[7] * t), si, co);
    const V u = c[2] * co, v = c[3] * si, du = -c[2] * c[7] * si, dv = c[3] * c[7] * co;
    return {c[0] + c[4] * u - c[5] * v, c[1] + c[5] * u + c[4] * v, c[4] * du - c[5] * dv,
            c[5] * du + c[4] * dv};
  }
  CurvePointOf<V> q{t * 0.0, t * 0.0, t * 0.0, t * 0.0};
  for (int k = p.degree; k >= 0; --k) {
    q.dx = q.dx * t + q.x, q.dy = q.dy * t + q.y;
    q.x = q.x * t + c[2 * k], q.y = q.y * t + c[2 * k + 1];
  }
  return q;
}

template <class V>
struct PointOf {
  V x, y;
};

/// x(t + tau) - x(t), without the cancellation of the difference of two positions.
template <class V>
CURLEW_HD PointOf<V> displacement(const Panel& p, double t, V tau) {
  const double* c = p.c;
  if (p.curve == Curve::line) return {c[2] * tau, c[3] * tau};
  if (p.curve == Curve::ellipse) {
    const V half = 0.5 * c[7] * tau;
    V sine, unused, si, co;
    green::sincos<double>(half, sine, unused);
    green::sincos<double>(V(c[6] + c[7] * t + half), si, co);
    const V u = -2 * c[2] * sine * si, v = 2 * c[3] * sine * co;
    return {c[4] * u - c[5] * v, c[5] * u + c[4] * v};
  }
  // The quotient by tau is a polynomial of t + tau, with coefficients that Horner's scheme at t gives.
  const V e = t + tau;
  PointOf<V> quotient{tau * 0.0, tau * 0.0};
  double bx = 0, by = 0;
  for (int k = p.degree; k >= 1; --k) {
    bx = bx * t + c[2 * k], by = by * t + c[2 * k + 1];
    quotient.x = quotient.x * e + bx, quotient.y = quotient.y * e + by;
  }
  return {tau * quotient.x, tau * quotient.y};
}

/// The t in [-1, 1] whose point is nearest to (x, y): nine samples, then Gauss-Newton.
CURLEW_HD double closest_parameter(const Panel& p, double x, double y) {
  double best = 0, least = -1;
  for (int i = 0; i <= 8; ++i) {
    const double t = -1 + 0.25 * i;
    const CurvePoint q = evaluate<double>(p, t);
    const double d = (q.x - x) * (q.x - x) + (q.y - y) * (q.y - y);
    if (least < 0 || d < least) least = d, best = t;
  }
  for (int i = 0; i < 6; ++i) {
    const CurvePoint q = evaluate<double>(p, best);
    const double step = ((x - q.x) * q.dx + (y - q.y) * q.dy) / (q.dx * q.dx + q.dy * q.dy);
    best += step;
    best = best < -1 ? -1 : (best > 1 ? 1 : best);
    if (::fabs(step) < 1e-9) break;
  }
  return best;
}

}  // namespace curlew::mom2d
