// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee: radiation and scattering by finite elements, truncated close to the body by the iteration with its
// own radiated field.

#include "programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/model/read_port.hpp"
#include "fem/model/region_rules.hpp"
#include "fem/model/split_surfaces.hpp"
#include "fem/output/solution_file.hpp"
#include "io/csv.hpp"
#include "io/ranges.hpp"
#include "programs/fe_iiee/errors.hpp"
#include "programs/fe_iiee/near_field.hpp"
#include "programs/fe_iiee/output.hpp"
#include "programs/fem/port_output.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/solver_report.hpp"
#include "run/frequency_sweep.hpp"
#include "run/mesh_input.hpp"
#include "run/run_app.hpp"
#include "truncation/checkpoint.hpp"
#include "truncation/symmetric_parts.hpp"

namespace {

using namespace curlew;
using namespace curlew::fe_iiee;

/// Dipoles and currents; waves are read apart.
std::vector<fem::Excitation> read_sources(const io::Config& config, const mesh::Mesh& mesh) {
  auto sources = fem::read_excitations(config, mesh);
  for (const auto& source : sources) {
    if (source.wave)
      config.error("excitation", "plane waves and dipoles or currents do not share a run: give one kind");
    if (source.formulation == fem::Formulation::scattered)
      config.error("excitation", "fe-iiee solves for the total field: leave formulation out");
  }
  return sources;
}

Setup read_setup(const io::Config& config, run::Run& run) {
  Setup s;
  s.frequencies = io::frequency_list(config.table("frequency"));
  s.options = truncation::read_truncation(config);
  s.options.solver = fem::read_driven_options(config, run.device());
  s.options.device = run.device();
  s.waves = truncation::read_waves(config);
  // Every step of the truncation is a solve; some ten of them do.
  s.options.solver.frequencies = int(s.frequencies.size());
  s.options.solver.right_hand_sides = 10 * std::max(1, int(s.waves.size()));
  s.accuracy = results::read_accuracy(config);
  s.far_field = truncation::read_far_field_request(config);
  s.write_fields = config.table("output").get_or<bool>("fields", true);
  s.field_subdivision = fem::read_field_subdivision(config);
  s.mesh = run::load_mesh(config, run, mesh::MeshUse::volumes,
                          truncation::surround_arguments(config, s.frequencies));
  fem::split_surfaces(config, s.mesh);
  s.topology = mesh::build_topology(s.mesh);
  std::vector<std::string> elsewhere{s.options.names.outer};
  const auto& planes = s.options.names.symmetry;
  if (s.waves.empty()) s.sources = read_sources(config, s.mesh);
  if (s.splits()) elsewhere.insert(elsewhere.end(), planes.begin(), planes.end());
  s.model = fem::read_model(config, s.mesh, s.topology, elsewhere);
  s.near_fields = io::read_near_fields(config, fem::length_unit(config));
  s.reference_impedance = fem::read_reference_impedance(config.table("output"));
  config.check_unknown_keys();
  if (s.is_driven_by_ports() && s.model.ports.empty())
    throw InputError(
        fmt::format("{}: nothing drives the problem: add [excitation] or a [[port]]", config.file()));
  for (const auto& port : s.model.ports)
    if (port.drive && !s.is_driven_by_ports())
      config.error("excitation", fmt::format("beside it the ports are matched: leave amplitude and phase of "
                                             "port \"{}\" out",
                                             port.region));
  return s;
}

/// Keeps the state of the iteration, so that an interrupted run can go on.
class Checkpoints {
 public:
  explicit Checkpoints(run::Run& run)
      : run_(run), path_((std::filesystem::path(run.output_path()) / "checkpoint.h5").string()) {
    if (run.resume()) found_ = truncation::read_checkpoint(path_, run.inputs_hash());
    if (found_) log::info("goes on from {}", path_);
  }
  std::vector<Complex> start(double frequency) const {
    return found_ && found_->frequency == frequency ? found_->interface : std::vector<Complex>();
  }
  void write(double frequency, std::vector<Complex> interface) const {
    truncation::write_checkpoint(path_, {run_.inputs_hash(), frequency, std::move(interface)});
  }
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 private:
  run::Run& run_;
  std::string path_;
  std::optional<truncation::Checkpoint> found_;
};

TruncationResult solve_one(const Setup& setup, TruncatedProblem& problem, const Drive& drive,
                           double frequency, const Checkpoints& checkpoints, std::vector<Complex> start) {
  Timer since_written;
  std::vector<Complex> latest;
  const auto observer = [&](int iterations, double error,
                            const std::function<std::vector<Complex>()>& current) {
    log::info("iteration {}: error {:.2e}", iterations, error);
    latest = current();
    if (since_written.seconds() < 60) return;
    checkpoints.write(frequency, latest);
    since_written.restart();
  };
  if (start.empty()) start = checkpoints.start(frequency);
  try {
    if (!setup.splits()) return problem.solve(frequency, drive.excitations, start, observer);
    const truncation::SymmetricParts parts(setup.mesh, setup.topology, setup.model, setup.options);
    return parts.solve(problem, frequency, drive.excitations, start, observer);
  } catch (const Interrupted&) {  // between two iterations, or anywhere inside one
    if (!latest.empty()) checkpoints.write(frequency, latest);
    throw;
  }
}

/// How far the two surfaces of one solution agree: it judges the iteration and the load on S. It is no error:
/// both fields share the mesh, the order and the shape of the body.
void state_consistency(const Setup& setup, const TruncatedProblem& problem, const TruncationResult& result,
                       double frequency, run::Run& run) {
  const auto outside = problem.exterior(frequency);
  const auto inner = fields::far_field(problem.inner_points(), result.inner, setup.far_field.directions,
                                       outside, run.device());
  const auto outer = fields::far_field(problem.outer_points(), result.outer, setup.far_field.directions,
                                       outside, run.device());
  const double difference = truncation::mismatch(inner, outer);
  run.results()["truncation"].push_back({{"frequency_hz", frequency},
                                         {"iterations", result.iteration.iterations},
                                         {"converged", result.iteration.converged},
                                         {"true_residual", result.iteration.true_residual},
                                         {"truncation_consistency", difference}});
  run.line(fmt::format(
      "{:.6g} GHz: {} iterations, residual {:.1e}; truncation consistency {:.1e} (far fields of S' against S "
      "of this solution; not an error)",
      1e-9 * frequency, result.iteration.iterations, result.iteration.true_residual, difference));
}

void state_sizes(const Setup& s, const TruncatedProblem& problem, run::Run& run) {
  const auto& surfaces = problem.surfaces();
  run.size("cells", s.mesh.num_cells());
  run.size("unknowns", problem.system().space().num_dofs());
  run.size("nonzeros", long(problem.system().nnz()));
  run.size("inner_triangles", long(surfaces.inner.size()));
  run.size("outer_triangles", long(surfaces.outer.size()));
  run.size("source_points", long(problem.inner_points().size()));
  run.size("observation_points", long(problem.num_observers()));
  double wavelength = std::numeric_limits<double>::max();
  for (const double f : s.frequencies) wavelength = std::min(wavelength, 2 * pi / problem.exterior(f).k);
  log::info("{} cells, order {}, {} unknowns; {} triangles on \"{}\", {} on \"{}\", {:.3g} wavelengths apart",
            s.mesh.num_cells(), s.model.order, problem.system().space().num_dofs(), surfaces.inner.size(),
            s.options.names.inner, surfaces.outer.size(), s.options.names.outer,
            surfaces.distance / wavelength);
  if (surfaces.element_size > wavelength / 2)
    run.warn(fmt::format("edges on \"{}\" are {:.3g} wavelengths long on average: the mesh is too coarse",
                         s.options.names.inner, surfaces.element_size / wavelength));
  if (!surfaces.is_convex)
    run.warn(
        fmt::format("the outer surface \"{}\" is not convex: the iteration may converge slowly or not at all",
                    s.options.names.outer));
}

/// S at a frequency. In a symmetric model 1 W is what the whole structure gets.
fem::DrivenSolution port_solution(const TruncatedProblem& problem, const TruncationResult& result) {
  return problem.system().port_solution(result.x.data(),
                                        std::ldexp(1.0, -int(problem.surfaces().planes.size())));
}

/// @param solutions one per frequency; their x is not read
void write_ports(const Setup& setup, const truncation::OpenSystem& system,
                 const std::vector<fem::DrivenSolution>& solutions, run::Run& run) {
  fem::PortNetwork network(system.ports(), system.modes(), setup.reference_impedance);
  for (const auto& solution : solutions)
    network.add(solution.frequency, solution.modes, solution.scattering.s);
  programs::write_network(network, setup.model, system.space(), run);
  programs::CombinedExcitation combined(system.ports(), system.modes());
  for (const auto& point : network.points()) combined.add(point.frequency, point.modal, run);
  combined.close(run);
  // Open: power leaves by other ways than ports.
  programs::check_network(network, system.has_symmetric_scattering(), false, run);
}

void solve_all(const Setup& setup, TruncatedProblem& problem, run::Run& run) {
  const Checkpoints checkpoints(run);
  io::CsvWriter history(run.output("history.csv"), io::provenance_lines(run.provenance()),
                        {"frequency_hz", "iteration", "relative_error"});
  std::unique_ptr<ScatteringOutput> scattering;
  std::unique_ptr<RadiationOutput> radiation;
  std::unique_ptr<FieldOutput> fields;
  if (setup.waves.empty())
    radiation = std::make_unique<RadiationOutput>(setup, run);
  else
    scattering = std::make_unique<ScatteringOutput>(setup, run);
  std::unique_ptr<NearFieldOutput> near;
  if (!setup.near_fields.empty()) near = std::make_unique<NearFieldOutput>(setup, problem, run);
  if (setup.write_fields) fields = std::make_unique<FieldOutput>(setup, problem, run);
  fem::SolutionFile solution(run.output("solution.h5"), problem.system().space(), setup.mesh,
                             run.provenance());
  std::vector<fem::DrivenSolution> ported;
  const programs::CombinedExcitation combined(problem.system().ports(), problem.system().modes());
  ErrorOutput errors(setup, setup.accuracy, run);
  run::FrequencySweep sweep(setup.frequencies, run);
  const bool complete = sweep.each([&](std::size_t number, double frequency) {
    Drive drive = make_drive(setup, problem, problem.exterior(frequency).k);
    TruncationResult result;
    {
      const auto timer = run.stage("truncation");
      // The converged interface of an interrupted run is the start: one step confirms it.
      auto known = sweep.find(number);
      result = solve_one(setup, problem, drive, frequency, checkpoints,
                         known ? std::move((*known)["interface"]) : std::vector<Complex>());
      if (result.iteration.converged) sweep.keep(number, {{"interface", result.interface}});
    }
    const InterruptHold hold;
    for (std::size_t i = 0; i < result.iteration.history.size(); ++i)
      history.row({frequency, long(i + 1), result.iteration.history[i]});
    run.solver(problem.system().report().method, result.iteration.iterations, result.iteration.true_residual,
               result.iteration.converged);
    if (problem.system().is_iterative()) run.solver_fact("inner_iterations", result.solver_steps);
    const auto timer = run.stage("results");
    if (setup.is_driven_by_ports()) {
      ported.push_back(port_solution(problem, result));
      add_combined(combined, problem, drive, result);
    }
    if (scattering) scattering->add(frequency, problem, result);
    if (radiation)
      radiation->add(frequency, problem, result, drive, combined,
                     ported.empty() ? Eigen::MatrixXcd() : ported.back().scattering.s);
    if (fields) fields->add(frequency, result, drive);
    if (near) near->add(frequency, problem, result, drive);
    for (const std::size_t c : drive.shown)
      solution.add(frequency, drive.labels[c],
                   &result.x[c * std::size_t(problem.system().space().num_dofs())]);
    state_consistency(setup, problem, result, frequency, run);
    if (!result.iteration.converged)
      throw NumericalError(fmt::format(
          "the truncation did not converge in {} iterations: error {:.2e}, asked {:.2e} "
          "(truncation.max_iterations)",
          result.iteration.iterations, result.iteration.history.back(), setup.options.iteration.tolerance));
    errors.add(frequency, problem, result, drive);
  });
  for (const auto& [name, seconds] : problem.stages().all()) run.solver_fact(name + "_seconds", seconds);
  history.close();
  solution.close();
  if (scattering) scattering->close();
  if (radiation) radiation->close();
  if (fields) fields->close();
  if (near) near->close();
  if (!ported.empty()) write_ports(setup, problem.system(), ported, run);
  errors.close();
  if (complete) checkpoints.remove();
}

void solve(const io::Config& config, run::Run& run) {
  const Setup setup = read_setup(config, run);
  programs::check_resolution(setup.mesh, setup.model,
                             *std::max_element(setup.frequencies.begin(), setup.frequencies.end()), run);
  programs::check_facets(setup.mesh, setup.topology, setup.model, run);
  fem::ChargeRounding(setup.mesh, setup.model)
      .require(setup.model, setup.frequencies.front(), "[truncation]");
  TruncatedProblem problem(
      setup.mesh, setup.topology,
      setup.splits() ? truncation::with_planes(setup.model, setup.options.names, 0) : setup.model,
      setup.options);
  for (const double f : setup.frequencies) {
    problem.system().mode_states(f);
    problem.exterior(f);
  }
  state_sizes(setup, problem, run);
  {
    const auto timer = run.stage("analysis");
    problem.system().analyse();
  }
  programs::state_solver(problem.system().solver_info(), run);
  if (run.dry_run()) return;
  solve_all(setup, problem, run);
}

}  // namespace

int curlew::programs::fe_iiee(int argc, char** argv) {
  return run::run_app(
      {.name = "fe-iiee",
       .summary = "Radiation and scattering by finite elements, truncated close to the body by the "
                  "iteration with its own radiated field.",
       .example = "fe-iiee configs/sphere_in_air.toml --set truncation.tolerance=1e-5"},
      argc, argv, solve);
}
