// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interaction of two elements through exp(-jkR)/R: the eight numbers from which every mixed-potential matrix
// entry between their basis functions follows. The inner integral of 1/R - k^2 R/2 is exact, the outer one
// and the rest, which is smooth (its first kink is k^4 R^3/24), are sums of points.

#include "base/complex.hpp"
#include "ie/elements/elements.hpp"
#include "ie/elements/static_potentials.hpp"

namespace curlew::ie {

/// With y = r - centre of the target times its slope, y' the same for the source:
template <class T>
struct ElementBlock {
  complex<T> g;          ///< integral of G over both, G = exp(-jkR)/R; [m^(d+d'-1)]
  complex<T> source[3];  ///< of G y'
  complex<T> target[3];  ///< of G y
  complex<T> both;       ///< of G y . y'
};

/// Adds weight G between one target point and one source point.
CURLEW_HD void add_point_pair(ElementBlock<double>& b, complex<double> g, Vec3<double> y,
                              Vec3<double> y_source) {
  b.g += g;
  for (int i = 0; i < 3; ++i) {
    b.source[i] += g * y_source[i];
    b.target[i] += g * y[i];
  }
  b.both += g * dot(y, y_source);
}

/// The sum over the points of two rules; pairs at the same place add nothing, as in ngim::Plan.
CURLEW_HD ElementBlock<double> point_block(const Element& target, RuleView target_rule, const Element& source,
                                           RuleView source_rule, double k) {
  ElementBlock<double> b;
  const Vec3<double> ct = target.centre(), cs = source.centre();
  const double size = target.size() * source.size();
  for (int i = 0; i < target_rule.size; ++i) {
    const Vec3<double> r = target_rule.point(target, i);
    for (int j = 0; j < source_rule.size; ++j) {
      const Vec3<double> s = source_rule.point(source, j);
      const double distance = norm(r - s);
      if (distance == 0) continue;
      const double weight = size * target_rule.weights[i] * source_rule.weights[j] / distance;
      add_point_pair(b, weight * exp_j(-k * distance), target.slope * (r - ct), source.slope * (s - cs));
    }
  }
  return b;
}

/// exp(-jkR)/R - 1/R + k^2 R/2.
CURLEW_HD complex<double> smooth_part(double R, double k) {
  const double x = k * R;
  if (x < 1e-4) return {k * x * x * x / 24, -k * (1 - x * x / 6)};
  return {(::cos(x) - 1 + 0.5 * x * x) / R, -::sin(x) / R};
}

/// Rules of the three sums of an accurate block.
struct PairRules {
  RuleView outer;  ///< on the target
  RuleView smooth_target, smooth_source;
};

/// The accurate block. The inner, exact integral is over `source`, which should be the element of higher
/// dimension, with the smoother potential.
CURLEW_HD ElementBlock<double> accurate_block(const Element& target, const Element& source,
                                              const PairRules& rules, double k) {
  ElementBlock<double> b;
  const Vec3<double> ct = target.centre(), cs = source.centre();
  const double half_k2 = 0.5 * k * k, target_size = target.size();
  for (int i = 0; i < rules.outer.size; ++i) {
    const Vec3<double> r = rules.outer.point(target, i), y = target.slope * (r - ct);
    const StaticPotentials p =
        source.num_corners == 4
            ? tetrahedron_potentials(source.corners, r)
            : triangle_potentials(source.corners[0], source.corners[1], source.corners[2], r);
    const double weight = target_size * rules.outer.weights[i];
    const double g = weight * (p.inverse - half_k2 * p.linear);
    const Vec3<double> moment = (weight * source.slope) * (p.inverse_moment + (-half_k2) * p.linear_moment) +
                                (g * source.slope) * (r - cs);
    b.g += g;
    for (int d = 0; d < 3; ++d) b.source[d] += moment[d], b.target[d] += g * y[d];
    b.both += dot(y, moment);
  }
  const double size = target_size * source.size();
  for (int i = 0; i < rules.smooth_target.size; ++i) {
    const Vec3<double> r = rules.smooth_target.point(target, i), y = target.slope * (r - ct);
    for (int j = 0; j < rules.smooth_source.size; ++j) {
      const Vec3<double> s = rules.smooth_source.point(source, j);
      const double weight = size * rules.smooth_target.weights[i] * rules.smooth_source.weights[j];
      add_point_pair(b, weight * smooth_part(norm(r - s), k), y, source.slope * (s - cs));
    }
  }
  return b;
}

/// The block with the roles exchanged.
template <class T>
CURLEW_HD ElementBlock<T> transposed(const ElementBlock<T>& b) {
  ElementBlock<T> t = b;
  for (int i = 0; i < 3; ++i) t.source[i] = b.target[i], t.target[i] = b.source[i];
  return t;
}

CURLEW_HD ElementBlock<double> operator-(const ElementBlock<double>& a, const ElementBlock<double>& b) {
  ElementBlock<double> d;
  d.g = a.g - b.g, d.both = a.both - b.both;
  for (int i = 0; i < 3; ++i)
    d.source[i] = a.source[i] - b.source[i], d.target[i] = a.target[i] - b.target[i];
  return d;
}

CURLEW_HD ElementBlock<float> single(const ElementBlock<double>& b) {
  const auto narrow = [](complex<double> z) { return complex<float>(float(z.re), float(z.im)); };
  ElementBlock<float> s;
  s.g = narrow(b.g), s.both = narrow(b.both);
  for (int i = 0; i < 3; ++i) s.source[i] = narrow(b.source[i]), s.target[i] = narrow(b.target[i]);
  return s;
}

/// True if element t should be the inner, exactly integrated one: the higher dimension, else the higher
/// number.
CURLEW_HD bool order_exchanged(const Element& a, const Element& b, Index t, Index s) {
  return a.num_corners != b.num_corners ? a.num_corners > b.num_corners : t > s;
}

/// Input of a stored block.
struct PairInput {
  const Element* elements;
  double k;
  RuleView point[2], touching[2], near[2], smooth[2];  ///< of triangles, of tetrahedra

  CURLEW_HD static RuleView of(const RuleView* rules, const Element& e) { return rules[e.num_corners - 3]; }
  CURLEW_HD ElementBlock<double> exact(Index t, Index s) const {
    const Element &a = elements[t], &b = elements[s];
    const bool exchange = order_exchanged(a, b, t, s);
    const Element &target = exchange ? b : a, &source = exchange ? a : b;
    const bool are_touching = norm(a.centre() - b.centre()) < a.radius() + b.radius();
    const PairRules rules{of(are_touching ? touching : near, target), of(smooth, target), of(smooth, source)};
    const auto block = accurate_block(target, source, rules, k);
    return exchange ? transposed(block) : block;
  }
  CURLEW_HD ElementBlock<double> by_points(Index t, Index s) const {
    const Element &a = elements[t], &b = elements[s];
    return point_block(a, of(point, a), b, of(point, b), k);
  }
};

}  // namespace curlew::ie
