// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_errors.hpp"

#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"
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
    q.insert(q.end(), own.e_theta.begin(), own.e_theta.end());
    q.insert(q.end(), own.e_phi.begin(), own.e_phi.end());
    q.push_back(power);
  }
  return q;
}

void add_source_bars(const SurfaceConfig& c, const SurfaceSolution& before, const SurfaceSolution& after,
                     results::ErrorReport& report) {
  const auto q = source_quantities(c, before);
  const auto changes = change_of(q, source_quantities(c, after));
  const std::size_t directions = c.pattern().size(), each = 2 * directions + 1;
  for (std::size_t i = 0; i < q.size() / each; ++i) {
    const auto label = i == 0 && before.dipoles ? "dipole" : source_name(c, before, c.waves.size() + i);
    results::add_pattern_bars(before.frequency, label, false,
                              fields::pattern_error(q, changes, i * each, directions), report);
  }
}

void add_port_bars(const SurfaceSolution& before, const SurfaceSolution& after,
                   results::ErrorReport& report) {
  if (!before.network) return;
  const auto &s = before.network->scattering, &finer = after.network->scattering;
  const Eigen::MatrixXd bars = fields::order_safety * (finer - s).cwiseAbs();
  results::add_scattering_bars(before.frequency, s, bars, bars, report);
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    const Complex z = before.network->input_impedance(i);
    const double change = std::abs(after.network->input_impedance(i) - z);
    results::add_impedance_bar(before.frequency, std::size_t(i) + 1, z, fields::order_safety * change,
                               report);
  }
}

}  // namespace

void SurfaceErrors::estimate(const SurfaceConfig& at, const SurfaceSolution& solution) {
  if (!finer_) finer_ = mesh::refined_flat(given_);
  const ie::System system(read_surface_problem(document_, *finer_, solution.frequency));
  SurfaceSolution again{solution.frequency, system, {}, {}, {}, {}, 0};
  SurfaceConfig c = at;
  choose_solver(system, c);
  if (c.automatic_preconditioner)
    c.solver.preconditioner = ie::choose_preconditioner(system, c.solver.device);
  if (!c.dipoles.empty()) again.dipoles.emplace(system, c.dipoles);
  set_right_hand_sides(c, again);
  solve_finer(ie::SurfaceEquation(system, ie::port_loads(system, c.ports)), c.solver, again.x, again.count);
  drive_ports(c, again);
  auto& report = errors_.report();
  if (!c.waves.empty())
    add_wave_bars(c, c.monostatic, solution.frequency,
                  wave_quantities(c, c.monostatic, ie::FarFields(solution.system), solution.x.data()),
                  wave_quantities(c, c.monostatic, ie::FarFields(system), again.x.data()), report);
  add_source_bars(c, solution, again, report);
  add_port_bars(solution, again, report);
}

}  // namespace curlew::programs
