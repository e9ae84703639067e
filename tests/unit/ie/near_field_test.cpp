// SPDX-License-Identifier: BSD-3-Clause
// Near fields of solved spheres against their series, and the integrals against plain quadrature.
#include "ie/results/near_field.hpp"

#include <gtest/gtest.h>

#include "ie/elements/element_fields.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;
using Field = Vec3<Complex>;

double size(const Field& v) {
  return std::sqrt(std::norm(v.x) + std::norm(v.y) + std::norm(v.z));
}
Field vector(const std::array<Complex, 3>& v) {
  return {v[0], v[1], v[2]};
}

/// Points on rings around the axis at a radius.
std::vector<Point> shell(double radius) {
  std::vector<Point> points;
  for (const double theta : {0.4, 1.3, 2.2, 2.9})
    for (const double phi : {0.2, 2.0, 4.1})
      points.push_back({radius * std::sin(theta) * std::cos(phi), radius * std::sin(theta) * std::sin(phi),
                        radius * std::cos(theta)});
  return points;
}

struct Errors {
  double e, h;  ///< RMS difference over RMS field
};
Errors errors_of(const System& system, const std::vector<Complex>& x, const test::Mie& mie, double radius) {
  const auto points = shell(radius);
  const auto regions = regions_of(system, points);
  const auto got = radiated_field(system, x.data(), points, regions);
  double e[2] = {}, h[2] = {};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto expect = mie.near_field(points[i].x, points[i].y, points[i].z);
    e[0] += std::pow(size(got.e[i] - vector(expect.e)), 2), e[1] += std::pow(size(vector(expect.e)), 2);
    h[0] += std::pow(size(got.h[i] - vector(expect.h)), 2), h[1] += std::pow(size(vector(expect.h)), 2);
  }
  return {std::sqrt(e[0] / e[1]), std::sqrt(h[0] / h[1])};
}

/// Facets with the sphere's volume.
System sphere_system(int n, double ka, const Surface& surface) {
  Problem p = sphere_problem(n, ka, Equation::efie, surface);
  const double scale = std::cbrt(4 * pi / 3 / p.mesh.pieces[0].volume);
  for (auto& node : p.mesh.nodes) node = scale * node;
  return System(std::move(p));
}

constexpr double ka = 1.5;

/// Edges of 0.30 and 0.15 of the radius: the field falls off from the facets' charges within half an edge,
/// beyond it the error is that of the currents, which falls with the square of the edge.
TEST(NearField, OfSpheresConvergesToTheSeries) {
  const Complex eps{2.56, -0.1}, zs{100, 50};
  const struct {
    Surface surface;
    test::Sphere sphere;
  } cases[] = {{{}, test::conducting_sphere(1)},
               {{.boundary = Boundary::impedance, .surface_impedance = zs}, test::impedance_sphere(1, zs)},
               {{.boundary = Boundary::dielectric, .epsilon_r = eps}, test::dielectric_sphere(1, eps)}};
  for (const auto& c : cases) {
    const test::Mie mie(c.sphere, ka);
    const System coarse = sphere_system(3, ka, c.surface), fine = sphere_system(6, ka, c.surface);
    const auto x = solve_directly(coarse, mie_wave()), y = solve_directly(fine, mie_wave());
    std::vector<double> radii{1.4, 20};
    if (c.surface.boundary == Boundary::dielectric) radii.insert(radii.end(), {0.5, 0.8});
    for (const double r : radii) {
      const auto far = errors_of(coarse, x, mie, r), near = errors_of(fine, y, mie, r);
      EXPECT_LT(near.e, 2e-3) << r;
      EXPECT_LT(near.h, 2e-3) << r;
      EXPECT_GT(std::log2(far.e / near.e), 1.7) << r;
      EXPECT_GT(std::log2(far.h / near.h), 1.7) << r;
    }
    const auto half_an_edge = errors_of(fine, y, mie, 1.1);
    EXPECT_LT(half_an_edge.e, 8e-3);
    EXPECT_LT(half_an_edge.h, 8e-3);
  }
}

TEST(NearField, RegionsOfPoints) {
  Problem p = sphere_problem(3, 1, Equation::efie);
  p.mesh = sphere_mesh(3, {1.0, 0.7});
  p.surfaces = {{.boundary = Boundary::dielectric, .epsilon_r = 2.0}, {}};
  const System system(p);
  const std::vector<Point> points{{0, 0, 2}, {0, 0.85, 0}, {0.1, 0.2, 0}};

  EXPECT_EQ(regions_of(system, points), (std::vector<int>{0, 1, -1}));
  const std::vector<Complex> x(std::size_t(system.num_unknowns()), 1.0);
  EXPECT_EQ(size(radiated_field(system, x.data(), points, regions_of(system, points)).e[2]), 0);
}

// ---- the integrals ----

/// A triangle and a tetrahedron with currents and charges.
ElementCurrents two_elements() {
  const Point a{0.1, 0, 0}, b{1, 0.2, 0.1}, c{0.3, 0.9, -0.1}, d{0.4, 0.3, 0.8};
  return {{{{a, b, c, {}}, 3, 0.5}, {{a, b, c, d}, 4, 1.0 / 3}},
          {{Complex(1, 2), {0.3, -1}, {0, 0.7}, {2, 1}}, {Complex(0.1, 2), {1, 1}, {-1, 0.3}, {-0.6, 1}}}};
}

