// SPDX-License-Identifier: BSD-3-Clause
#include "quadrature/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "quadrature/tables.hpp"

namespace curlew::quadrature {
namespace {

/// Value and derivative of the Jacobi polynomial P_n^(alpha, 0) at -1 < t < 1.
/// Source: Abramowitz and Stegun, 22.7.1 (recurrence) and 22.8.1 (derivative).
struct Jacobi {
  double value, derivative;
};
Jacobi jacobi(int n, double alpha, double t) {
  double previous = 1, p = (alpha + (alpha + 2) * t) / 2;
  for (int k = 1; k < n; ++k) {
    const double s = 2 * k + alpha;
    const double next =
        ((s + 1) * (alpha * alpha + s * (s + 2) * t) * p - 2 * (k + alpha) * k * (s + 2) * previous) /
        (2 * (k + 1) * (k + 1 + alpha) * s);
    previous = p;
    p = next;
  }
  const double s = 2 * n + alpha;
  return {p, (n * (alpha - s * t) * p + 2 * n * (n + alpha) * previous) / (s * (1 - t * t))};
}

/// Roots of P_n^(alpha, 0), ascending: Newton from Chebyshev points, known roots divided out.
std::vector<double> jacobi_roots(int n, double alpha) {
  std::vector<double> roots;
  for (int i = 0; i < n; ++i) {
    double t = -std::cos((2 * i + 1) * pi / (2 * n));
    if (i > 0) t = (t + roots.back()) / 2;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const auto [p, dp] = jacobi(n, alpha, t);
      double repulsion = 0;
      for (const double root : roots) repulsion += 1 / (t - root);
      const double step = p / (dp - p * repulsion);
      t -= step;
      if (std::abs(step) < 1e-15) break;
    }
    roots.push_back(t);
  }
  return roots;
}

void require_degree(int degree) {
  if (degree < 0) throw InputError(fmt::format("quadrature degree is {}; it must be 0 or more", degree));
}

const TableEntry* find_entry(const TableEntry* entries, int count, int degree) {
  for (int i = 0; i < count; ++i)
    if (entries[i].degree >= degree) return &entries[i];
  return nullptr;
}

/// Maps (a, b) of the square to (u, v) = (a, (1 - a) b): the Jacobian 1 - a is the weight of the outer rule.
TriangleRule collapsed_triangle(int n) {
  const SegmentRule outer = gauss_jacobi(n, 1), inner = gauss_legendre(n);
  TriangleRule rule;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      rule.points.push_back({outer.points[i], (1 - outer.points[i]) * inner.points[j]});
      rule.weights.push_back(outer.weights[i] * inner.weights[j]);
    }
  return rule;
}

TetrahedronRule collapsed_tetrahedron(int n) {
  const SegmentRule outer = gauss_jacobi(n, 2);
  const TriangleRule inner = collapsed_triangle(n);
  TetrahedronRule rule;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < inner.size(); ++j) {
      const double x = outer.points[i];
      rule.points.push_back({x, (1 - x) * inner.points[j].u, (1 - x) * inner.points[j].v});
      rule.weights.push_back(outer.weights[i] * inner.weights[j]);
    }
  return rule;
}

/// Barycentric coordinates of an orbit's first point, ascending.
std::array<double, 4> sorted_coordinates(const TetrahedronOrbit& orbit) {
  const double a = orbit.a;
  std::array<double, 4> l{0.25, 0.25, 0.25, 0.25};
  if (orbit.size == 4) l = {a, a, a, 1 - 3 * a};
  if (orbit.size == 6) l = {a, a, 0.5 - a, 0.5 - a};
  if (orbit.size == 12) l = {a, a, orbit.b, 1 - 2 * a - orbit.b};
  std::sort(l.begin(), l.end());
  return l;
}

void append_orbit(const TetrahedronOrbit& orbit, TetrahedronRule& rule) {
  auto l = sorted_coordinates(orbit);
  do {
    rule.points.push_back({l[1], l[2], l[3]});
    rule.weights.push_back(orbit.weight);
  } while (std::next_permutation(l.begin(), l.end()));
}

}  // namespace

SegmentRule gauss_jacobi(int n, int alpha) {
  if (n < 1 || alpha < 0)
    throw InputError(
        fmt::format("a Gauss rule of {} points with weight (1 - x)^{} does not exist", n, alpha));
  SegmentRule rule;
  for (const double t : jacobi_roots(n, alpha)) {
    const double dp = jacobi(n, alpha, t).derivative;
    rule.points.push_back((1 + t) / 2);
    // On [-1, 1] the weight is 2^(alpha + 1) / ((1 - t^2) P'^2); x = (1 + t) / 2 takes the power of two.
    rule.weights.push_back(1 / ((1 - t * t) * dp * dp));
  }
  return rule;
}

SegmentRule gauss_legendre(int n) {
  return gauss_jacobi(n, 0);
}

TriangleRule triangle_rule(int degree) {
  require_degree(degree);
  const TableEntry* entry = find_entry(triangle_entries, num_triangle_entries, degree);
  if (degree <= 1) return {{{1.0 / 3, 1.0 / 3}}, {0.5}};
  if (entry == nullptr) return collapsed_triangle(degree / 2 + 1);
  TriangleRule rule;
  for (int i = entry->begin; i < entry->end; ++i) {
    const double* row = triangle_table[i];
    rule.points.push_back({row[0], row[1]});
    rule.weights.push_back(row[2]);
  }
  return rule;
}

TetrahedronRule tetrahedron_rule(int degree) {
  require_degree(degree);
  const TableEntry* entry = find_entry(tetrahedron_entries, num_tetrahedron_entries, degree);
  if (degree <= 1) return {{{0.25, 0.25, 0.25}}, {1.0 / 6}};
  if (entry == nullptr) return collapsed_tetrahedron(degree / 2 + 1);
  TetrahedronRule rule;
  for (int i = entry->begin; i < entry->end; ++i) append_orbit(tetrahedron_orbits[i], rule);
  return rule;
}

}  // namespace curlew::quadrature
