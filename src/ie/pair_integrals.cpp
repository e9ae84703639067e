// SPDX-License-Identifier: BSD-3-Clause
#include "ie/pair_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "ie/pair_moments.hpp"
#include "ie/radial_kernel.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;
using Field = Vec3<Complex>;
constexpr Complex j{0, 1};

Point at(const quadrature::TriangleFrame& f, const std::array<double, 3>& b) {
  return b[0] * f.corner[0] + b[1] * f.corner[1] + b[2] * f.corner[2];
}

/// Points towards corner 0: (s, t) -> s times the opposite edge, s = u^power.
BarycentricRule graded_to_corner(int n, int power) {
  const auto segment = quadrature::gauss_legendre(n);
  BarycentricRule rule;
  for (int a = 0; a < n; ++a) {
    const double u = segment.points[a], s = std::pow(u, power), ds = power * std::pow(u, power - 1);
    for (int b = 0; b < n; ++b) {
      const double t = segment.points[b];
      rule.points.push_back({1 - s, s * (1 - t), s * t});
      rule.weights.push_back(2 * s * ds * segment.weights[a] * segment.weights[b]);
    }
  }
  return rule;
}

/// Points towards the edge 1-2 and its ends.
BarycentricRule graded_to_edge(int n, int power) {
  const auto segment = quadrature::gauss_legendre(n);
  BarycentricRule rule;
  for (int a = 0; a < n; ++a) {
    const double u = segment.points[a], s = std::pow(u, power), ds = power * std::pow(u, power - 1);
    for (int b = 0; b < n; ++b) {
      const double v = segment.points[b], t = v * v * (3 - 2 * v), dt = 6 * v * (1 - v);
      rule.points.push_back({s, (1 - s) * (1 - t), (1 - s) * t});
      rule.weights.push_back(2 * (1 - s) * ds * dt * segment.weights[a] * segment.weights[b]);
    }
  }
  return rule;
}

/// Three parts from the centroid, each graded to its edge.
BarycentricRule graded_to_all_edges(int n, int power) {
  const auto part = graded_to_edge(n, power);
  BarycentricRule rule;
  for (int c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < part.weights.size(); ++i) {
      std::array<double, 3> b{};
      for (double& value : b) value = part.points[i][0] / 3;
      b[(c + 1) % 3] += part.points[i][1];
      b[(c + 2) % 3] += part.points[i][2];
      rule.points.push_back(b);
      rule.weights.push_back(part.weights[i] / 3);
    }
  }
  return rule;
}

}  // namespace

BarycentricRule barycentric_rule(int degree) {
  const auto rule = quadrature::triangle_rule(degree);
  BarycentricRule out;
  for (int i = 0; i < rule.size(); ++i) {
    const auto [u, v] = rule.points[i];
    out.points.push_back({1 - u - v, u, v});
    out.weights.push_back(2 * rule.weights[i]);
  }
  return out;
}

struct PairIntegrals::Moments : PairMoments<double, Complex, true, true> {
  Point test_centroid, source_centroid;
};

PairIntegrals::PairIntegrals(const SurfaceMesh& mesh, Complex k, const Accuracy& accuracy)
    : mesh_(mesh),
      k_(k),
      accuracy_(accuracy),
      far_(barycentric_rule(accuracy.far_degree)),
      medium_(barycentric_rule(accuracy.medium_degree)),
      near_(barycentric_rule(accuracy.near_degree)),
      smooth_(barycentric_rule(accuracy.smooth_degree)),
      toward_corner_(graded_to_corner(accuracy.shared_order, 2)),
      toward_edge_(graded_to_edge(accuracy.shared_order, 3)),
      self_(graded_to_all_edges(accuracy.shared_order, 2)) {
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    frames_.push_back(quadrature::make_frame(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)));
    centroids_.push_back(mesh.centroid(t));
    longest_.push_back(*std::max_element(frames_[t].length, frames_[t].length + 3));
  }
}

PairIntegrals::Range PairIntegrals::range(Index test, Index source) const {
  const Point d = centroids_[test] - centroids_[source];
  const double size = std::max(longest_[test], longest_[source]), square = dot(d, d) / (size * size);
  if (square < accuracy_.near * accuracy_.near) return Range::near;
  if (square > accuracy_.medium * accuracy_.medium) return Range::far;
  for (const Index a : mesh_.triangles[test])
    for (const Index b : mesh_.triangles[source])
      if (a == b) return Range::near;
  return Range::medium;
}

