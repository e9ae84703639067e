// SPDX-License-Identifier: BSD-3-Clause
// Entries of pairs of triangles against adaptive subdivision of both triangles, without closed forms.
#include "ie/surface/pair_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/constants.hpp"
#include "ie/surface/far_strip.hpp"
#include "quadrature/rules.hpp"

namespace curlew::ie {
namespace {

using Point = Vec3<double>;
struct Corners {
  Point a, b, c;
  Point centre() const { return (1.0 / 3) * (a + b + c); }
  double size() const { return std::max({norm(a - b), norm(b - c), norm(c - a)}); }
  std::array<Corners, 4> parts() const {
    const Point ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    return {{{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}};
  }
};

/// All 27 entries of a pair by a rule of degree 10 on both.
struct Sums {
  Complex electric[3][3] = {}, magnetic[3][3] = {}, rotated[3][3] = {};
};
struct Pair {
  Corners test, source;
  Complex k;

  /// One test point with its weight against a part of the source by one rule.
  void add_point(Point r, double weight, const Corners& s, Sums& sums) const {
    static const auto rule = barycentric_rule(8);
    const double area = 0.5 * norm(cross(s.b - s.a, s.c - s.a));
    const Point vt[3] = {test.a, test.b, test.c}, vs[3] = {source.a, source.b, source.c};
    const Point nt = cross(test.b - test.a, test.c - test.a),
                ns = cross(source.b - source.a, source.c - source.a);
    const double two_t = norm(nt), two_s = norm(ns);
    const Complex jk = Complex(0, 1) * k;
    for (std::size_t p = 0; p < rule.weights.size(); ++p) {
      const auto& c = rule.points[p];
      const Point rs = c[0] * s.a + c[1] * s.b + c[2] * s.c, d = r - rs;
      const double R = norm(d), w = weight * rule.weights[p] * area / (4 * pi);
      const Complex g = std::exp(-jk * R) / R, slope = -(1.0 + jk * R) * g / (R * R);
      for (int i = 0; i < 3; ++i) {
        const Point gi = (1 / two_t) * (r - vt[i]);
        for (int j = 0; j < 3; ++j) {
          const Point gj = (1 / two_s) * (rs - vs[j]);
          sums.electric[i][j] += w * g * (jk * dot(gi, gj) + 4.0 / (jk * two_t * two_s));
          sums.magnetic[i][j] += w * slope * dot(gi, cross(d, gj));
          sums.rotated[i][j] += w * slope * dot(gi, cross((1 / two_t) * nt, cross(d, gj)));
        }
      }
    }
  }
  void add(const Corners& t, const Corners& s, Sums& sums) const {
    static const auto rule = barycentric_rule(8);
    const double area = 0.5 * norm(cross(t.b - t.a, t.c - t.a));
    for (std::size_t q = 0; q < rule.weights.size(); ++q) {
      const auto& b = rule.points[q];
      add_point(b[0] * t.a + b[1] * t.b + b[2] * t.c, rule.weights[q] * area, s, sums);
    }
  }
  /// One test point against the source, divided where it is near.
  void divide_source(Point r, double weight, const Corners& s, int depth, Sums& sums) const {
    if (depth == 0 || norm(r - s.centre()) > 1.5 * s.size()) return add_point(r, weight, s, sums);
    for (const auto& part : s.parts()) divide_source(r, weight, part, depth - 1, sums);
  }
  void divide(const Corners& t, const Corners& s, int depth, Sums& sums) const {
    const double distance = norm(t.centre() - s.centre());
    if (distance > 2.5 * std::max(t.size(), s.size())) return add(t, s, sums);
    if (depth == 0) return;  // touching parts: what they hold vanishes with depth
    for (const auto& a : t.parts())
      for (const auto& b : s.parts()) divide(a, b, depth - 1, sums);
  }
};

SurfaceMesh mesh_of(std::vector<Point> nodes, std::vector<Triangle> triangles) {
  SurfaceMesh mesh;  // as given: these tests choose orientations themselves
  mesh.name = "pair", mesh.nodes = std::move(nodes), mesh.triangles = std::move(triangles);
  return mesh;
}

/// Largest difference of the three kinds over the largest entry of the kind, with one step of extrapolation
/// in depth (what is left out shrinks by `shrink` a level, for the kernels 1/R^2 by half of it).
void expect_agreement(const SurfaceMesh& mesh, Complex k, int depth, double shrink, double tolerance) {
  const auto corners = [&](Index t) {
    return Corners{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)};
  };
  const Pair pair{corners(0), corners(1), k};
  Sums coarse, fine;
  pair.divide(pair.test, pair.source, depth - 1, coarse);
  pair.divide(pair.test, pair.source, depth, fine);
  const PairBlock got = PairIntegrals(mesh, k).exact(0, 1);
  const auto check = [&](auto member, const auto& own, const char* what, double factor, double bound) {
    double error = 0, size = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Complex last = (fine.*member)[i][j],
                      limit = last + (last - (coarse.*member)[i][j]) / (factor - 1);
        size = std::max(size, std::abs(limit));
        error = std::max(error, std::abs(own[i][j] - limit));
      }
    }
    EXPECT_LT(error, bound * size) << what;
  };
  check(&Sums::electric, got.electric, "electric", shrink, tolerance);
  check(&Sums::magnetic, got.magnetic, "magnetic", shrink / 2, 10 * tolerance);
  check(&Sums::rotated, got.rotated, "rotated", shrink / 2, 10 * tolerance);
}

