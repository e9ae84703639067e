// SPDX-License-Identifier: BSD-3-Clause
// Cavities of metal. The box: k² = (π/x)² ...; the sphere: TM1 with k R = 2.743707, TE1 with 4.493409, three
// of each. Source: Harrington (1961), Time-Harmonic Electromagnetic Fields, section 6-2.

#include <fmt/format.h>

#include <cmath>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "bench/error_cases.hpp"
#include "fem/error/mode_error.hpp"
#include "mesh/box.hpp"

namespace curlew::bench {
namespace {

/// Relative errors of the first modes.
std::vector<BarredResult> compare(const mesh::Mesh& mesh, const std::string& volume, const std::string& walls,
                                  int order, const std::vector<double>& wavenumbers) {
  const auto topology = mesh::build_topology(mesh);
  fem::Model model;
  model.order = order;
  model.materials = {{.regions = {volume}}};
  model.boundaries = {{.regions = {walls}, .condition = fem::pec_condition()}};
  const auto space = fem::make_space(mesh, topology, order, fem::pec_triangles(model, mesh));
  fem::CavityOptions options;
  options.modes = int(wavenumbers.size());
  options.target = 0.8 * wavenumbers[0] * speed_of_light / (2 * pi);
  const auto modes = fem::cavity_modes(space, model, options);
  const auto shape = fem::shape_variant(mesh, topology, model);
  const auto bars = fem::mode_errors(space, model, options, modes, shape ? &*shape : nullptr);
  std::vector<BarredResult> results;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double exact = wavenumbers[i] * speed_of_light / (2 * pi);
    results.push_back(
        {fmt::format("f{}", i + 1), std::abs(modes[i].frequency.real() / exact - 1), bars[i].whole / exact});
    if (q.empty()) continue;
    results.push_back({fmt::format("Q{}", i + 1), std::abs(modes[i].q / q[i] - 1), modes[i].q * bars[i].loss});
  }
  return results;
}

}  // namespace

std::vector<ErrorCase> cavity_cases() {
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3}) {
    for (const int n : order == 1 ? std::vector{4, 6} : std::vector{2, 3}) {
      cases.push_back(
          {fmt::format("box cavity, {} blocks", n), order, n <= 4 && n != 3, [=] {
             const auto mesh =
                 mesh::make_box({.hi = {1.0, 0.75, 0.5}, .blocks = {n, n, n}, .shuffle_seed = 17});
             return compare(mesh, "volume", "walls", order, {pi * std::sqrt(25.0 / 9), pi * std::sqrt(5.0)});
           }});
    }
    for (const int geometry : {1, 2}) {
      for (const int n : {2, 3, 4}) {
        if (n == 4 && order == 3) continue;
        cases.push_back(
            {fmt::format("{} ball cavity, {} cells", geometry == 1 ? "straight" : "curved", 8 * n * n * n),
             order, n == 2, [=] {
               return compare(test::make_ball(n, geometry), "ball", "sphere", order,
                              {2.743707, 2.743707, 2.743707});
             }});
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