PairBlock PairIntegrals::exact(Index test, Index source) const {
  switch (range(test, source)) {
    case Range::near:
      return near(test, source);
    case Range::medium:
      return points(test, source, medium_);
    default:
      return points(test, source, far_);
  }
}

PairIntegrals::Moments PairIntegrals::begin(Index test, Index source) const {
  Moments m;
  m.normal = frames_[test].normal;
  m.test_centroid = centroids_[test], m.source_centroid = centroids_[source];
  return m;
}

PairBlock PairIntegrals::points(Index test, Index source, const BarycentricRule& rule) const {
  const auto &t = frames_[test], &s = frames_[source];
  Moments m = begin(test, source);
  for (std::size_t q = 0; q < rule.weights.size(); ++q) {
    const Point r = at(t, rule.points[q]);
    Complex S{};
    Field V{}, D{};
    for (std::size_t p = 0; p < rule.weights.size(); ++p) {
      const Point r_src = at(s, rule.points[p]), d = r - r_src;
      const double distance = norm(d);
      if (distance == 0) continue;
      const auto [value, slope] = radial_kernel(k_, distance);
      const double w = rule.weights[p] * s.area;
      S += w * value;
      V += (w * value) * (r_src - m.source_centroid);
      D += (w * slope) * d;
    }
    m.add(r - m.test_centroid, rule.weights[q] * t.area, S, V, D);
  }
  return finish(m, test, source);
}

/// Calls visit(point, share of the area) with the rule for what the triangles have in common.
template <class Visit>
void PairIntegrals::visit_test_points(Index test, Index source, Visit visit) const {
  const auto& a = mesh_.triangles[test];
  int common[3], count = 0, other = 0;
  for (int i = 0; i < 3; ++i) {
    if (std::find(mesh_.triangles[source].begin(), mesh_.triangles[source].end(), a[i]) !=
        mesh_.triangles[source].end())
      common[count++] = i;
    else
      other = i;
  }
  const BarycentricRule* rule = &near_;
  int first = 0;  // the corner of the triangle that is corner 0 of the rule
  if (count == 1) rule = &toward_corner_, first = common[0];
  if (count == 2) rule = &toward_edge_, first = other;
  if (count == 3) rule = &self_;
  for (std::size_t q = 0; q < rule->weights.size(); ++q) {
    std::array<double, 3> b{};
    for (int i = 0; i < 3; ++i) b[(first + i) % 3] = rule->points[q][i];
    visit(at(frames_[test], b), rule->weights[q]);
  }
}

void PairIntegrals::add_near_point(Moments& m, Index source, Point r, double weight) const {
  const auto& f = frames_[source];
  const auto p = quadrature::triangle_potentials(f, r);
  const Complex half = 0.5 * k_ * k_;
  const Point from = r - m.source_centroid;
  Complex S = p.inverse - half * p.distance;
  Field V =
      Complex(1) * (p.inverse_moment + p.inverse * from) - half * (p.distance_moment + p.distance * from);
  Field D = Complex(1) * p.gradient + half * p.inverse_moment;  // grad R = -(r' - r)/R
  for (std::size_t q = 0; q < smooth_.weights.size(); ++q) {
    const Point r_src = at(f, smooth_.points[q]), d = r - r_src;
    const auto [value, slope] = smooth_radial_kernel(k_, norm(d));
    const double w = smooth_.weights[q] * f.area;
    S += w * value;
    V += (w * value) * (r_src - m.source_centroid);
    D += (w * slope) * d;
  }
  m.add(r - m.test_centroid, weight, S, V, D);
}

PairBlock PairIntegrals::near(Index test, Index source) const {
  Moments m = begin(test, source);
  visit_test_points(test, source,
                    [&](Point r, double w) { add_near_point(m, source, r, w * frames_[test].area); });
  return finish(m, test, source);
}

PairBlock PairIntegrals::finish(const Moments& m, Index test, Index source) const {
  const double scale = 1 / (16 * pi * frames_[test].area * frames_[source].area);
  PairBlock block;
  for (int a = 0; a < 3; ++a) {
    const Point p = frames_[test].corner[a] - m.test_centroid;
    for (int b = 0; b < 3; ++b) {
      const Point own = frames_[source].corner[b] - m.source_centroid;
      const Point q = frames_[source].corner[b] - m.test_centroid;
      block.electric[a][b] = m.electric(p, own, scale, j * k_);
      block.magnetic[a][b] = m.magnetic_entry(p, q, scale);
      block.rotated[a][b] = m.rotated_entry(p, q, scale);
    }
  }
  return block;
}

}  // namespace curlew::ie