/// The same cut in halves across the longest edge, `times` times; J at the new centres.
ElementCurrents cut(ElementCurrents from, int times) {
  for (; times > 0; --times) {
    ElementCurrents to;
    for (std::size_t n = 0; n < from.elements.size(); ++n) {
      const Element e = from.elements[n];
      int a = 0, b = 1;
      for (int i = 0; i < e.num_corners; ++i)
        for (int j = 0; j < i; ++j)
          if (norm(e.corners[i] - e.corners[j]) > norm(e.corners[a] - e.corners[b])) a = i, b = j;
      for (const int moved : {a, b}) {
        Element half = e;
        half.corners[moved] = 0.5 * (e.corners[a] + e.corners[b]);
        auto source = from.sources[n];
        const Point shift = half.centre() - e.centre();
        for (int d = 0; d < 3; ++d) source[std::size_t(d)] += e.slope * shift[d] * source[3];
        to.elements.push_back(half), to.sources.push_back(source);
      }
    }
    from = to;
  }
  return from;
}

/// By the midpoints of tiny parts, and gradients by their formula.
RadiatedIntegrals by_midpoints(const ElementCurrents& c, const std::vector<Point>& points, Complex k) {
  const std::vector<Field> nothing(points.size());
  RadiatedIntegrals out{nothing, nothing, nothing};
  std::vector<Point> sources;
  for (const auto& e : c.elements) sources.push_back(e.centre());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t e = 0; e < sources.size(); ++e) {
      const Point d = points[i] - sources[e];
      const double r = norm(d);
      const Complex g = c.elements[e].size() * std::exp(Complex(0, -1) * k * r) / r;
      const Complex slope = -(1.0 + Complex(0, 1) * k * r) * g / (r * r);
      const auto& s = c.sources[e];
      const Field j{s[0], s[1], s[2]}, gradient{slope * d.x, slope * d.y, slope * d.z};
      out.vector[i] += g * j, out.gradient[i] += s[3] * gradient, out.curl[i] += cross(gradient, j);
    }
  }
  return out;
}

TEST(RadiatedIntegrals, AreThoseOfTinyParts) {
  const auto elements = two_elements();
  const std::vector<Point> points{
      {0.5, 0.4, -0.2}, {0.5, 0.3, 1.0}, {-0.8, 1.1, 0.5}, {2.5, 1, 1}, {9, 3, 2}};
  const Complex k{1.3, -0.4};
  const auto expect = by_midpoints(cut(elements, 17), points, k);

  const auto got = radiated_integrals(elements, points, k);

  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_LT(size(got.vector[i] - expect.vector[i]), 3e-4 * size(expect.vector[i])) << i;
    EXPECT_LT(size(got.gradient[i] - expect.gradient[i]), 3e-4 * size(expect.gradient[i])) << i;
    EXPECT_LT(size(got.curl[i] - expect.curl[i]), 3e-4 * size(expect.curl[i])) << i;
  }
}

/// Inside a tetrahedron, where tiny parts do not converge: div grad of the static potential is -4 pi q.
TEST(RadiatedIntegrals, HaveTheirSourceInside) {
  auto tetrahedron = two_elements();
  tetrahedron.elements.erase(tetrahedron.elements.begin());
  tetrahedron.sources.erase(tetrahedron.sources.begin());
  const Point at = tetrahedron.elements[0].centre();
  const double h = 1e-3;
  const Complex k = 1e-4;
  Complex divergence = 0;
  for (int d = 0; d < 3; ++d) {
    Point ahead = at, behind = at;
    ahead[d] += h, behind[d] -= h;
    const auto g = radiated_integrals(tetrahedron, std::vector<Point>{ahead, behind}, k).gradient;
    divergence += (g[0][d] - g[1][d]) / (2 * h);
  }
  EXPECT_LT(std::abs(divergence + 4 * pi * tetrahedron.sources[0][3]), 1e-4);
}

/// A fast sum over many points gives the same fields as single points.
TEST(RadiatedIntegrals, FastSumsAgreeWithDirectOnes) {
  const System system = sphere_system(3, ka, {});
  ElementCurrents currents;
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) {
    const auto& m = system.mesh();
    currents.elements.push_back({{m.corner(t, 0), m.corner(t, 1), m.corner(t, 2), {}}, 3, 0.5});
    currents.sources.push_back({Complex(1, 0.1 * t), std::sin(0.2 * t), 0.3, Complex(0, std::cos(0.3 * t))});
  }
  auto points = shell(1.05);
  for (const auto& p : shell(3)) points.push_back(p);

  const auto direct = radiated_integrals(currents, points, ka),
             fast = radiated_integrals(currents, points, ka, Device::cpu, 0);

  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    difference += size(direct.vector[i] - fast.vector[i]) + size(direct.gradient[i] - fast.gradient[i]) +
                  size(direct.curl[i] - fast.curl[i]);
    whole += size(direct.vector[i]) + size(direct.gradient[i]) + size(direct.curl[i]);
  }
  EXPECT_LT(difference, 1e-4 * whole);
  EXPECT_GT(difference, 0);
}

}  // namespace
}  // namespace curlew::ie
