// SPDX-License-Identifier: BSD-3-Clause
#include "ie/elements/element_fields.hpp"

#include "ie/elements/radial_kernel.hpp"
#include "ie/elements/static_potentials.hpp"
#include "ngim/plan.hpp"
#include "quadrature/triangle_potentials.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;
using Field = Vec3<Complex>;

constexpr double near_radii = 3;
constexpr int far_degree = 4, smooth_degree = 5;
constexpr double sum_tolerance = 1e-5;

/// Integrals over one element, seen from r: of g, of (r' - centre) g, of grad g.
struct Moments {
  Complex value;
  Field moment, gradient;

  /// Adds sign times the fields of a current and a charge. As grad g is along r - r', its cross product with
  /// J(r') is that with J(r).
  void add_to(RadiatedIntegrals& out, std::size_t i, double sign, const std::array<Complex, 4>& source,
              double slope, Point from_centre) const {
    const Field j{sign * source[0], sign * source[1], sign * source[2]};
    const Complex q = sign * source[3];
    out.vector[i] += value * j + (slope * q) * moment;
    out.gradient[i] += q * gradient;
    out.curl[i] += cross(gradient, j + (slope * q) * from_centre);
  }
};

/// Closed forms over a triangle or a tetrahedron.
quadrature::TrianglePotentials static_parts(const Element& e, Point r) {
  if (e.num_corners == 3)
    return quadrature::triangle_potentials(quadrature::make_frame(e.corners[0], e.corners[1], e.corners[2]),
                                           r);
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const auto p = tetrahedron_potentials(e.corners, r);
  Point gradient{};  // grad int 1/R dV' = -sum over the faces of n int 1/R dS'
  for (int i = 0; i < 4; ++i) {
    const Point a = e.corners[faces[i][0]];
    const auto f = face_potentials(a, e.corners[faces[i][1]], e.corners[faces[i][2]], r);
    gradient -= (dot(f.normal, a - e.corners[i]) > 0 ? f.inverse : -f.inverse) * f.normal;
  }
  return {p.inverse, p.linear, p.inverse_moment, p.linear_moment, gradient};
}

Moments accurate_moments(const Element& e, Point centre, Point r, Complex k, RuleView rule) {
  const auto p = static_parts(e, r);
  const Complex half = 0.5 * k * k;
  const Point from = r - centre;
  Moments m{
      p.inverse - half * p.distance,
      Complex(1) * (p.inverse_moment + p.inverse * from) - half * (p.distance_moment + p.distance * from),
      Complex(1) * p.gradient + half * p.inverse_moment};
  const double size = e.size();
  for (int i = 0; i < rule.size; ++i) {
    const Point source = rule.point(e, i), d = r - source;
    const auto [value, slope] = smooth_radial_kernel(k, norm(d));
    const double w = size * rule.weights[i];
    m.value += w * value;
    m.moment += (w * value) * (source - centre);
    m.gradient += (w * slope) * d;
  }
  return m;
}

/// Contribution of the pair to the sum over points; a point at r contributes nothing.
Moments point_moments(const ElementPoints& all, Index e, double slope_of_element, Point r, Complex k) {
  Moments m{};
  for (Offset p = all.offsets[e]; p < all.offsets[e + 1]; ++p) {
    const Point d = r - all.points[p];
    const double distance = norm(d);
    if (distance == 0) continue;
    const auto [value, slope] = radial_kernel(k, distance);
    const double w = all.weights[p];
    m.value += w * value;
    if (slope_of_element != 0) m.moment += (w * value / slope_of_element) * all.from_centre[p];
    m.gradient += (w * slope) * d;
  }
  return m;
}

/// Charges [4, points] of the currents' components and of the charge.
std::vector<Complex> point_charges(const ElementCurrents& c, const ElementPoints& p) {
  const std::size_t n = p.points.size();
  std::vector<Complex> charges(4 * n);
  for (std::size_t e = 0; e < c.elements.size(); ++e) {
    const auto& s = c.sources[e];
    for (auto i = std::size_t(p.offsets[e]); i < std::size_t(p.offsets[e + 1]); ++i) {
      for (int d = 0; d < 3; ++d)
        charges[std::size_t(d) * n + i] = p.weights[i] * (s[std::size_t(d)] + p.from_centre[i][d] * s[3]);
      charges[3 * n + i] = p.weights[i] * s[3];
    }
  }
  return charges;
}

void sum_points(const ElementCurrents& currents, const ElementPoints& sources, std::span<const Point> points,
                Complex k, Device device, RadiatedIntegrals& out) {
  const std::size_t m = points.size();
  const ngim::Plan plan(
      sources.points, points, k,
      {.tolerance = sum_tolerance, .device = device, .may_use_host = true, .gradient = true});
  std::vector<Complex> potential(4 * m), gradient(12 * m);
  plan.apply(point_charges(currents, sources).data(), 4, potential.data(), gradient.data());
  for (std::size_t i = 0; i < m; ++i) {
    const auto d = [&](std::size_t a, std::size_t x) { return gradient[(3 * a + x) * m + i]; };
    out.vector[i] = {potential[i], potential[m + i], potential[2 * m + i]};
    out.gradient[i] = {d(3, 0), d(3, 1), d(3, 2)};
    out.curl[i] = {d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1)};
  }
}

}  // namespace

RadiatedIntegrals radiated_integrals(const ElementCurrents& currents, std::span<const Point> points,
                                     Complex k, Device device, double direct_pairs) {
  const std::vector<Field> nothing(points.size());
  RadiatedIntegrals out{nothing, nothing, nothing};
  const ElementRules far(far_degree), smooth(smooth_degree);
  const ElementPoints sources = make_points(currents.elements, far);
  const bool is_fast = double(points.size()) * double(sources.points.size()) > direct_pairs;
  if (is_fast) sum_points(currents, sources, points, k, device, out);
  std::vector<Point> centres;
  std::vector<double> reaches;
  for (const auto& e : currents.elements) {
    centres.push_back(e.centre());
    reaches.push_back(near_radii * near_radii * e.radius() * e.radius());
  }
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t e = 0; e < centres.size(); ++e) {
      const Point from = points[i] - centres[e];
      const bool is_near = dot(from, from) <= reaches[e];
      if (is_fast && !is_near) continue;
      const Element& element = currents.elements[e];
      const auto add = [&](const Moments& m, double sign) {
        m.add_to(out, i, sign, currents.sources[e], element.slope, from);
      };
      if (is_near) add(accurate_moments(element, centres[e], points[i], k, smooth.of(element)), 1);
      if (is_near == is_fast)
        add(point_moments(sources, Index(e), element.slope, points[i], k), is_fast ? -1 : 1);
    }
  }
  return out;
}

}  // namespace curlew::ie
