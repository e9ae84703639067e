// SPDX-License-Identifier: BSD-3-Clause
// The basis against the definition of the space, R_p = (P_{p-1})^3 + x times homogeneous (P_{p-1})^3 (cross
// product), sampled at points: no formula is shared.
#include "fem/nedelec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fem/adaptive/fourth_level.hpp"
#include "mesh/mesh.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Orders 1 to 3 and, of functions that residuals are tested with, 4.
void basis_at(int order, Vec3<double> x, BasisValue<double>* w) {
  order == 4 ? fourth_basis(x, w) : reference_basis(order, x, w);
}

/// Rank by Gaussian elimination with complete pivoting.
int rank_of(Rows a) {
  const double scale = 1e-10;
  int rank = 0;
  for (std::size_t step = 0; step < a.size(); ++step) {
    std::size_t row = step, column = 0;
    for (std::size_t i = step; i < a.size(); ++i)
      for (std::size_t j = 0; j < a[i].size(); ++j)
        if (std::abs(a[i][j]) > std::abs(a[row][column])) row = i, column = j;
    if (std::abs(a[row][column]) < scale) break;
    std::swap(a[step], a[row]);
    for (std::size_t i = step + 1; i < a.size(); ++i) {
      const double factor = a[i][column] / a[step][column];
      for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] -= factor * a[step][j];
    }
    ++rank;
  }
  return rank;
}

std::vector<Vec3<double>> sample_points() {
  return quadrature::tetrahedron_rule(9).points;
}

/// One row per basis function: its values (or curls) at the points.
Rows sampled_basis(int order, bool curls) {
  Rows rows(std::size_t(nedelec_dim(order)));
  for (const auto& point : sample_points()) {
    BasisValue<double> basis[fourth_cell_dim];
    basis_at(order, point, basis);
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const auto v = curls ? basis[a].curl : basis[a].value;
      rows[a].insert(rows[a].end(), {v.x, v.y, v.z});
    }
  }
  return rows;
}

/// One row per member of a spanning set of R_p.
Rows sampled_definition(int order) {
  Rows rows;
  for (int i = 0; i < order; ++i)
    for (int j = 0; i + j < order; ++j)
      for (int k = 0; i + j + k < order; ++k)
        for (int d = 0; d < 3; ++d)
          for (const bool crossed : {false, true}) {
            if (crossed && i + j + k != order - 1) continue;
            rows.emplace_back();
            for (const auto& x : sample_points()) {
              Vec3<double> v;
              v[d] = std::pow(x.x, i) * std::pow(x.y, j) * std::pow(x.z, k);
              if (crossed) v = cross(x, v);
              rows.back().insert(rows.back().end(), {v.x, v.y, v.z});
            }
          }
  return rows;
}

class Order : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Nedelec, Order, testing::Values(1, 2, 3, 4));

TEST_P(Order, SpansTheNedelecSpaceOfTheFirstKind) {
  const int p = GetParam();
  const int dim = p * (p + 2) * (p + 3) / 2;
  Rows both = sampled_basis(p, false);
  const Rows definition = sampled_definition(p);

  EXPECT_EQ(rank_of(both), dim);
  EXPECT_EQ(rank_of(definition), dim);
  both.insert(both.end(), definition.begin(), definition.end());
  EXPECT_EQ(rank_of(both), dim);
}

TEST_P(Order, KernelOfTheCurlIsTheGradientsOfDegreeP) {
  const int p = GetParam();
  const int gradients = (p + 1) * (p + 2) * (p + 3) / 6 - 1;
  EXPECT_EQ(rank_of(sampled_basis(p, true)), nedelec_dim(p) - gradients);
}

TEST_P(Order, CurlIsTheDerivativeOfTheValue) {
  const int p = GetParam();
  const double h = 1e-5;
  for (const auto& x : quadrature::tetrahedron_rule(3).points) {
    BasisValue<double> centre[fourth_cell_dim], plus[3][fourth_cell_dim], minus[3][fourth_cell_dim];
    basis_at(p, x, centre);
    for (int d = 0; d < 3; ++d) {
      Vec3<double> step;
      step[d] = h;
      basis_at(p, x + step, plus[d]);
      basis_at(p, x - step, minus[d]);
    }
    for (int a = 0; a < nedelec_dim(p); ++a) {
      const auto derivative = [&](int component, int d) {
        return (plus[d][a].value[component] - minus[d][a].value[component]) / (2 * h);
      };
      const Vec3<double> curl{derivative(2, 1) - derivative(1, 2), derivative(0, 2) - derivative(2, 0),
                              derivative(1, 0) - derivative(0, 1)};
      EXPECT_LT(norm(curl - centre[a].curl), 1e-7) << "function " << a;  // third derivative times h^2
      if (is_gradient_of_fourth(a)) {
        EXPECT_EQ(norm(centre[a].curl), 0) << "function " << a;
      }
    }
  }
}

