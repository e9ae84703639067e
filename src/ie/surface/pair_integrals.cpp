// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/pair_integrals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "quadrature/rules.hpp"

namespace curlew::ie {
namespace {

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

PairIntegrals::Made::Made(const SurfaceMesh& mesh, const Accuracy& a)
    : accuracy(a),
      far(barycentric_rule(a.far_degree)),
      medium(barycentric_rule(a.medium_degree)),
      smooth(barycentric_rule(a.smooth_degree)),
      near{barycentric_rule(a.near_degree), graded_to_corner(a.shared_order, 2),
           graded_to_edge(a.shared_order, 3), graded_to_all_edges(a.shared_order, 2)},
      triangles(mesh.triangles),
      frames(triangles.size()),
      centroids(triangles.size()),
      longest(triangles.size()) {
#pragma omp parallel for
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    frames[t] = quadrature::make_frame(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
    centroids[t] = mesh.centroid(t);
    longest[t] = *std::max_element(frames[t].length, frames[t].length + 3);
  }
}

PairIntegrals::PairIntegrals(const SurfaceMesh& mesh, Complex k, const Accuracy& accuracy)
    : made_(std::make_shared<const Made>(mesh, accuracy)), k_(k) {}

PairIntegrals PairIntegrals::at(Complex k) const {
  PairIntegrals other = *this;
  other.k_ = k;
  return other;
}

PairView PairIntegrals::view() const {
  const Made& m = *made_;
  return {m.frames.data(),
          m.centroids.data(),
          m.longest.data(),
          m.triangles.data()->data(),
          k_,
          m.accuracy.near,
          m.accuracy.medium,
          m.far.view(),
          m.medium.view(),
          m.smooth.view(),
          {m.near[0].view(), m.near[1].view(), m.near[2].view(), m.near[3].view()}};
}

PairBlock PairIntegrals::exact(Index test, Index source, bool magnetic, bool rotated) const {
  const PairView v = view();
  const PairKind which = v.kind(test, source);
  if (rotated) return std::bit_cast<PairBlock>(v.exact<true, true>(which, test, source));
  if (magnetic) return std::bit_cast<PairBlock>(v.exact<true, false>(which, test, source));
  return std::bit_cast<PairBlock>(v.exact<false, false>(which, test, source));
}

PairBlock PairIntegrals::points(Index test, Index source, const BarycentricRule& rule) const {
  return std::bit_cast<PairBlock>(view().points<true, true>(test, source, rule.view()));
}

}  // namespace curlew::ie
