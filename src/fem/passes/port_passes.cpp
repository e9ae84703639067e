// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/port_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/model/read_port.hpp"
#include "fem/passes/passes.hpp"
#include "fem/passes/port_gains.hpp"
#include "fem/periodic/reversed.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/setup/maxwell_setup.hpp"
#include "io/frequency.hpp"
#include "results/s_parameters.hpp"

namespace curlew::fem {

void require_dual(const MaxwellSystem& system, mesh::Target target) {
  if (target != mesh::Target::impedance) return;
  for (const auto& port : system.ports())
    if (!port->has_terminals())
      throw InputError(
          fmt::format("port \"{}\": [refinement] target = \"impedance\" is for lumped ports: take "
                      "target = \"S\"",
                      port->region));
}

namespace {

/// Weights in the target of changes of S normalised to own impedances: the sum of all |dS|, or of impedances
/// Z ~ (1 + S) / (1 - S) |dZ / Z|.
Eigen::MatrixXd weights_of(const Eigen::MatrixXcd& s, const StatedScattering& stated, mesh::Target target) {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(s.rows(), s.cols());
  if (target == mesh::Target::impedance) {
    for (Eigen::Index i = 0; i < s.rows(); ++i) weights(i, i) = 2 / std::abs(1.0 - s(i, i) * s(i, i));
    return weights;
  }
  for (Eigen::Index j = 0; j < s.cols(); ++j)
    for (Eigen::Index i = 0; i < s.rows(); ++i) {
      Eigen::MatrixXcd unit = Eigen::MatrixXcd::Zero(s.rows(), s.cols());
      unit(i, j) = 1;
      weights(i, j) = stated.change(s, unit).cwiseAbs().sum();
    }
  return weights;
}

/// Index of the mode of the cell with reversed phases that is the dual of a mode.
Eigen::Index dual_place(const MaxwellSystem& system, const MaxwellSystem& reversed, std::size_t i) {
  const auto name = [](const MaxwellSystem& s, std::size_t m) {
    const auto place = s.modes()[m];
    return s.ports()[std::size_t(place.port)]->modes[std::size_t(place.mode)].name;
  };
  const std::string wanted = reversed_wave(name(system, i));
  for (std::size_t m = 0; m < reversed.modes().size(); ++m)
    if (reversed.modes()[m].port == system.modes()[i].port && name(reversed, m) == wanted)
      return Eigen::Index(m);
  throw InputError(
      fmt::format("port \"{}\": [refinement] needs the mode opposite to {} too, which is not among the "
                  "modes: change modes",
                  system.ports()[std::size_t(system.modes()[i].port)]->region, name(system, i)));
}

/// -1 if a mode of the cell with reversed phases has the opposite field of its partner, and amplitudes have
/// the opposite sign: polarisations follow the transverse wave vector, which is reversed.
double dual_sign(const MaxwellSystem& system, const MaxwellSystem& reversed, double frequency,
                 std::size_t mode, std::size_t dual) {
  const auto column = [&](const MaxwellSystem& s, std::size_t m) {
    const auto place = s.modes()[m];
    const Port& port = *s.ports()[std::size_t(place.port)];
    const auto count = Eigen::Index(port.dofs.size()), first = Eigen::Index(place.mode) * count;
    const auto& dispersive = s.port_solutions(frequency)[std::size_t(place.port)].loads;
    if (port.is_dispersive())
      return Eigen::VectorXcd(Eigen::Map<const Eigen::VectorXcd>(dispersive.data() + first, count));
    return Eigen::VectorXcd(
        Eigen::Map<const Eigen::VectorXd>(port.loads.data() + first, count).cast<Complex>());
  };
  return column(system, mode).cwiseProduct(column(reversed, dual)).sum().real() < 0 ? -1 : 1;
}

/// Solutions of the dual problems, in the order of the modes; empty if equal to those of the modes. In media
/// that are not reciprocal they are those of the transposed tensors, for ferrites the opposite bias.
/// @param followed frequencies at which modes are followed upwards, as those of the system
Eigen::MatrixXcd duals_of(const MaxwellSystem& system, const MaxwellSetup& setup,
                          const DrivenOptions& options, const std::set<double>& followed, double frequency) {
  const bool is_periodic = !setup.model.periodicity.empty();
  if (is_periodic ? system.has_symmetric_scattering() : has_reciprocal_media(setup.model)) return {};
  Model model = setup.model;
  model.periodicity = reversed(model.periodicity);
  for (RegionMaterial& medium : model.materials)
    for (Coefficient* c : {&medium.epsilon_r, &medium.mu_r}) c->tensor = transpose(c->tensor);
  DrivenProblem problem(setup.mesh, setup.topology, std::move(model), options);
  problem.analyse();
  if (problem.has_dispersive_ports())
    for (const double f : followed) problem.mode_states(f);
  const auto solution = problem.solve(frequency);
  const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), problem.space().num_dofs(),
                                             Eigen::Index(problem.modes().size()));
  if (!is_periodic) return x;  // modes of ports, in ordinary media, are the same
  Eigen::MatrixXcd duals(x.rows(), Eigen::Index(system.modes().size()));
  for (std::size_t i = 0; i < system.modes().size(); ++i) {
    const auto dual = dual_place(system, problem, i);
    duals.col(Eigen::Index(i)) = dual_sign(system, problem, frequency, i, std::size_t(dual)) * x.col(dual);
  }
  return duals;
}