TEST_P(Order, LowerOrdersAreAPrefix) {
  BasisValue<double> basis[fourth_cell_dim], lower[fourth_cell_dim];
  const Vec3<double> x{0.21, 0.34, 0.17};
  basis_at(GetParam(), x, basis);
  for (int p = 1; p <= GetParam(); ++p) {
    basis_at(p, x, lower);
    for (int a = 0; a < nedelec_dim(p); ++a) EXPECT_EQ(lower[a].value, basis[a].value);
  }
}

TEST_P(Order, TraceOnAFaceComesFromItsOwnFunctionsAlone) {
  const int p = GetParam();
  const Vec3<double> vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t f = 0; f < 4; ++f) {
    const auto [i, j, k] = mesh::cell_face_vertices[f];
    const Vec3<double> tangents[2] = {vertices[j] - vertices[i], vertices[k] - vertices[i]};
    BasisValue<double> basis[fourth_cell_dim];
    basis_at(p, vertices[i] + 0.3 * tangents[0] + 0.45 * tangents[1], basis);
    int with_trace = 0;
    for (int a = 0; a < nedelec_dim(p); ++a)
      with_trace +=
          std::abs(dot(basis[a].value, tangents[0])) + std::abs(dot(basis[a].value, tangents[1])) > 1e-14;
    EXPECT_EQ(with_trace, nedelec_face_dim(p)) << "face " << f;
  }
}

/// The functions of level 4 of a face, or of an edge, have the same trace in all cells around it; all others
/// have none.
TEST(Nedelec, TracesOfLevelFourAreThoseOfTheNeighbour) {
  const Vec3<double> vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto traces = [&](std::size_t f) {
    const auto [i, j, k] = mesh::cell_face_vertices[f];
    const Vec3<double> tangents[2] = {vertices[j] - vertices[i], vertices[k] - vertices[i]};
    std::vector<int> functions;
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [a, b] = mesh::cell_edge_vertices[e];
      if (std::size_t(a) != f && std::size_t(b) != f) functions.push_back(nedelec_dim(3) + int(e));
    }
    for (int n = 0; n < fourth_face_functions; ++n)
      functions.push_back(nedelec_dim(3) + 6 + fourth_face_functions * int(f) + n);
    BasisValue<double> basis[fourth_cell_dim];
    fourth_basis(vertices[i] + 0.3 * tangents[0] + 0.45 * tangents[1], basis);
    std::vector<double> found;
    for (const int a : functions)
      for (const auto& t : tangents) found.push_back(dot(basis[a].value, t));
    return found;
  };
  const auto first = traces(0);
  for (std::size_t f = 1; f < 4; ++f) {
    const auto other = traces(f);
    for (std::size_t n = 0; n < first.size(); ++n) EXPECT_NEAR(other[n], first[n], 1e-12) << f << " " << n;
  }
}

TEST(Nedelec, HigherEdgeFunctionsHaveNoLowerMoments) {  // int W . t s^m ds = 0, m < level - 1, along edge 0-1
  const auto rule = quadrature::gauss_legendre(6);
  for (int level = 2; level <= 3; ++level)
    for (int m = 0; m < level - 1; ++m) {
      double moment = 0;
      for (int q = 0; q < rule.size(); ++q) {
        BasisValue<double> basis[max_cell_dim];
        reference_basis(3, Vec3<double>{rule.points[std::size_t(q)], 0, 0}, basis);
        moment += rule.weights[std::size_t(q)] * std::pow(rule.points[std::size_t(q)], m) *
                  basis[level_begin(level)].value.x;
      }
      EXPECT_NEAR(moment, 0, 1e-15) << "level " << level << " moment " << m;
    }
}

TEST(Nedelec, RotationalFaceFunctionsOfLevelThreeHaveNoLowerMoments) {  // int (n . curl W) q dS = 0, q linear
  const auto rule = quadrature::triangle_rule(6);
  for (int i = 1; i < 4; ++i) {
    double moments[3] = {};
    for (int q = 0; q < rule.size(); ++q) {  // face 3 of the unit tetrahedron, z = 0, the last of four
      const auto [u, v] = rule.points[std::size_t(q)];
      BasisValue<double> basis[max_cell_dim];
      reference_basis(3, Vec3<double>{u, v, 0}, basis);
      const double curl = rule.weights[std::size_t(q)] * basis[20 + 6 + 4 * 3 + i].curl.z;
      moments[0] += curl, moments[1] += curl * u, moments[2] += curl * v;
    }
    for (const double moment : moments) EXPECT_NEAR(moment, 0, 1e-15) << "function " << i;
  }
}

}  // namespace
}  // namespace curlew::fem
