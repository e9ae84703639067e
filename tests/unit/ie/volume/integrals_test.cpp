// SPDX-License-Identifier: BSD-3-Clause
// Closed forms against adaptive quadrature, blocks against published double integrals.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ie/mixed_potential/near_blocks.hpp"
#include "mesh/box.hpp"
#include "quadrature/rules.hpp"

namespace curlew::ie {
namespace {

using Corners = std::array<Vec3<double>, 4>;
using Values = std::array<double, 8>;  // 1/R, (r' - r)/R, R, (r' - r) R

Values integrand(Vec3<double> source, Vec3<double> r) {
  const Vec3<double> d = source - r;
  const double R = norm(d);
  return {1 / R, d.x / R, d.y / R, d.z / R, R, d.x * R, d.y * R, d.z * R};
}

Values by_rule(const Element& e, Vec3<double> r, const RuleView& rule) {
  Values sum{};
  for (int i = 0; i < rule.size; ++i) {
    const Values f = integrand(rule.point(e, i), r);
    for (int j = 0; j < 8; ++j) sum[j] += e.size() * rule.weights[i] * f[j];
  }
  return sum;
}

/// Duffy's transformation: r is made a corner of parts e_i, r' = r + u (s - r) with s on the face opposite to
/// it; the Jacobian takes the singularity. Slow to converge where r is close to a face that it is not on.
Values duffy(const Element& e, Vec3<double> r) {
  const auto radial = quadrature::gauss_legendre(4);
  const auto on_edge = quadrature::gauss_legendre(40);
  const ElementRules on_face(50);
  const int n = e.num_corners;
  Values sum{};
  for (int i = 0; i < n; ++i) {
    Element part = e;
    part.corners[i] = r;
    if (part.size() < 1e-12) continue;
    Element face{{}, 3, 0};
    for (int j = 0, m = 0; j < n; ++j) {
      if (j != i) face.corners[m++] = e.corners[j];
    }
    const int points = n == 4 ? on_face.triangle().size : on_edge.size();
    for (int p = 0; p < points; ++p) {
      const Vec3<double> s = n == 4
                                 ? on_face.triangle().point(face, p)
                                 : face.corners[0] + on_edge.points[p] * (face.corners[1] - face.corners[0]);
      const double weight = n == 4 ? on_face.triangle().weights[p] : on_edge.weights[p];
      for (int q = 0; q < radial.size(); ++q) {
        const double u = radial.points[q], jacobian = n == 4 ? 3 * u * u : 2 * u;
        const Values f = integrand(r + u * (s - r), r);
        for (int j = 0; j < 8; ++j) sum[j] += part.size() * weight * radial.weights[q] * jacobian * f[j];
      }
    }
  }
  return sum;
}

Values as_values(const StaticPotentials& p) {
  return {p.inverse, p.inverse_moment.x, p.inverse_moment.y, p.inverse_moment.z,
          p.linear,  p.linear_moment.x,  p.linear_moment.y,  p.linear_moment.z};
}

void expect_close(const Values& exact, const Values& value, double tolerance) {
  double scale[2] = {0, 0};
  for (int j = 0; j < 8; ++j) scale[j / 4] = std::max(scale[j / 4], std::abs(exact[j]));
  for (int j = 0; j < 8; ++j) EXPECT_NEAR(value[j], exact[j], tolerance * scale[j / 4]) << "component " << j;
}

const Element triangle{{{0.1, 0.2, -0.3}, {1.2, -0.1, 0.4}, {0.3, 0.9, 0.8}, {}}, 3, 0.5};
const Element tetrahedron{
    {{0.1, 0.2, -0.3}, {1.2, -0.1, 0.4}, {0.3, 0.9, 0.8}, {-0.4, 0.3, 1.1}}, 4, 1.0 / 3};

Values closed(const Element& e, Vec3<double> r) {
  return as_values(e.num_corners == 4 ? tetrahedron_potentials(e.corners, r)
                                      : triangle_potentials(e.corners[0], e.corners[1], e.corners[2], r));
}

TEST(StaticPotentials, AwayFromTheElementMatchQuadrature) {
  const ElementRules rules(41);
  for (const Element& e : {triangle, tetrahedron}) {
    for (const Vec3<double> r : {Vec3<double>{2, 1, 1}, {0.5, 0.5, -1.4}, {-1, 0.4, -0.2}, {6, -5, 4}}) {
      expect_close(by_rule(e, r, rules.of(e)), closed(e, r), 1e-11);
    }
  }
}

TEST(StaticPotentials, InsideOnFacesEdgesAndCornersMatchDuffysTransformation) {
  for (const Element& e : {triangle, tetrahedron}) {
    const Vec3<double>* v = e.corners;
    for (const Vec3<double> r : {0.3 * v[0] + 0.3 * v[1] + 0.4 * v[2], 0.5 * v[0] + 0.5 * v[1], v[2],
                                 0.6 * e.centre() + 0.4 * v[1]}) {
      expect_close(duffy(e, r), closed(e, r), 1e-6);
    }
  }
}

TEST(StaticPotentials, CloseToAFaceTheyDoNotLoseDigits) {
  const Vec3<double>* v = triangle.corners;
  const auto foot = 0.2 * v[0] + 0.5 * v[1] + 0.3 * v[2];
  const auto n = normalized(cross(v[1] - v[0], v[2] - v[0]));
  const Values on = closed(triangle, foot);
  for (const double h : {1e-4, 1e-7, 1e-10, 1e-13}) {
    const Values near = closed(triangle, foot + h * n);
    EXPECT_NEAR(near[0], on[0] - 2 * M_PI * h, 20 * h * h + 1e-13);  // the jump of the slope is 4 pi
  }
}

/// Mean of the accurate static kernel over all pairs of a set of elements.
double total(const std::vector<Element>& elements, const Integration& integration) {
  const IntegrationRules rules(integration);
  double sum = 0;
  for (Index t = 0; t < Index(elements.size()); ++t) {
    for (Index s = 0; s < Index(elements.size()); ++s) sum += rules.input(elements, 0).exact(t, s).g.re;
  }
  return sum;
}

TEST(ElementPair, UnitCubeAndSquareHaveTheirKnownSelfEnergies) {
  const auto box = mesh::make_box({.blocks = {1, 1, 1}});
  std::vector<Element> cube;
  for (Index c = 0; c < box.num_cells(); ++c) {
    Element e;
    for (int i = 0; i < 4; ++i) e.corners[i] = box.nodes[box.cell(c)[i]];
    cube.push_back(e);
  }
  const std::vector<Element> square{{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {}}, 3, 0.5},
                                    {{{0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {}}, 3, 0.5}};
  // Finch (2003), Mathematical Constants, 8.1, p. 480 (OEIS A242588), through the potential of the cube; the
  // square's is elementary.
  const double exact_cube = 1.8823126443896601,
               exact_square = 4 * std::log(1 + std::sqrt(2)) + 4.0 / 3 * (1 - std::sqrt(2));
  EXPECT_NEAR(total(cube, {1, 2, 12, 12}) / exact_cube, 1, 1e-6);
  EXPECT_NEAR(total(cube, {1, 2, 5, 5}) / exact_cube, 1, 3e-4);
  EXPECT_NEAR(total(square, {1, 2, 14, 14}) / exact_square, 1, 3e-5);
  EXPECT_NEAR(total(square, {1, 2, 5, 5}) / exact_square, 1, 1e-3);
}

TEST(ElementPair, DynamicBlockMatchesHighRulesWhereNothingIsSingular) {
  Element shifted = tetrahedron;
  for (auto& c : shifted.corners) c += Vec3<double>{1.5, 1.0, 0.5};
  const ElementRules high(10), outer(8), smooth(6);
  const double k = 2.0;
  const auto exact = point_block(tetrahedron, high.of(tetrahedron), shifted, high.of(shifted), k);
  const auto block = accurate_block(tetrahedron, shifted,
                                    {outer.of(tetrahedron), smooth.of(tetrahedron), smooth.of(shifted)}, k);
  const double scale = abs(exact.g);
  EXPECT_NEAR(abs(block.g - exact.g), 0, 1e-5 * scale);
  EXPECT_NEAR(abs(block.both - exact.both), 0, 1e-5 * scale);
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(abs(block.source[d] - exact.source[d]), 0, 1e-5 * scale);
    EXPECT_NEAR(abs(block.target[d] - exact.target[d]), 0, 1e-5 * scale);
  }
}

TEST(NearList, HoldsAllPairsWithinReachOfMixedSizes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Element> elements;
  for (int i = 0; i < 300; ++i) {
    const Vec3<double> at{unit(random), unit(random), unit(random)};
    const double size = std::pow(10.0, -2 * unit(random)) * 0.3;
    elements.push_back(
        {{at, at + Vec3<double>{size, 0, 0}, at + Vec3<double>{0, size, 0}, at + Vec3<double>{0, 0, size}},
         4,
         0});
  }
  const auto list = find_near_pairs(elements, 1.5);
  for (Index t = 0; t < 300; ++t) {
    std::vector<Index> expected;
    for (Index s = 0; s < 300; ++s) {
      const auto &a = elements[t], &b = elements[s];
      if (norm(a.centre() - b.centre()) < 1.5 * (a.radius() + b.radius())) expected.push_back(s);
    }
    EXPECT_EQ(expected, std::vector<Index>(list.columns.begin() + list.offsets[t],
                                           list.columns.begin() + list.offsets[t + 1]));
  }
}

}  // namespace
}  // namespace curlew::ie
