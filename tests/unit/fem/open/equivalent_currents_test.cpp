// SPDX-License-Identifier: BSD-3-Clause
// Equivalent currents out of curl E at the points, against fields of the same unknowns by another way.
#include "fem/open/equivalent_currents.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/fields.hpp"
#include "fem/point_location.hpp"
#include "mesh/box.hpp"
#include "mesh/closed_surface.hpp"

namespace curlew::fem {
namespace {

TEST(EquivalentCurrents, FromTheCurlAreTheCellsMagneticField) {
  for (const int order : {1, 2, 3}) {
    const mesh::Mesh mesh =
        mesh::make_box({.hi = {1, 0.8, 0.7}, .blocks = {2, 2, 2}, .geometry_order = 2, .shuffle_seed = 7});
    const auto topology = mesh::build_topology(mesh);
    const auto space = make_space(mesh, topology, order, {});
    std::vector<Complex> x;
    for (Index i = 0; i < space.num_dofs(); ++i) x.emplace_back(std::sin(3.7 * i), std::cos(1.3 * i));
    const auto& triangles = mesh.surfaces.back().entities;  // "walls"
    const auto sides = mesh::outward_sides(mesh, triangles, "walls");
    std::vector<Index> cells;
    for (Index c = 0; c < mesh.num_cells(); ++c) cells.push_back(c);
    const double frequency = 2e8;
    const auto medium = fields::Exterior::vacuum(frequency);

    const EquivalentCurrents currents(space, triangles, sides, 3, cells, CellSide::inside, {},
                                      CurrentRule::curl);
    const auto found = currents.currents(x.data(), 1, medium);

    ASSERT_GT(found.electric.size(), 200U);
    for (std::size_t i = 0; i < found.electric.size(); i += 11) {
      const Vec3<double> n = currents.points().normal[i];
      const auto place = locate_point(mesh, currents.points().position[i] - 1e-9 * n).at(0);
      Vec3<Complex> e, curl;
      FieldEvaluator(space, {place.xi}).evaluate(place.cell, x.data(), &e, &curl);
      const auto h = magnetic_field(curl, 1.0, 2 * pi * frequency);
      const auto j = cross(n, h), m = Complex(-1) * cross(n, e);
      for (int d = 0; d < 3; ++d) {
        EXPECT_LT(std::abs(found.electric[i][d] - j[d]), 1e-6 * (1 + std::abs(j[d]))) << order << " " << i;
        EXPECT_LT(std::abs(found.magnetic[i][d] - m[d]), 1e-6 * (1 + std::abs(m[d]))) << order << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace curlew::fem
