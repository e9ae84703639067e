// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_errors.hpp"

#include <algorithm>

#include "base/error.hpp"
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
  if (finer_) return;
  finer_.emplace(mesh::refined_flat(given_));
  if (auto moved = mesh::moved_flat(given_)) moved_.emplace(std::move(*moved));
}

void SurfaceErrors::sample(Other& other) {
  const auto& frequencies = config_.frequencies;
  other.between = std::make_unique<linalg::SampledSolutions>(
      frequencies,
      [&](std::size_t i) {
        check_interrupt();
        auto solved = solve_surface_by_volts(other.mesh, config_at_(frequencies[i]), frequencies[i]);
        other.ports = solved.solution.ports;
        return sampled_columns(std::move(solved.solution));
      },
      [&](const Eigen::MatrixXcd& currents) {
        return other.ports.empty()
                   ? Eigen::MatrixXcd()
                   : ie::network_of(other.ports, currents, config_.reference_impedance).scattering;
      });
  other.between->sample(config_.adaptive->tolerance, std::size_t(config_.adaptive->max_solutions));
}

SolvedSurface SurfaceErrors::solution_on(Other& other, const SurfaceConfig& at, double frequency) {
  if (!config_.adaptive || !errors_.report().all_frequencies())
    return solve_surface(other.mesh, at, frequency);
  if (!other.between) sample(other);
  const auto number =
      std::size_t(std::ranges::find(config_.frequencies, frequency) - config_.frequencies.begin());
  if (!other.between->knows(number)) return solve_surface(other.mesh, at, frequency);
  auto found = begin_surface(other.mesh, at, frequency);
  set_ports(at, found.solution);
  found.solution.x = other.between->at(number);
  found.solution.count = num_right_hand_sides(at);
  drive_ports(at, found.solution);
  return found;
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
    const auto finer = cost_on(finer_->mesh);
    return moved_ ? finer + cost_on(moved_->mesh) : finer;
  });
}

void SurfaceErrors::estimate(const SurfaceConfig& c, const SurfaceSolution& solution) {
  make_meshes();
  const double f = solution.frequency;
  const auto outcome_on = [&](Other& other) { return outcome_of(c, solution_on(other, c, f).solution); };
  const Outcome before = outcome_of(c, solution), finer = outcome_on(*finer_),
                moved = moved_ ? outcome_on(*moved_) : Outcome();
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
