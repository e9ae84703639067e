// SPDX-License-Identifier: BSD-3-Clause
// Every rule against the integrals of monomials in closed form: i! j! k! / (i + j + k + dim)! on a simplex.
#include "quadrature/rules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.hpp"

namespace curlew::quadrature {
namespace {

double factorial(int n) {
  return std::tgamma(n + 1.0);
}

class Degree : public testing::TestWithParam<int> {};

TEST_P(Degree, SegmentIsExactForPowers) {
  const int n = GetParam() / 2 + 1;
  const auto rule = gauss_legendre(n);

  ASSERT_EQ(rule.size(), n);
  for (int i = 0; i <= 2 * n - 1; ++i) {
    double sum = 0;
    for (int q = 0; q < n; ++q) sum += rule.weights[q] * std::pow(rule.points[q], i);
    EXPECT_NEAR(sum, 1.0 / (i + 1), 1e-14) << "x^" << i;
  }
}

TEST_P(Degree, JacobiWeightIsExactForPowers) {
  const int n = GetParam() / 2 + 1;
  for (int alpha : {1, 2, 3}) {
    const auto rule = gauss_jacobi(n, alpha);
    for (int i = 0; i <= 2 * n - 1; ++i) {
      double sum = 0;
      for (int q = 0; q < n; ++q) sum += rule.weights[q] * std::pow(rule.points[q], i);
      EXPECT_NEAR(sum, factorial(i) * factorial(alpha) / factorial(i + alpha + 1), 1e-14) << "x^" << i;
    }
  }
}

TEST_P(Degree, TriangleIsExactForMonomialsAndPointsAreInside) {
  const int degree = GetParam();
  const auto rule = triangle_rule(degree);

  for (int i = 0; i <= degree; ++i)
    for (int j = 0; i + j <= degree; ++j) {
      double sum = 0;
      for (int q = 0; q < rule.size(); ++q)
        sum += rule.weights[q] * std::pow(rule.points[q].u, i) * std::pow(rule.points[q].v, j);
      const double exact = factorial(i) * factorial(j) / factorial(i + j + 2);
      EXPECT_NEAR(sum, exact, 1e-15 + 1e-12 * exact) << "u^" << i << " v^" << j;
    }
  for (int q = 0; q < rule.size(); ++q) {
    EXPECT_GT(std::min({rule.points[q].u, rule.points[q].v, 1 - rule.points[q].u - rule.points[q].v}), 0);
    EXPECT_GT(rule.weights[q], 0);
  }
}

TEST_P(Degree, TetrahedronIsExactForMonomialsAndPointsAreInside) {
  const int degree = GetParam();
  const auto rule = tetrahedron_rule(degree);

  for (int i = 0; i <= degree; ++i)
    for (int j = 0; i + j <= degree; ++j)
      for (int k = 0; i + j + k <= degree; ++k) {
        double sum = 0;
        for (int q = 0; q < rule.size(); ++q) {
          const auto x = rule.points[q];
          sum += rule.weights[q] * std::pow(x.x, i) * std::pow(x.y, j) * std::pow(x.z, k);
        }
        const double exact = factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
        EXPECT_NEAR(sum, exact, 1e-15 + 1e-12 * exact) << "x^" << i << " y^" << j << " z^" << k;
      }
  for (int q = 0; q < rule.size(); ++q) {
    const auto x = rule.points[q];
    EXPECT_GT(std::min({x.x, x.y, x.z, 1 - x.x - x.y - x.z}), 0);
    EXPECT_GT(rule.weights[q], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Degree, testing::Range(0, 21));

/// Every exchange of corners turns the rule into itself, so that mirrored meshes give mirrored results.
template <std::size_t corners>
void expect_symmetric(const std::vector<std::array<double, corners>>& points,
                      const std::vector<double>& weights) {
  std::array<int, corners> order;
  std::iota(order.begin(), order.end(), 0);
  do {
    for (std::size_t q = 0; q < points.size(); ++q) {
      const auto is_partner = [&](std::size_t p) {
        double distance = 0;
        for (std::size_t c = 0; c < corners; ++c)
          distance = std::max(distance, std::abs(points[p][c] - points[q][std::size_t(order[c])]));
        return distance < 1e-14 && std::abs(weights[p] - weights[q]) < 1e-15;
      };
      bool found = false;
      for (std::size_t p = 0; p < points.size() && !found; ++p) found = is_partner(p);
      EXPECT_TRUE(found) << "point " << q;
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Rules, TablesAreSymmetricInTheCorners) {
  for (int degree = 0; degree <= 10; ++degree) {
    SCOPED_TRACE(degree);
    const auto t = tetrahedron_rule(degree);
    std::vector<std::array<double, 4>> four;
    for (const auto& x : t.points) four.push_back({1 - x.x - x.y - x.z, x.x, x.y, x.z});
    expect_symmetric(four, t.weights);
    const auto f = triangle_rule(degree);
    std::vector<std::array<double, 3>> three;
    for (const auto& x : f.points) three.push_back({1 - x.u - x.v, x.u, x.v});
    expect_symmetric(three, f.weights);
  }
}

TEST(GaussLegendre, LargeRulesIntegrateAnOscillation) {  // int_0^1 cos(100 x) dx
  const auto rule = gauss_legendre(80);
  double sum = 0;
  for (int q = 0; q < rule.size(); ++q) sum += rule.weights[q] * std::cos(100 * rule.points[q]);
  EXPECT_NEAR(sum, std::sin(100.0) / 100, 1e-14);
}

TEST(Rules, RejectWhatDoesNotExist) {
  EXPECT_THROW(gauss_legendre(0), InputError);
  EXPECT_THROW(gauss_jacobi(3, -1), InputError);
  EXPECT_THROW(triangle_rule(-1), InputError);
  EXPECT_THROW(tetrahedron_rule(-1), InputError);
}

}  // namespace
}  // namespace curlew::quadrature