const Complex wavenumbers[] = {0.6, {0.5, -0.4}};

TEST(PairIntegrals, NearWithoutTouching) {
  const auto mesh =
      mesh_of({{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.9, 0.8, 0.3}, {1.6, 0.3, 0.5}, {1.5, 1.2, 0.2}},
              {{0, 1, 2}, {3, 4, 5}});
  for (const Complex k : wavenumbers) expect_agreement(mesh, k, 5, 1e9, 3e-5);
}

TEST(PairIntegrals, MediumAndFar) {
  for (const double shift : {2.0, 5.0}) {
    const auto mesh = mesh_of({{0, 0, 0},
                               {1, 0.1, 0},
                               {0.2, 0.9, 0.1},
                               {shift, 0.8, 0.3},
                               {shift + 0.7, 0.3, 0.5},
                               {shift + 0.6, 1.2, 0.2}},
                              {{0, 1, 2}, {3, 4, 5}});
    for (const Complex k : wavenumbers) expect_agreement(mesh, k, 4, 1e9, 3e-4);
  }
}

TEST(PairIntegrals, CommonCorner) {
  const auto mesh = mesh_of({{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {-1, 0.2, 0.4}, {-0.3, -0.9, 0.1}},
                            {{0, 1, 2}, {0, 3, 4}});
  for (const Complex k : wavenumbers) expect_agreement(mesh, k, 6, 8, 1e-4);
}

TEST(PairIntegrals, CommonEdge) {
  const auto mesh = mesh_of({{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.9, 1, 0.6}}, {{0, 1, 2}, {2, 1, 3}});
  // Test points crowd towards the edge, the source is divided around each of them.
  const auto segment = quadrature::gauss_legendre(14);
  for (const Complex k : wavenumbers) {
    const Pair pair{
        {mesh.nodes[0], mesh.nodes[1], mesh.nodes[2]}, {mesh.nodes[2], mesh.nodes[1], mesh.nodes[3]}, k};
    const double twice_area = norm(mesh.area_vector(0));
    Sums sums;
    for (int a = 0; a < segment.size(); ++a) {
      const double u = segment.points[a], away = u * u * u, d_away = 3 * u * u;
      for (int b = 0; b < segment.size(); ++b) {
        const double v = segment.points[b], t = v * v * (3 - 2 * v), dt = 6 * v * (1 - v);
        const Point on_edge = (1 - t) * mesh.nodes[1] + t * mesh.nodes[2];
        const double weight = twice_area * (1 - away) * d_away * dt * segment.weights[a] * segment.weights[b];
        pair.divide_source(away * mesh.nodes[0] + (1 - away) * on_edge, weight, pair.source, 16, sums);
      }
    }
    const PairBlock got = PairIntegrals(mesh, k).exact(0, 1);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        EXPECT_LT(std::abs(got.electric[i][j] - sums.electric[i][j]), 5e-5 * std::abs(sums.electric[0][0]));
        EXPECT_LT(std::abs(got.magnetic[i][j] - sums.magnetic[i][j]), 1e-3 * std::abs(sums.magnetic[1][2]));
        EXPECT_LT(std::abs(got.rotated[i][j] - sums.rotated[i][j]), 1e-3 * std::abs(sums.rotated[1][2]));
      }
    }
  }
}