/// Each mode gets the sign of that in the previous pass.
Eigen::MatrixXcd aligned_scattering(const Eigen::MatrixXcd& s, const std::vector<Complex>& last,
                                    std::size_t first) {
  Quantities aligned(s.data(), s.data() + s.size());
  if (!last.empty()) {
    const auto begin = last.begin() + std::ptrdiff_t(first);
    align_modes(s.rows(), aligned, {begin, begin + s.size()});
  }
  return Eigen::Map<const Eigen::MatrixXcd>(aligned.data(), s.rows(), s.cols());
}

/// Adds S at one frequency in the normalisation of results, or impedances at lumped ports, without an
/// estimate. @param reference [ohm] of S at ports that set none
/// @param last values of the previous pass, may be empty
void add_values(const MaxwellSystem& system, const DrivenSolution& solution, std::optional<Complex> reference,
                mesh::Target target, const std::vector<Complex>& last, mesh::Pass& pass) {
  const StatedScattering stated(system, solution, reference);
  const NetworkPoint point = stated.point(solution.scattering.s);
  const auto n = point.s.rows();
  const auto add = [&](const std::string& name, Complex value) {
    pass.quantities.push_back(
        {fmt::format("{} {:.6g} GHz", name, 1e-9 * solution.frequency), value, std::nullopt, 0});
  };
  if (target == mesh::Target::impedance) {
    const PortNetwork network(system.ports(), system.modes(), std::nullopt);
    for (Eigen::Index i = 0; i < n; ++i)
      add(fmt::format("Z{}", i + 1), network.input_impedance(point, std::size_t(i)));
    return;
  }
  const Eigen::MatrixXcd s = aligned_scattering(point.s, last, pass.quantities.size());
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      add(results::s_name(std::size_t(i), std::size_t(j), std::size_t(n)), s(i, j));
}

