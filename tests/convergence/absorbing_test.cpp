// SPDX-License-Identifier: BSD-3-Clause
// A dipole in a ball in free space: reflections of absorbing conditions of both orders and of a layer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "fem/fields.hpp"
#include "fem/open/open_problem.hpp"
#include "fem/point_location.hpp"

namespace curlew::fem {
namespace {

constexpr double frequency = speed_of_light;  // lengths are wavelengths

enum class End { first_order, second_order, layer };

/// E at points on a sphere of radius 0.3 around a dipole at the centre of a ball of radius 0.4. Beyond the
/// ball a layer continues with cells of the same size, so that the ball's cells are always the same and only
/// the end differs.
std::vector<Vec3<Complex>> field_in_ball(End end, int layer_cells, double reflection) {
  const double inner = 0.4, cell = 0.08;
  mesh::Mesh mesh =
      test::make_ball(5 + layer_cells, end == End::layer ? 1 : 2);  // an absorbing sphere is round
  for (auto& x : mesh.nodes) x = (cell * (5 + layer_cells)) * x;
  mesh::Region air{"air", {}}, pml{"pml", {}};
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    double most = 0;  // a cell lies between two shells
    for (int i = 0; i < 4; ++i) most = std::max(most, norm(mesh.nodes[std::size_t(mesh.cell(c)[i])]));
    (most < inner + 1e-9 ? air : pml).entities.push_back(c);
  }
  mesh.volumes = {air};
  if (layer_cells > 0) mesh.volumes.push_back(pml);
  const mesh::Topology topology = mesh::build_topology(mesh);
  Model model;
  model.order = 2;
  model.materials = {{.regions = {"air"}}};
  if (end == End::layer) {
    model.materials[0].regions.push_back("pml");
    model.boundaries = {{.regions = {"sphere"}, .condition = pec_condition()}};
    model.pml = {{.regions = {"pml"},
                  .geometry = pml_geometry(mesh, topology, {"pml"}, PmlShape::spherical),
                  .reflection = reflection}};
  } else {
    model.boundaries = {
        {.regions = {"sphere"}, .condition = absorbing_condition(end == End::first_order ? 1 : 2, inner)}};
  }
  OpenProblem problem(mesh, topology, model, {{"dipole", {}, {{{0, 0, 0}, {0.0, 0.0, 1.0}}}, {}}}, {});
  problem.analyse();
  const auto solution = problem.solve(frequency);
  std::vector<Vec3<Complex>> field;
  for (int i = 0; i < 40; ++i) {  // a spiral
    const double z = -0.975 + 0.05 * i, s = std::sqrt(1 - z * z), r = 0.3;
    const auto place =
        locate_point(mesh, {r * s * std::cos(2.4 * i), r * s * std::sin(2.4 * i), r * z}).front();
    field.emplace_back();
    FieldEvaluator(problem.space(), {place.xi})
        .evaluate(place.cell, solution.x.data(), &field.back(), nullptr);
  }
  return field;
}

/// 20 lg of the relative difference of one field from another.
double difference_db(const std::vector<Vec3<Complex>>& field, const std::vector<Vec3<Complex>>& reference) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < field.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      difference += std::norm(field[i][c] - reference[i][c]);
      norm += std::norm(reference[i][c]);
    }
  return 10 * std::log10(difference / norm);
}

/// Against a layer so thick that its reflection is negligible.
TEST(Absorbing, DISABLED_OrdersAndLayerCompared) {
  const auto reference = field_in_ball(End::layer, 6, 1e-5);

  const double first = difference_db(field_in_ball(End::first_order, 0, 0), reference);
  const double second = difference_db(field_in_ball(End::second_order, 0, 0), reference);
  const double layer = difference_db(field_in_ball(End::layer, 4, 1e-4), reference);

  EXPECT_LT(first, -18);
  EXPECT_LT(second, first - 13);  // by the admittance of the first outgoing wave at kR = 2.5: 17
  EXPECT_LT(layer, -60);
}

}  // namespace
}  // namespace curlew::fem
