// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/lagrange_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fem/lagrange/lagrange_space.hpp"

namespace curlew::fem {
namespace {

TEST(LagrangeBasis, IsOneAtItsNodeAndZeroAtTheOthers) {
  for (int order = 1; order <= 3; ++order) {
    const auto nodes = reference_positions(order);
    ASSERT_EQ(int(nodes.size()), lagrange_dim(order));
    for (std::size_t b = 0; b < nodes.size(); ++b) {
      const double l[4] = {1 - nodes[b].x - nodes[b].y - nodes[b].z, nodes[b].x, nodes[b].y, nodes[b].z};
      double value[max_lagrange_dim];
      lagrange_cell_basis<double>(order, l, value, nullptr);
      for (std::size_t a = 0; a < nodes.size(); ++a)
        EXPECT_NEAR(value[a], a == b ? 1 : 0, 1e-14) << order << ": " << a << " at node " << b;
    }
  }
}

TEST(LagrangeBasis, SlopesAreDerivatives) {
  const double l[4] = {0.13, 0.21, 0.37, 0.29}, h = 1e-5;
  for (int order = 1; order <= 3; ++order) {
    double value[max_lagrange_dim], slope[max_lagrange_dim][4];
    lagrange_cell_basis(order, l, value, slope);
    for (int i = 0; i < 4; ++i) {
      double up[4], down[4], above[max_lagrange_dim], below[max_lagrange_dim];
      for (int j = 0; j < 4; ++j) up[j] = l[j] + (i == j ? h : 0), down[j] = l[j] - (i == j ? h : 0);
      lagrange_cell_basis<double>(order, up, above, nullptr);
      lagrange_cell_basis<double>(order, down, below, nullptr);
      for (int a = 0; a < lagrange_dim(order); ++a)  // cubics: the central difference is off by 27/6 h^2
        EXPECT_NEAR(slope[a][i], (above[a] - below[a]) / (2 * h), 3e-9) << order << " " << a << " " << i;
    }
  }
}

TEST(LagrangeBasis, FaceBasisIsTheTraceOfTheCellBasis) {
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const double on_face[3] = {0.2, 0.45, 0.35};
  for (int order = 1; order <= 3; ++order)
    for (const auto& f : faces) {
      double l[4] = {}, cell[max_lagrange_dim], face[max_lagrange_face_dim];
      for (int a = 0; a < 3; ++a) l[f[a]] = on_face[a];
      lagrange_cell_basis<double>(order, l, cell, nullptr);
      lagrange_face_basis(order, on_face, face);
      int matched = 0;  // functions of the cell that do not vanish here come in the order of the face's
      for (int a = 0; a < lagrange_dim(order); ++a) {
        if (cell[a] == 0) continue;
        EXPECT_NEAR(cell[a], face[matched++], 1e-15);
      }
      EXPECT_EQ(matched, lagrange_face_dim(order));
    }
}

}  // namespace
}  // namespace curlew::fem
