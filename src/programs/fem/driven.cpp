// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/model/read_port.hpp"
#include "fem/output/field_grid.hpp"
#include "fem/output/solution_file.hpp"
#include "io/ranges.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/near_field_output.hpp"
#include "programs/fem/open_problem.hpp"
#include "programs/fem/port_output.hpp"
#include "programs/fem/received.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/solver_report.hpp"

namespace curlew::programs {
namespace {

/// Everything a problem stands on; the space keeps pointers to mesh and topology.
struct Setup : MaxwellSetup {
  std::optional<Complex> reference_impedance;  ///< [ohm] of S, where a port has none of its own
};

Setup read_setup(const io::Config& config, run::Run& run) {
  Setup setup{read_maxwell_setup(config, run), {}};
  setup.reference_impedance = fem::read_reference_impedance(config.table("output"));
  return setup;
}

/// Rows of S whose fields are written: the first mode of every excited port (of a Floquet port both
/// polarisations of (0,0)), or of the first port.
std::vector<Eigen::Index> excitations(const fem::DrivenProblem& problem) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < problem.modes().size(); ++i) {
    const auto& place = problem.modes()[i];
    const fem::ModalPort& port = problem.ports()[std::size_t(place.port)];
    if (port.excite && (place.mode == 0 || (port.floquet && place.mode == 1)))
      chosen.push_back(Eigen::Index(i));
  }
  if (chosen.empty()) chosen.push_back(0);
  return chosen;
}

/// What tells the arrays of several excitations apart.
std::string array_suffix(const fem::DrivenProblem& problem, std::size_t count, fem::ModePlace place) {
  const auto& port = problem.ports()[std::size_t(place.port)];
  const std::string mode = port.floquet ? "_" + port.modes[std::size_t(place.mode)].name : "";
  return count == 1 ? "" : "_" + port.region + mode;
}

/// Writes E and H of the excited modes, a step per frequency.
class DrivenFields {
 public:
  /// @param frequency [Hz] one of the sweep: it fixes the permittivity that is written beside the fields
  DrivenFields(const fem::DrivenProblem& problem, double frequency, const std::string& path,
               const io::Provenance& provenance)
      : problem_(problem),
        grid_(problem.space(), materials(frequency)),
        writer_(path, grid_.grid(), provenance),
        excited_(excitations(problem)) {
    writer_.static_cell_array("epsilon_r", grid_.cell_permittivity(materials(frequency)), 1,
                              {"1", "real part of epsilon_r"});
  }
  void step(const fem::DrivenSolution& solution) {
    const auto at = materials(solution.frequency);
    writer_.begin_step(solution.frequency);
    for (const Eigen::Index i : excited_) {
      const Complex* x = &solution.x[std::size_t(i) * std::size_t(problem_.space().num_dofs())];
      const auto fields = grid_.evaluate(x, at, 2 * pi * solution.frequency);
      const auto& place = problem_.modes()[std::size_t(i)];
      const std::string suffix = array_suffix(problem_, excited_.size(), place);
      const std::string what = ", 1 W incident at " + fem::mode_label(problem_.ports(), place);
      writer_.point_array("E" + suffix, fields.e, 3, {"V/m", "electric field" + what});
      writer_.point_array("H" + suffix, fields.h, 3, {"A/m", "magnetic field" + what});
    }
  }
  void close() { writer_.close(); }

 private:
  fem::CellMaterials materials(double f) const {
    return fem::materials_at(problem_.model(), *problem_.space().mesh, f);
  }

  const fem::DrivenProblem& problem_;
  fem::FieldGrid grid_;
  io::VtkHdfWriter writer_;
  std::vector<Eigen::Index> excited_;
};

/// The pattern of 1 W incident in a mode.
void add_far_field(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution, Eigen::Index mode,
                   FarFieldOutput& far) {
  const double accepted = 1 - std::norm(solution.scattering.s(mode, mode));
  far.add_feed(fem::mode_label(problem.ports(), problem.modes()[std::size_t(mode)]), {accepted, 1.0},
               &solution.x[std::size_t(mode) * std::size_t(problem.space().num_dofs())], solution.frequency);
}

