// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The integrals of ie/surface/pair_integrals.hpp over plain memory of host or device.

#include "base/complex.hpp"
#include "base/constants.hpp"
#include "base/types.hpp"
#include "ie/elements/radial_kernel.hpp"
#include "ie/surface/pair_moments.hpp"
#include "quadrature/triangle_potentials.hpp"

namespace curlew::ie {

/// Blocks by corner of the test triangle (row) and of the source triangle (column): T, K, N.
template <class C>
struct PairBlockOf {
  C electric[3][3] = {}, magnetic[3][3] = {}, rotated[3][3] = {};
};

/// A rule in barycentric coordinates of the corners; the weights sum to 1.
struct TriangleRuleView {
  int size = 0;
  const double* points = nullptr;   ///< [size, 3]
  const double* weights = nullptr;  ///< [size]
};

/// Kind of pair by distance and shared nodes: each has a rule.
enum class PairKind : unsigned char { far, medium, near, corner, edge, self };

struct PairView {
  using Value = complex<double>;
  using Point = Vec3<double>;
  using Field = Vec3<Value>;
  using Frame = quadrature::TriangleFrame;

  const Frame* frames;     ///< [triangles]
  const Point* centroids;  ///< [triangles] [m]
  const double* longest;   ///< [triangles] edge [m]
  const Index* nodes;      ///< [triangles, 3]
  Value k;                 ///< wavenumber [1/m]
  double near_reach, medium_reach;
  TriangleRuleView far, medium, smooth;  ///< far, medium: on both triangles; smooth: over the source
  TriangleRuleView near[4];  ///< over the test triangle, by the number of common nodes: for one the rule
                             ///< is graded to corner 0, for two to the edge 1-2, for three to all edges

  CURLEW_HD PairKind kind(Index test, Index source) const {
    const Point d = centroids[test] - centroids[source];
    const double size = ::fmax(longest[test], longest[source]), square = dot(d, d) / (size * size);
    const bool is_near = square < near_reach * near_reach;
    if (!is_near && square > medium_reach * medium_reach) return PairKind::far;
    const int common = shared(test, source).count;
    if (common > 0) return PairKind(int(PairKind::near) + common);
    return is_near ? PairKind::near : PairKind::medium;
  }

  /// The complete interaction of a pair of this kind. Kinds of integrals not requested stay zero.
  template <bool magnetic, bool rotated>
  CURLEW_HD PairBlockOf<Value> exact(PairKind which, Index test, Index source) const {
    if (which == PairKind::far) return points<magnetic, rotated>(test, source, far);
    if (which == PairKind::medium) return points<magnetic, rotated>(test, source, medium);
    return close<magnetic, rotated>(test, source);
  }

  /// By plain sums over points of a rule on both triangles; coincident points contribute nothing.
  template <bool magnetic, bool rotated>
  CURLEW_HD PairBlockOf<Value> points(Index test, Index source, TriangleRuleView rule) const {
    const Frame &t = frames[test], &s = frames[source];
    Moments<magnetic, rotated> m;
    m.normal = t.normal;
    for (int q = 0; q < rule.size; ++q) {
      const Point r = at(t, rule.points + 3 * q);
      Sums sums;
      for (int p = 0; p < rule.size; ++p) {
        const Point r_src = at(s, rule.points + 3 * p), d = r - r_src;
        const double distance = norm(d);
        if (distance == 0) continue;
        sums.add(radial_kernel(k, distance), rule.weights[p] * s.area, r_src - centroids[source], d);
      }
      m.add(r - centroids[test], rule.weights[q] * t.area, sums.S, sums.V, sums.D);
    }
    return finish(m, test, source);
  }

