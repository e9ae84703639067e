// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/adaptive/surplus.hpp"
#include "programs/fe_iiee/solver.hpp"
#include "programs/fem/layered_passes.hpp"
#include "programs/fem/pass_shares.hpp"
#include "programs/fem/port_passes.hpp"

namespace curlew::fe_iiee {
namespace {

using programs::Pass;
using programs::Target;

/// Adds the shares of cells. @param weights of each column by itself @returns
/// bars of x_jᵀ A x_j
Eigen::VectorXd add_shares(const TruncatedProblem& problem, const Solved& solved, double frequency,
                           const Eigen::VectorXd& weights, Pass& pass) {
  const auto& system = problem.system();
  const Eigen::Map<const Eigen::MatrixXcd> x(solved.result.x.data(), system.space().num_dofs(),
                                             weights.size());
  const auto found = fem::surplus_errors(system.space(), system.model(), frequency, x, weights.asDiagonal(),
                                         {problem.surfaces().outer, {}});
  programs::add_shares(found, system.space(), system.model(), pass);
  Eigen::VectorXd bars(weights.size());
  for (Eigen::Index j = 0; j < bars.size(); ++j) bars[j] = found.bar(j, j);
  return bars;
}

/// The greatest cross-section of each wave in the directions asked for, relative.
///
/// Towards the wave the dual problem is the wave's own solution: by reciprocity the amplitude F [m] of the
/// scattered field in the wave's polarisation changes by mu_r r^T C^-1 r / 4 pi, and sigma = 4 pi |F|^2 by 2
/// |dF / F|. Elsewhere the dual is a wave that nobody solves for: the shares are those of the error in
/// energy. Source: Monk and Suli (1998), SIAM J. Numer. Anal. 36(1) (dual problem of the far field).
void add_cross_sections(const Setup& setup, const TruncatedProblem& problem, const Solved& solved,
                        double frequency, Device device, Pass& pass) {
  const auto outside = problem.exterior(frequency);
  const double mu_r = outside.k * outside.impedance / (2 * pi * frequency * vacuum_permeability);
  const auto count = Eigen::Index(setup.waves.size());
  Eigen::VectorXd sections(count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const auto directions = directions_of(setup, setup.waves[std::size_t(c)]);
    const auto far = far_field_of(problem, solved.result, std::size_t(c), directions, outside, device);
    double greatest = 0;
    for (std::size_t d = 0; d < directions.size(); ++d)
      greatest = std::max(greatest, fields::radar_cross_section(far.e_theta[d], 1) +
                                        fields::radar_cross_section(far.e_phi[d], 1));
    sections[c] = greatest;
  }
  // Rounding of fields of 1 V/m leaves an amplitude of some 1e-12 wavelengths.
  const double least = std::pow(1e-12 * 2 * pi / outside.k, 2);
  const Eigen::VectorXd weights = 2 * mu_r / (4 * pi) * (sections.cwiseMax(least) / (4 * pi)).array().rsqrt();
  const auto bars = add_shares(problem, solved, frequency, weights, pass);
  for (Eigen::Index c = 0; c < count; ++c) {
    pass.quantities.push_back(
        {fmt::format("rcs{} {:.6g} GHz", c + 1, 1e-9 * frequency), sections[c], std::nullopt, least});
    if (setup.far_field.monostatic) pass.quantities.back().estimate = weights[c] * bars[c];
  }
}

/// The greatest gain of each excited port in the directions asked for, relative. Shares: as those of S_ii.
void add_gains(const Setup& setup, const TruncatedProblem& problem, const Solved& solved, double frequency,
               Device device, Pass& pass) {
  const auto outside = problem.exterior(frequency);
  const auto radiated = fields::radiated_power(problem.inner_points(), solved.result.inner);
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(Eigen::Index(solved.drive.excitations.size()));
  for (const std::size_t c : solved.drive.shown) {
    const auto far = far_field_of(problem, solved.result, c, setup.far_field.directions, outside, device);
    const auto budget = feed_power(problem, solved.result, solved.drive, c, radiated[c]).budget;
    double greatest = 0;
    for (std::size_t d = 0; d < setup.far_field.directions.size(); ++d)
      greatest = std::max(
          greatest, fields::directivity(far.e_theta[d], far.e_phi[d], budget.accepted, outside.impedance));
    pass.quantities.push_back(
        {fmt::format("gain{} {:.6g} GHz", c + 1, 1e-9 * frequency), greatest, std::nullopt});
    weights[Eigen::Index(c)] = 1;
  }
  add_shares(problem, solved, frequency, weights, pass);
}

}  // namespace

void require_refinable(const programs::Refinement& refinement, const Setup& setup, const io::Config& config) {
  const io::Config table = config.table("refinement");
  if (!setup.sources.empty())
    config.error("refinement",
                 "meshes around dipoles and currents are not refined: drive ports or take waves");
  if (setup.splits())
    config.error("refinement", "waves on a part of a symmetric body are not refined: give the whole body");
  const bool has_waves = !setup.waves.empty();
  table.require((refinement.target == Target::rcs) == has_waves, "target",
                has_waves ? "of waves the target is \"rcs\""
                          : "target = \"rcs\" is for plane waves: of ports take \"S\", \"impedance\" or "
                            "\"gain\"");
}

mesh::Mesh refine_truncated(const programs::Refinement& refinement, const io::Config& config,
                            mesh::Mesh first, const std::function<Setup(const mesh::Mesh&)>& read,
                            run::Run& run) {
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<Complex>& last) {
    const Setup setup = read(mesh);
    TruncatedProblem problem(setup.mesh, setup.topology, setup.model, setup.options);
    programs::require_dual(problem.system(), refinement.target);
    problem.system().analyse();
    Solver solver(setup, problem, run);
    Pass pass{.unknowns = problem.system().num_unknowns()};
    const double power = std::ldexp(1.0, -int(problem.surfaces().planes.size()));
    for (const double f : refinement.frequencies) {
      if (problem.system().has_dispersive_ports())  // modes are followed upwards
        for (const double below : setup.sweep.frequencies)
          if (below < f) problem.system().mode_states(below);
      Solved solved = solver.at(f);
      if (refinement.target == Target::rcs) {
        add_cross_sections(setup, problem, solved, f, run.device(), pass);
      } else if (refinement.target == Target::gain) {
        add_gains(setup, problem, solved, f, run.device(), pass);
      } else {
        solved.ports.x = solved.result.x;
        programs::add_ports(problem.system(), solved.ports, power, setup.reference_impedance,
                            refinement.target, last, pass, problem.surfaces().outer);
      }
    }
    return pass;
  };
  return programs::refine_with_layers(refinement, config, std::move(first), solve, run);
}

}  // namespace curlew::fe_iiee
