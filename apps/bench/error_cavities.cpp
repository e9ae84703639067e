// SPDX-License-Identifier: BSD-3-Clause
// Cavities of metal. The box: k² = (π/x)² ...; the sphere: TM1 with k R = 2.743707, TE1 with 4.493409, three
// of each. Source: Harrington (1961), Time-Harmonic Electromagnetic Fields, section 6-2. Q of copper walls by
// perturbation, f lower by f/2Q: for the box Pozar (2012), Microwave Engineering, equation (6.46), for the
// sphere's TM1 eta/(2 Rs) u (1 - 2/u²), u = k R (Harrington, section 6-3).

#include <fmt/format.h>

#include <cmath>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "bench/error_cases.hpp"
#include "fem/error/mode_error.hpp"
#include "material/surface_law.hpp"
#include "mesh/box.hpp"

namespace curlew::bench {
namespace {

constexpr double copper = 5.8e7;  // S/m

/// k, and Q times Rs [ohm]: 0 for a perfect conductor.
struct ExactMode {
  double k, q_times_rs = 0;
  double frequency() const { return frequency_of(k); }
  double q() const { return q_times_rs / std::sqrt(pi * frequency() * vacuum_permeability / copper); }
};
/// One half-wave along a and d, none along the height b.
ExactMode box_mode(double a, double d, double b) {
  const double k = pi * std::hypot(1 / a, 1 / d);
  return {k, std::pow(k * a * d, 3) * b * vacuum_impedance /
                 (2 * pi * pi * (2 * a * a * a * b + 2 * b * d * d * d + a * a * a * d + a * d * d * d))};
}

/// Relative errors of the first modes.
std::vector<BarredResult> compare(const mesh::Mesh& mesh, const std::string& volume, const std::string& walls,
                                  int order, const std::vector<ExactMode>& exact_modes) {
  const bool has_loss = exact_modes[0].q_times_rs > 0;
  const auto topology = mesh::build_topology(mesh);
  fem::Model model;
  model.order = order;
  model.materials = {{.regions = {volume}}};
  model.boundaries = {{.regions = {walls},
                       .condition = has_loss
                                        ? fem::law_condition(material::make_wall(material::Conductor{copper}))
                                        : fem::pec_condition()}};
  const auto space = fem::make_space(mesh, topology, order, fem::pec_triangles(model, mesh));
  fem::CavityOptions options;
  options.modes = int(exact_modes.size());
  options.target = 0.8 * exact_modes[0].frequency();
  const auto modes = fem::cavity_modes(space, model, options);
  const auto shape = fem::shape_variant(mesh, topology, model);
  const auto bars = fem::mode_errors(space, model, options, modes, shape ? &*shape : nullptr);
  std::vector<BarredResult> results;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double q = has_loss ? exact_modes[i].q() : 0;
    const double exact = exact_modes[i].frequency() * (has_loss ? 1 - 1 / (2 * q) : 1);
    results.push_back(
        {fmt::format("f{}", i + 1), std::abs(modes[i].frequency.real() / exact - 1), bars[i].whole / exact});
    if (!has_loss) continue;
    results.push_back({fmt::format("Q{}", i + 1), std::abs(modes[i].q / q - 1), modes[i].q * bars[i].loss});
  }
  return results;
}

}  // namespace

std::vector<ErrorCase> cavity_cases() {
  std::vector<ErrorCase> cases;
  for (const int order : {1, 2, 3}) {
    for (const int n : order == 1 ? std::vector{4, 6} : std::vector{2, 3}) {
      cases.push_back({fmt::format("box cavity, {} blocks", n), order, n <= 4 && n != 3, [=] {
                         const auto mesh = mesh::make_box(
                             {.hi = {1.0, 0.75, 0.5}, .blocks = {n, n, n}, .shuffle_seed = 17});
                         return compare(mesh, "volume", "walls", order,
                                        {{pi * std::sqrt(25.0 / 9)}, {pi * std::sqrt(5.0)}});
                       }});
      cases.push_back(
          {fmt::format("box cavity of copper, {} blocks", n), order, false, [=] {
             const auto mesh =
                 mesh::make_box({.hi = {1.0, 0.75, 0.5}, .blocks = {n, n, n}, .shuffle_seed = 17});
             return compare(mesh, "volume", "walls", order, {box_mode(1, 0.75, 0.5), box_mode(1, 0.5, 0.75)});
           }});
    }
    for (const int geometry : {1, 2}) {
      for (const int n : {2, 3, 4}) {
        if (n == 4 && order == 3) continue;
        cases.push_back(
            {fmt::format("{} ball cavity, {} cells", geometry == 1 ? "straight" : "curved", 8 * n * n * n),
             order, n == 2, [=] {
               return compare(test::make_ball(n, geometry), "ball", "sphere", order,
                              {{2.743707}, {2.743707}, {2.743707}});
             }});
        cases.push_back(
            {fmt::format("{} ball cavity of copper, {} cells", geometry == 1 ? "straight" : "curved",
                         8 * n * n * n),
             order, false, [=] {
               constexpr double u = 2.743707;
               const ExactMode mode{u, 0.5 * vacuum_impedance * u * (1 - 2 / (u * u))};
               return compare(test::make_ball(n, geometry), "ball", "sphere", order, {mode, mode, mode});
             }});
      }
    }
  }
  return cases;
}

}  // namespace curlew::bench