TEST(PairIntegrals, SelfTermOfTheStaticKernel) {
  // int int 1/R over a triangle with itself, Eibert and Hansen (1995), IEEE Trans. Antennas Propag. 43(12),
  // 1499:
  // -(4A^2/3) [ln(1 - a/p)/a + ln(1 - b/p)/b + ln(1 - c/p)/c], p half the circumference.
  const double k = 1e-6;
  const auto mesh = mesh_of({{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}}, {{0, 1, 2}});
  const auto block = PairIntegrals(mesh, k).exact(0, 0);
  const double a = norm(mesh.nodes[1] - mesh.nodes[0]), b = norm(mesh.nodes[2] - mesh.nodes[1]),
               c = norm(mesh.nodes[0] - mesh.nodes[2]), p = 0.5 * (a + b + c),
               area = 0.5 * norm(mesh.area_vector(0));
  const double self =
      -4 * area * area / 3 * (std::log(1 - a / p) / a + std::log(1 - b / p) / b + std::log(1 - c / p) / c);

  const double charge = (block.electric[0][0] * Complex(0, k)).real();  // -> int int 1/(4 pi R) / A^2

  EXPECT_NEAR(charge * 4 * pi * area * area / self, 1, 2e-5);
  EXPECT_LT(std::abs(block.magnetic[0][1]) + std::abs(block.rotated[0][1]), 1e-12)
      << "flat: no own magnetic part";
}

TEST(PairIntegrals, ExchangeOfTheTrianglesTransposesElectricAndMagnetic) {
  const auto mesh = mesh_of({{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.9, 1, 0.6}}, {{0, 1, 2}, {2, 1, 3}});
  const PairIntegrals integrals(mesh, 0.6);
  const auto there = integrals.exact(0, 1), back = integrals.exact(1, 0);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_LT(std::abs(there.electric[i][j] - back.electric[j][i]), 1e-4 * std::abs(there.electric[i][j]));
      EXPECT_LT(std::abs(there.magnetic[i][j] - back.magnetic[j][i]), 3e-4 * std::abs(there.magnetic[1][2]));
    }
  }
}

TEST(FarStrip, EqualsThePointRulesInEveryLane) {
  std::vector<Point> nodes{{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}};
  std::vector<Triangle> triangles{{0, 1, 2}};
  for (int i = 1; i < 11; ++i) {
    const auto first = Index(nodes.size());
    nodes.insert(nodes.end(), {{6.0 + i, 0.3 * i, 1}, {7.0 + i, 0.2, 1.5}, {6.5 + i, 1, 0.1 * i}});
    triangles.push_back({first, first + 1, first + 2});
  }
  const auto mesh = mesh_of(nodes, triangles);
  std::vector<Index> all;
  for (Index t = 0; t < mesh.num_triangles(); ++t) all.push_back(t);
  const BarycentricRule medium = barycentric_rule(5);
  for (int n = 0; n < 4; ++n) {
    const Complex k = wavenumbers[n % 2];
    const BarycentricRule* rule = n < 2 ? nullptr : &medium;
    const PairIntegrals integrals(mesh, k);
    const FarStrip strip(mesh, all, integrals, true, true, rule);
    constexpr int lanes = FarStrip::lanes;
    ASSERT_EQ(strip.num_batches(), (11 + lanes - 1) / lanes);
    for (const Index t : {1, 7, 8, 10}) {
      SplitBlock blocks;
      strip.evaluate(t / lanes, 0, blocks);
      const auto lane = blocks.lane(t % lanes, true, true),
                 expect = integrals.points(t, 0, rule ? *rule : integrals.far_rule());
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          EXPECT_LT(std::abs(lane.electric[i][j] - expect.electric[i][j]),
                    1e-12 * std::abs(expect.electric[0][0]));
          EXPECT_LT(std::abs(lane.magnetic[i][j] - expect.magnetic[i][j]), 1e-14);
          EXPECT_LT(std::abs(lane.rotated[i][j] - expect.rotated[i][j]), 1e-14);
        }
      }
    }
  }
}

}  // namespace
}  // namespace curlew::ie
