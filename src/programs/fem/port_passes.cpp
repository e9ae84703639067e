// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/port_passes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/error/scattering_error.hpp"
#include "io/ranges.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/solver_report.hpp"

namespace curlew::programs {

void require_dual(const fem::MaxwellSystem& system, Target target) {
  if (!system.is_reciprocal())
    throw InputError("[refinement] needs reciprocal materials (symmetric epsilon_r and mu_r)");
  if (target != Target::impedance) return;
  for (const auto& port : system.ports())
    if (!port->has_terminals())
      throw InputError(
          fmt::format("port \"{}\": [refinement] target = \"impedance\" is for lumped ports: take "
                      "target = \"S\"",
                      port->region));
}

namespace {

/// What the entries of S weigh in the target: |dS_ij| or, of impedances Z ~ (1 + S) / (1 - S), |dZ / Z|.
Eigen::MatrixXd weights_of(const Eigen::MatrixXcd& s, Target target) {
  if (target == Target::scattering) return Eigen::MatrixXd::Ones(s.rows(), s.cols());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(s.rows(), s.cols());
  for (Eigen::Index i = 0; i < s.rows(); ++i) weights(i, i) = 2 / std::abs(1.0 - s(i, i) * s(i, i));
  return weights;
}

}  // namespace

void add_ports(const fem::MaxwellSystem& system, const fem::DrivenSolution& solution, double power,
               Target target, const std::vector<Complex>& last, Pass& pass,
               const std::vector<Index>& truncation) {
  const double frequency = solution.frequency;
  Eigen::MatrixXcd s = solution.scattering.s;
  const auto n = s.rows();
  const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), system.space().num_dofs(), n);
  const Eigen::MatrixXd weights = weights_of(s, target) / (8 * pi * frequency * vacuum_permeability * power);
  const auto found = fem::surplus_errors(system.space(), system.model(), frequency, x,
                                         weights.triangularView<Eigen::Lower>(), truncation);
  pass.errors.resize(found.cells.size());
  for (std::size_t c = 0; c < found.cells.size(); ++c) pass.errors[c] += found.cells[c];
  const auto add = [&](const std::string& name, Eigen::Index i, Eigen::Index j, Complex value) {
    pass.quantities.push_back({fmt::format("{} {:.6g} GHz", name, 1e-9 * frequency), value, std::nullopt});
    if (pass.order < 3)
      pass.quantities.back().estimate = fem::surplus_safety * weights(i, j) * std::abs(found.change(i, j));
  };
  if (target == Target::impedance) {
    const fem::PortNetwork network(system.ports(), system.modes(), std::nullopt);
    fem::NetworkPoint point;
    point.modes = solution.modes, point.modal = s;
    for (Eigen::Index i = 0; i < n; ++i)
      add(fmt::format("Z{}", i + 1), i, i, network.input_impedance(point, std::size_t(i)));
    return;
  }
  fem::Quantities aligned(s.data(), s.data() + s.size());
  if (!last.empty()) {
    const auto begin = last.begin() + std::ptrdiff_t(pass.quantities.size());
    fem::align_modes(n, aligned, {begin, begin + s.size()});
  }
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      add(fmt::format("S{}{}{}", i + 1, n > 9 ? "," : "", j + 1), i, j, aligned[std::size_t(j * n + i)]);
}

mesh::Mesh refine_for_ports(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                            const fem::DrivenOptions& options, run::Run& run) {
  const auto followed = io::frequency_list(config.table("frequency"), io::Lowest::zero);
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<Complex>& last) {
    const MaxwellSetup setup = read_maxwell_setup(mesh, config, run);
    fem::DrivenProblem problem(setup.mesh, setup.topology, setup.model, options);
    require_dual(problem, refinement.target);
    problem.analyse();
    Pass pass{.unknowns = problem.num_unknowns(), .order = setup.model.order, .quantities = {}, .errors = {}};
    for (const double f : refinement.frequencies) {
      if (problem.has_dispersive_ports())  // modes are followed upwards
        for (const double below : followed)
          if (below > 0 && below < f) problem.mode_states(below);
      const auto solution = problem.solve(f);
      state_solve(solution.solver, run);
      add_ports(problem, solution, 1, refinement.target, last, pass);
    }
    return pass;
  };
  return refine(refinement, config, std::move(first), solve, run);
}

}  // namespace curlew::programs