  /// Points of the rule over the test triangle of a near pair: calls visit(r, weight with the area).
  template <class Visit>
  CURLEW_HD void for_each_near_point(Index test, Index source, Visit&& visit) const {
    const Shared s = shared(test, source);
    const TriangleRuleView rule = near[s.count];
    for (int q = 0; q < rule.size; ++q) {
      double b[3];
      for (int i = 0; i < 3; ++i) b[(s.first + i) % 3] = rule.points[3 * q + i];
      visit(at(frames[test], b), rule.weights[q] * frames[test].area);
    }
  }

  CURLEW_HD static Point at(const Frame& f, const double* b) {
    return b[0] * f.corner[0] + b[1] * f.corner[1] + b[2] * f.corner[2];
  }

 private:
  template <bool magnetic, bool rotated>
  using Moments = PairMoments<double, Value, magnetic, rotated>;

  /// Integrals over the source at one test point.
  struct Sums {
    Value S;
    Field V, D;
    CURLEW_HD void add(RadialKernel<Value> g, double w, Point from_centroid, Point d) {
      S += w * g.value;
      V += (w * g.value) * from_centroid;
      D += (w * g.slope) * d;
    }
  };
  struct Shared {
    int count, first;  ///< first: the corner of the test triangle that is corner 0 of the rule
  };

  CURLEW_HD Shared shared(Index test, Index source) const {
    Shared s{0, 0};
    int common = 0, other = 0;
    for (int i = 0; i < 3; ++i) {
      bool found = false;
      for (int n = 0; n < 3; ++n) found = found || nodes[3 * test + i] == nodes[3 * source + n];
      s.count += found;
      if (found)
        common = i;
      else
        other = i;
    }
    if (s.count == 1) s.first = common;
    if (s.count == 2) s.first = other;
    return s;
  }

  /// 1/R and -k^2 R/2 in closed form over the source, the smooth remainder by a rule.
  CURLEW_HD Sums near_point(Index source, Point r) const {
    const Frame& f = frames[source];
    const auto p = quadrature::triangle_potentials(f, r);
    const Value half = 0.5 * k * k, one = 1;
    const Point from = r - centroids[source];
    Sums sums;
    sums.S = p.inverse - half * p.distance;
    sums.V = one * (p.inverse_moment + p.inverse * from) - half * (p.distance_moment + p.distance * from);
    sums.D = one * p.gradient + half * p.inverse_moment;  // grad R = -(r' - r)/R
    for (int q = 0; q < smooth.size; ++q) {
      const Point r_src = at(f, smooth.points + 3 * q), d = r - r_src;
      sums.add(smooth_radial_kernel(k, norm(d)), smooth.weights[q] * f.area, r_src - centroids[source], d);
    }
    return sums;
  }

  template <bool magnetic, bool rotated>
  CURLEW_HD PairBlockOf<Value> close(Index test, Index source) const {
    Moments<magnetic, rotated> m;
    m.normal = frames[test].normal;
    for_each_near_point(test, source, [&](Point r, double weight) {
      const Sums sums = near_point(source, r);
      m.add(r - centroids[test], weight, sums.S, sums.V, sums.D);
    });
    return finish(m, test, source);
  }

  template <bool magnetic, bool rotated>
  CURLEW_HD PairBlockOf<Value> finish(const Moments<magnetic, rotated>& m, Index test, Index source) const {
    const double scale = 1 / (16 * pi * frames[test].area * frames[source].area);
    PairBlockOf<Value> block;
    for (int a = 0; a < 3; ++a) {
      const Point p = frames[test].corner[a] - centroids[test];
      for (int b = 0; b < 3; ++b) {
        const Point own = frames[source].corner[b] - centroids[source];
        const Point q = frames[source].corner[b] - centroids[test];
        block.electric[a][b] = m.electric(p, own, scale, Value(0, 1) * k);
        if constexpr (magnetic) block.magnetic[a][b] = m.magnetic_entry(p, q, scale);
        if constexpr (rotated) block.rotated[a][b] = m.rotated_entry(p, q, scale);
      }
    }
    return block;
  }
};

}  // namespace curlew::ie
