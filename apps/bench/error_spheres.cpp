// SPDX-License-Identifier: BSD-3-Clause
// Spheres in a plane wave, truncated by the iteration: relative L2 of the far field's magnitude over 74
// directions.

#include <fmt/format.h>

#include <cmath>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "bench/error_cases.hpp"
#include "mie.hpp"
#include "truncation/result_error.hpp"

namespace curlew::bench {
namespace {

constexpr double frequency = speed_of_light;  // a wavelength of 1 m
constexpr double distance = 0.1;

struct SphereCase {
  double ka;
  double epsilon_r;  // 0: metal
  int shell, order, geometry;
  double radius() const { return ka / (2 * pi); }
};

mesh::Mesh mesh_of(const SphereCase& c) {
  test::Shells shells;
  shells.first = c.epsilon_r == 0 ? c.shell : 0;
  for (int m = shells.first; m <= c.shell; ++m) shells.radius.push_back(c.radius() * m / c.shell);
  shells.radius.push_back(c.radius() + distance);
  shells.surfaces = {{"body", c.shell}, {"S", c.shell + 1}};
  if (c.epsilon_r != 0) shells.volumes.push_back({"inside", c.shell});
  shells.volumes.push_back({"air", c.shell + 1});
  shells.geometry_order = c.geometry;
  return test::make_shells(shells);
}

fem::Model model_of(const SphereCase& c) {
  fem::Model model;
  model.order = c.order;
  model.materials.push_back({.regions = {"air"}});
  if (c.epsilon_r == 0)
    model.boundaries.push_back({.regions = {"body"}, .condition = fem::pec_condition()});
  else
    model.materials.push_back({.regions = {"inside"}, .epsilon_r = c.epsilon_r});
  return model;
}

std::vector<BarredResult> compare(const SphereCase& c) {
  const mesh::Mesh mesh = mesh_of(c);
  const auto topology = mesh::build_topology(mesh);
  const fem::Model model = model_of(c);
  truncation::TruncationOptions options;
  options.names.inner = "body";
  options.source_degree = 8;
  options.iteration.tolerance = 1e-5;
  truncation::TruncatedProblem problem(mesh, topology, model, options);
  problem.system().analyse();
  // Arrives from -z with E along x, as the series has it.
  const std::vector<truncation::Excitation> wave{
      {{green::PlaneWave{{0, 0, 1}, {1.0, 0.0, 0.0}, problem.exterior(frequency).k}}}};
  const auto result = problem.solve(frequency, wave);
  std::vector<fields::Direction> directions;
  for (const double phi : {0.0, pi / 2})
    for (int i = 0; i <= 36; ++i) directions.push_back({pi * i / 36, phi});
  const auto error = truncation::result_errors(
      {mesh, topology, model, options, frequency, wave, {directions}}, problem, result)[0];
  const test::Mie mie(c.epsilon_r == 0 ? test::conducting_sphere(c.radius())
                                       : test::dielectric_sphere(c.radius(), c.epsilon_r),
                      problem.exterior(frequency).k);
  double wrong = 0, size = 0, back = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const double exact = std::sqrt(mie.rcs(directions[i].theta, directions[i].phi).total() / (4 * pi));
    wrong += std::pow(error.strength[i] - exact, 2), size += exact * exact;
    if (i == 36) back = exact;
  }
  return {{"far field", std::sqrt(wrong / size), error.relative},
          {"back |E|", std::abs(error.strength[36] / back - 1), error.field[36] / back}};
}

}  // namespace

std::vector<ErrorCase> sphere_cases() {
  std::vector<ErrorCase> cases;
  for (const double epsilon_r : {0.0, 4.0}) {
    for (const double ka : {0.5, 1.0, 2.0, 4.0}) {
      for (const int order : {1, 2, 3}) {
        for (const int geometry : {1, 2}) {
          const int coarse = ka < 0.7 ? 2 : ka < 3 ? 3 : 5;
          for (const int shell : {coarse, coarse + 2}) {
            if (epsilon_r != 0 && (ka > 3 || (order == 3 && shell > 3))) continue;  // minutes
            if (ka > 3 && order == 3 && shell > coarse) continue;
            cases.push_back(
                {fmt::format("{} sphere, ka {:g}, {}, {} facets", epsilon_r == 0 ? "metal" : "eps 4", ka,
                             geometry == 1 ? "straight" : "curved", 8 * shell * shell),
                 order, ka == 1.0 && shell == coarse && epsilon_r == 0, [=] {
                   return compare({ka, epsilon_r, shell, order, geometry});
                 }});
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
