// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_errors.hpp"

#include "ie/surface/surface_equation.hpp"
#include "mesh/refine.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"

namespace curlew::programs {
namespace {

/// Of the dipoles together and of each driven port: E_theta and E_phi of all directions, radiated power.
fields::Quantities source_quantities(const SurfaceConfig& c, const SurfaceSolution& s) {
  const auto directions = c.pattern();
  const auto first = c.waves.size(), count = std::size_t(s.count) - first;
  if (count == 0) return {};
  const ie::FarFields far(s.system);
  const auto powers = far.powers(s.of(first), Index(count));
  fields::Quantities q;
  for (std::size_t i = 0; i < count; ++i) {
    auto own = far.pattern(s.of(first + i), 1, directions);
    double power = powers[i];
    if (i == 0 && s.dipoles) {
      s.dipoles->add_far_field(directions, own);
      power = s.dipoles->powers(s.of(first), powers[i]).radiated;
    }
    append_pattern(own, power, q);
  }
  return q;
}

/// What is compared between meshes.
struct Outcome {
  fields::Quantities waves, sources;
  std::optional<ie::PortNetwork> network;
};

Outcome outcome_of(const SurfaceConfig& c, const SurfaceSolution& s) {
  Outcome out{{}, source_quantities(c, s), s.network};
  if (!c.waves.empty()) out.waves = wave_quantities(c, c.monostatic, ie::FarFields(s.system), s.x.data());
  return out;
}

Outcome solve_on(const mesh::Mesh& mesh, const SurfaceConfig& c, double frequency) {
  return outcome_of(c, solve_surface(mesh, c, frequency).solution);
}

void add_source_bars(const SurfaceConfig& c, const SurfaceSolution& s, const fields::Quantities& q,
                     const fields::Changes& changes, results::ErrorReport& report) {
  const std::size_t directions = c.pattern().size(), each = 2 * directions + 1;
  for (std::size_t i = 0; i < q.size() / each; ++i) {
    const auto label = i == 0 && s.dipoles ? "dipole" : source_name(c, s, c.waves.size() + i);
    results::add_pattern_bars(s.frequency, label, false,
                              fields::pattern_error(q, changes, i * each, directions), report);
  }
}

/// @param moved null: no surface is curved
void add_port_bars(double frequency, const ie::PortNetwork& before, const ie::PortNetwork& finer,
                   const ie::PortNetwork* moved, results::ErrorReport& report) {
  const auto& s = before.scattering;
  const Eigen::MatrixXd elements = fields::order_safety * (finer.scattering - s).cwiseAbs();
  Eigen::MatrixXd bars = elements;
  if (moved) bars += fields::shape_safety * (moved->scattering - s).cwiseAbs();
  results::add_scattering_bars(frequency, s, bars, elements, report);
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    const Complex z = before.input_impedance(i);
    double bar = fields::order_safety * std::abs(finer.input_impedance(i) - z);
    if (moved) bar += fields::shape_safety * std::abs(moved->input_impedance(i) - z);
    results::add_impedance_bar(frequency, std::size_t(i) + 1, z, bar, report);
  }
}

}  // namespace

void SurfaceErrors::make_meshes() {
  if (!finer_) finer_ = mesh::refined_flat(given_), moved_ = mesh::moved_flat(given_);
}

SolveCost SurfaceErrors::cost_on(const mesh::Mesh& mesh) const {
  SurfaceConfig c = config_;
  const ie::System system(SurfaceProblems(c.surfaces, mesh).at(c.frequencies.front()));
  choose_solver(system, c);
  return cost_of(ie::SurfaceEquation(system), c.solver, num_right_hand_sides(c), run_);
}

void SurfaceErrors::decide(const ie::System& system) {
  errors_.decide(4L * system.num_unknowns(), 4, [&] {
    make_meshes();
    const auto finer = cost_on(*finer_);
    return moved_ ? finer + cost_on(*moved_) : finer;
  });
}

void SurfaceErrors::estimate(const SurfaceConfig& c, const SurfaceSolution& solution) {
  make_meshes();
  const double f = solution.frequency;
  const Outcome before = outcome_of(c, solution), finer = solve_on(*finer_, c, f),
                moved = moved_ ? solve_on(*moved_, c, f) : Outcome();
  auto& report = errors_.report();
  if (!c.waves.empty())
    add_wave_bars(c, c.monostatic, f, before.waves, changes_of(before.waves, finer.waves, moved.waves),
                  report);
  add_source_bars(c, solution, before.sources, changes_of(before.sources, finer.sources, moved.sources),
                  report);
  if (before.network)
    add_port_bars(f, *before.network, *finer.network, moved.network ? &*moved.network : nullptr, report);
}

}  // namespace curlew::programs
