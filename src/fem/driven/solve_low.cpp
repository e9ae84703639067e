// SPDX-License-Identifier: BSD-3-Clause
// Driven problems at frequencies where rounding errors of the curl term affect the gradients.

#include <algorithm>
#include <optional>
#include <utility>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "base/wavenumber.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/system/boundary_conditions.hpp"

namespace curlew::fem {
namespace {

/// Columns of a port. Waves between conductors and voltages are part of the system; other modes are added to
/// the solution afterwards.
void append_loads(const Port& port, const PortSolution& solution, Index num_dofs,
                  std::vector<SplitLoad>& loads) {
  const auto n = port.dofs.size();
  for (std::size_t m = 0; m < port.modes.size(); ++m) {
    SplitLoad load{std::vector<Complex>(std::size_t(num_dofs))};
    for (std::size_t i = 0; i < n; ++i) load.f[std::size_t(port.dofs[i])] = port.loads[m * n + i];
    const ModeFamily family = port.modes[m].family;
    load.feels_conductors_alone = family == ModeFamily::tem;
    load.is_free_of_divergence = family == ModeFamily::te;
    load.is_held = family == ModeFamily::tem || family == ModeFamily::lumped;
    if (load.is_held) load.admittance = solution.modes[m].admittance;
    loads.push_back(std::move(load));
  }
}

}  // namespace

std::string DrivenProblem::not_split() const {
  if (bloch()) return "[[periodic]] faces";
  if (has_dispersive_ports()) return "a port of several media or with walls of finite impedance";
  if (options().iterative && !options().automatic)
    return "an iterative solver (solver.method = \"direct\" has no such limit)";
  const auto& conditions = model().boundaries;
  if (std::any_of(conditions.begin(), conditions.end(), [](const auto& b) { return b->is_second_order(); }))
    return "absorbing boundaries of order 2";
  return "";
}

bool DrivenProblem::is_split_at(double frequency) const {
  return not_split().empty() && rounding_.share(model(), frequency) > split_from_share;
}

void DrivenProblem::require_resolvable(const std::vector<double>& frequencies, bool has_sources) const {
  std::string why = not_split();
  if (why.empty() && has_sources) why = "an [excitation] together with ports";
  if (why.empty() || frequencies.empty()) return;
  rounding_.require(model(), *std::min_element(frequencies.begin(), frequencies.end()), why);
}

DrivenSolution DrivenProblem::solve_low(double frequency) {
  std::optional<ScopedStage> timed(std::in_place, own_stages(), "assembly");
  if (!split_) {
    log::info(
        "frequency: at {} rounding errors of curls may change gradients by {:.1e} on this mesh: "
        "gradients are separated",
        hertz(frequency), rounding_.share(model(), frequency));
    split_.emplace(split_gradients(space()), options(), cell_dissection());
  }
  const double k0 = wavenumber(frequency);
  const CellMaterials materials = materials_at(model(), *space().mesh, frequency);
  linalg::Csr<Complex> curl = create_matrix(), rest = curl;
  assembler().assemble<Complex>(materials, 1.0, 0.0, curl.values.data());
  assembler().assemble<Complex>(materials, 0.0, -k0 * k0, rest.values.data());
  add_boundary_conditions(model(), space(), frequency, rest);
  const std::vector<ModeState> states = mode_states(frequency);
  const auto& solutions = port_solutions(frequency);
  std::vector<SplitLoad> loads;
  for (std::size_t p = 0; p < ports().size(); ++p)
    append_loads(*ports()[p], solutions[p], space().num_dofs(), loads);
  timed.reset();
  const SplitSolution found = split_->solve(curl, rest, loads, frequency, own_stages());

  Eigen::VectorXcd missing(Eigen::Index(all_modes().size()));  // in the system that was solved
  for (std::size_t i = 0; i < all_modes().size(); ++i) {
    missing[Eigen::Index(i)] = loads[i].is_held ? 0.0 : states[i].admittance;
  }
  DrivenSolution solution;
  solution.frequency = frequency;
  for (const Eigen::Index i : reported()) solution.modes.push_back(states[std::size_t(i)]);
  solution.solver = found.report;
  solution.scattering =
      scattering(found.g, Eigen::MatrixXcd(missing.asDiagonal()), states, reported(), 2 * pi * frequency);
  const Eigen::MatrixXcd x = found.x * solution.scattering.weights;
  solution.x.assign(x.data(), x.data() + x.size());
  return solution;
}

}  // namespace curlew::fem