/// Adds error estimates to the quantities of add_values, and contributions of cells.
/// @param shape of the mesh; may be null @param solution S and x at a frequency @param quantities the first
/// of them
void add_estimates(const PortPass& of, const ShapeVariant* shape, const DrivenSolution& solution,
                   mesh::Pass::Quantity* quantities, mesh::Pass& pass) {
  const auto& system = of.system;
  const mesh::Target target = of.refinement.target;
  const double frequency = solution.frequency;
  const Eigen::MatrixXcd s = solution.scattering.s;
  const StatedScattering stated(system, solution, of.reference);
  const auto n = s.rows();
  const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), system.space().num_dofs(), n);
  const Complex scale = form_of_scattering(frequency, of.power);
  const Eigen::MatrixXd weights = weights_of(s, stated, target) / std::abs(scale);
  const Eigen::MatrixXcd duals = of.duals(frequency);
  // S_ij = S_ji needs one of the two.
  const Eigen::MatrixXd counted =
      duals.size() > 0 ? weights : Eigen::MatrixXd(weights.triangularView<Eigen::Lower>());
  const auto found =
      surplus_errors(system.space(), system.model(), frequency, x, counted, {of.truncation, duals});
  add_shares(found, system.space(), system.model(), pass);
  Eigen::MatrixXcd moved = Eigen::MatrixXcd::Zero(n, n);
  if (shape != nullptr && duals.size() == 0)
    moved = shape_safety * add_shape(SolvedForm(system.assembler(), x), {system.model(), frequency},
                                     *system.space().mesh, *shape, counted, pass);
  if (duals.size() == 0) moved.triangularView<Eigen::StrictlyUpper>() = Eigen::MatrixXcd(moved.transpose());
  if (target == mesh::Target::impedance) {
    for (Eigen::Index i = 0; i < n; ++i) {
      auto& z = quantities[i];
      z.of_shape = weights(i, i) * std::abs(moved(i, i));
      z.estimate = weights(i, i) * found.bar(i, i) + z.of_shape;
      z.extrapolated = z.value + z.value * 2.0 * found.change()(i, i) / scale / (1.0 - s(i, i) * s(i, i));
    }
    return;
  }
  const auto part = [&](const Eigen::MatrixXcd& change) { return stated.change(s, change / scale); };
  const Eigen::MatrixXcd gradients = part(found.gradients), others = part(found.others),
                         by_shape = part(moved), as_is = stated.of(s);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i) {
      auto& q = quantities[j * n + i];
      const double sign = std::abs(q.value + as_is(i, j)) < std::abs(q.value - as_is(i, j)) ? -1 : 1;
      q.of_shape = std::abs(by_shape(i, j));
      q.estimate = surplus_bar(gradients(i, j), others(i, j), found.missing()) + q.of_shape;
      q.extrapolated = q.value + sign * (gradients(i, j) + others(i, j));
    }
}

/// S at all frequencies, in sequence, or from swept_from frequencies on by an adaptive sweep. @param
/// full receives full solutions by frequency [Hz] @returns solutions without x
std::vector<DrivenSolution> solve_band(const PortPass& of, const BandPasses& band,
                                       std::map<double, DrivenSolution>& full) {
  const auto& frequencies = band.frequencies();
  const auto take = [&](const DrivenSolution& solution) {
    full[solution.frequency] = solution;
    check_interrupt();
  };
  if (frequencies.size() >= swept_from)
    return of
        .sweep(frequencies, {.tolerance = band.model_tolerance(),
                             .max_solutions = int(frequencies.size()),
                             .on_solution = take})
        .solutions;
  std::vector<DrivenSolution> solutions;
  for (const double f : frequencies) {
    take(of.solve(f));
    solutions.push_back(full[f]);
    solutions.back().x = {};
  }
  return solutions;
}

/// @param chosen frequencies with estimates
std::vector<ScatteringError> bars_of(const mesh::Pass& pass, const std::vector<double>& band,
                                     const std::vector<std::size_t>& chosen) {
  const std::size_t each = pass.quantities.size() / band.size();
  const auto n = Eigen::Index(std::lround(std::sqrt(double(each))));
  std::vector<ScatteringError> errors;
  for (const std::size_t i : chosen) {
    Eigen::MatrixXd bars(n, n), elements(n, n);
    for (Eigen::Index k = 0; k < bars.size(); ++k) {
      const auto& q = pass.quantities[i * each + std::size_t(k)];
      bars(k) = q.estimate.value_or(0), elements(k) = bars(k) - q.of_shape;
    }
    errors.push_back({band[i], bars, elements, {}});
  }
  return errors;
}

}  // namespace