/// Full solutions at all frequencies, or a fast sweep; fields and unknowns of every full solution go to
/// files.
std::vector<fem::DrivenSolution> sweep(fem::DrivenProblem& problem, const std::vector<double>& frequencies,
                                       const std::optional<fem::FastSweepOptions>& fast, const Setup& setup,
                                       ReceivedOutput& received, run::Run& run) {
  std::unique_ptr<DrivenFields> fields;
  if (setup.write_fields)
    fields = std::make_unique<DrivenFields>(problem, frequencies[0], run.output("fields.vtkhdf"),
                                            run.provenance());
  std::unique_ptr<FarFieldOutput> far;
  if (setup.far_field)
    far = std::make_unique<FarFieldOutput>(problem.space(), problem.model(), *setup.far_field,
                                           received.has_waves(), true, run);
  std::unique_ptr<NearFieldOutput> near;
  if (!setup.near_fields.empty()) near = std::make_unique<NearFieldOutput>(problem.space(), setup, run);
  fem::SolutionFile file(run.output("solution.h5"), problem.space(), setup.mesh, run.provenance());
  const auto chosen = excitations(problem);
  const auto keep = [&](const fem::DrivenSolution& solution) {
    state_solve(solution.solver, run);
    if (fields) fields->step(solution);
    if (near) near->begin_step(solution.frequency);
    for (const Eigen::Index i : chosen) {
      const auto& mode = problem.modes()[std::size_t(i)];
      const Complex* x = &solution.x[std::size_t(i) * std::size_t(problem.space().num_dofs())];
      if (far) add_far_field(problem, solution, i, *far);
      if (near)
        near->add(fem::mode_label(problem.ports(), mode), array_suffix(problem, chosen.size(), mode), x,
                  solution.frequency);
      file.add(solution.frequency, fem::mode_label(problem.ports(), mode), x);
    }
    if (!received.is_empty()) received.add(problem, solution, far.get(), near.get(), file, run);
    check_interrupt();
  };
  std::vector<fem::DrivenSolution> solutions;
  if (fast) {
    fem::FastSweepOptions options = *fast;
    options.on_solution = keep;
    auto result = fem::fast_sweep(problem, frequencies, options);
    run.results()["full_solutions"] = result.solved.size();
    run.results()["adaptive_error_estimate"] = result.error_estimate;
    run.line(fmt::format("adaptive sweep: {} full solutions for {} frequencies, error estimate {:.1e}",
                         result.solved.size(), frequencies.size(), result.error_estimate));
    solutions = std::move(result.solutions);
  } else {
    Progress progress("frequencies", long(frequencies.size()));
    for (const double f : frequencies) {
      solutions.push_back(problem.solve(f, received.loads(problem, f)));
      keep(solutions.back());
      solutions.back().x = solutions.back().source_x = {};
      progress.update(long(solutions.size()));
    }
  }
  if (fields) fields->close();
  if (far) far->close();
  if (near) near->close();
  received.close(run);
  file.close();
  return solutions;
}

}  // namespace

void solve_driven(const io::Config& config, run::Run& run) {
  const auto frequencies = io::frequency_list(config.table("frequency"));
  const auto options = fem::read_driven_options(config, run.device());
  const auto fast = fem::read_fast_sweep(config);
  Setup setup = read_setup(config, run);
  ReceivedOutput received(config, setup);
  if (fast && !received.is_empty())
    config.table("frequency").error("adaptive_tolerance", "an adaptive sweep has no [excitation]");
  config.check_unknown_keys();
  if (fast) fem::fix_profiles(setup.model.pml, frequencies);

  check_resolution(setup.mesh, setup.model, *std::max_element(frequencies.begin(), frequencies.end()), run);
  fem::require_resolvable(setup.mesh, setup.topology, setup.model, frequencies);
  fem::DrivenProblem problem(setup.mesh, setup.topology, setup.model, options);
  std::vector<double> ascending = frequencies;  // modes are followed upwards
  std::sort(ascending.begin(), ascending.end());
  for (const double f : ascending) problem.mode_states(f);  // every cut-off before the first factorisation
  state_symmetry(problem.ports(), run);
  state_sizes(problem.space(), problem.nnz(), run);
  {
    const auto timer = run.stage("analysis");
    problem.analyse();
  }
  state_solver(problem.solver_info(), run);
  if (run.dry_run()) return;

  std::vector<fem::DrivenSolution> solutions;
  {
    const auto timer = run.stage("frequencies");
    solutions = sweep(problem, frequencies, fast, setup, received, run);
  }
  fem::PortNetwork network(problem.ports(), problem.modes(), setup.reference_impedance);
  for (const auto& solution : solutions)
    network.add(solution.frequency, solution.modes, solution.scattering.s);
  write_network(network, problem.model(), problem.space(), run);
  check_network(network, problem.has_symmetric_scattering(), problem.model().is_lossless(), run);
}

}  // namespace curlew::programs