SolvedBand add_band(const PortPass& of, const std::vector<job::Row>& before, BandPasses& band,
                    mesh::Pass& pass) {
  band.begin(before);
  const auto last = job::last_values(before);
  const auto& frequencies = band.frequencies();
  SolvedBand solved;
  const auto solutions = solve_band(of, band, solved.full);
  for (const auto& solution : solutions)
    add_values(of.system, solution, of.reference, of.refinement.target, last, pass);
  const std::size_t each = pass.quantities.size() / frequencies.size();
  const auto& space = of.system.space();
  const auto shape = shape_variant(*space.mesh, *space.topology, of.system.model());
  for (const std::size_t i : band.choose(solutions)) {
    if (!band.needs_more(pass, solved.chosen.size())) break;
    solved.chosen.push_back(i);
    auto& solution = solved.full[frequencies[i]];
    if (solution.x.empty()) solution = of.solve(frequencies[i]);
    add_estimates(of, shape ? &*shape : nullptr, solution, &pass.quantities[i * each], pass);
  }
  std::ranges::sort(solved.chosen);
  return solved;
}

/// At a port in media that are not reciprocal the dual problem would need other port modes.
std::string obstacle_to_port_passes(const MaxwellSetup& setup) {
  if (has_reciprocal_media(setup.model)) return {};
  const auto material = material_of_cells(setup.model, setup.mesh);
  for (const PortModel& port : setup.model.ports)
    for (const Index t : surface_triangles(setup.mesh, port.region))
      for (const Index c :
           setup.topology.face_cells[std::size_t(setup.topology.triangle_face[std::size_t(t)])]) {
        if (c < 0) continue;
        const auto& medium = setup.model.materials[std::size_t(material[std::size_t(c)])];
        if (!medium.epsilon_r.is_symmetric() || !medium.mu_r.is_symmetric())
          return fmt::format("port \"{}\" is at a medium that is not reciprocal", port.region);
      }
  return {};
}

RefinedPorts refine_for_ports(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const DrivenOptions& options, std::optional<double> gains_at, run::Run& run) {
  RefinedPorts refined;
  const auto reference = read_reference_impedance(config.table("output"));
  BandPasses passes(refinement, config);
  const auto& band = passes.frequencies();
  std::set<double> followed(band.begin(), band.end());
  for (const double f : io::frequencies(config, io::Lowest::zero))
    if (f > 0 && f < std::max(band.back(), gains_at.value_or(0))) followed.insert(f);
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<job::Row>& before) {
    const MaxwellSetup setup = read_maxwell_setup(mesh, config);
    DrivenProblem problem(setup.mesh, setup.topology, setup.model, options);
    require_dual(problem, refinement.target);
    problem.analyse();
    const auto& solver = problem.solver_info();
    mesh::Pass pass{.unknowns = problem.num_unknowns(),
                    .bytes = is_on_device(solver) ? 0 : solver.estimated_bytes};
    if (!has_reciprocal_media(setup.model)) pass.bytes *= 2;  // factors of the dual problem
    if (problem.has_dispersive_ports())                       // modes are followed upwards
      for (const double f : followed) problem.mode_states(f);
    const auto solve_at = [&](double f) {
      auto solution = problem.solve(f);
      state_solve(solution.solver, run);
      return solution;
    };
    const auto sweep = [&](const auto& of, FastSweepOptions how) {
      how.solve = solve_at;
      return sweep_band(problem, of, how);
    };
    auto [full, chosen] = add_band({problem,
                                    refinement,
                                    reference,
                                    solve_at,
                                    sweep,
                                    1,
                                    {},
                                    [&](double f) { return duals_of(problem, setup, options, followed, f); }},
                                   before, passes, pass);
    if (refinement.target == mesh::Target::scattering && !passes.is_stated())
      refined.errors = bars_of(pass, band, chosen);
    if (gains_at)
      passes.add_late(pass, [&, &full = full] {
        auto& solution = full[*gains_at];
        if (solution.x.empty()) solution = solve_at(*gains_at);
        add_gains(problem, setup, solution, run.device(), pass);
      });
    if (!setup.model.periodicity.empty()) pass.orders.clear();  // tied cells have one order
    refined.solutions = std::move(full);
    return pass;
  };
  const auto read = [&](const mesh::Mesh& mesh) { return read_maxwell_setup(mesh, config); };
  refined.mesh = refine_with_layers(refinement, config, std::move(first), solve, run, rounding_by(read));
  return refined;
}

}  // namespace curlew::fem
