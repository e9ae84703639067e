// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/progress.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/model/read_port.hpp"
#include "fem/output/field_grid.hpp"
#include "fem/output/solution_file.hpp"
#include "io/array_names.hpp"
#include "io/ranges.hpp"
#include "programs/fem/combined.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "programs/fem/near_field_output.hpp"
#include "programs/fem/open_problem.hpp"
#include "programs/fem/output_frequencies.hpp"
#include "programs/fem/port_errors.hpp"
#include "programs/fem/port_output.hpp"
#include "programs/fem/received.hpp"
#include "programs/fem/resolution.hpp"
#include "programs/fem/solver_report.hpp"
#include "programs/fem/static_limit.hpp"
#include "run/frequency_sweep.hpp"

namespace curlew::programs {

std::vector<Eigen::Index> excited_modes(const std::vector<fem::ModalPort>& ports,
                                        const std::vector<fem::ModePlace>& modes) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto& place = modes[i];
    const fem::ModalPort& port = ports[std::size_t(place.port)];
    if (port.excite && (place.mode == 0 || (port.floquet && place.mode == 1)))
      chosen.push_back(Eigen::Index(i));
  }
  const bool combined =
      std::any_of(ports.begin(), ports.end(), [](const auto& port) { return port.drive.has_value(); });
  if (chosen.empty() && !combined) chosen.push_back(0);
  return chosen;
}

namespace {

/// Everything a problem stands on; the space keeps pointers to mesh and topology.
struct Setup : MaxwellSetup {
  std::optional<Complex> reference_impedance;  ///< [ohm] of S, where a port has none of its own
};

Setup read_setup(const io::Config& config, run::Run& run) {
  return {read_maxwell_setup(config, run), fem::read_reference_impedance(config.table("output"))};
}

/// One excitation that fields and patterns are written of: 1 W at a mode, or all ports at once.
struct Shown {
  std::string label, suffix, what;  ///< suffix tells arrays of several apart; what stands in descriptions
  results::PowerBudget feed;
  std::vector<Complex> x;  ///< [num_dofs]
};

/// Fields of the modelled part: it sees its share of the power that comes to the whole of a symmetric
/// structure.
class ShownExcitations {
 public:
  ShownExcitations(const fem::DrivenProblem& problem, double copies)
      : problem_(problem),
        combined_(problem.ports(), problem.modes()),
        modes_(excited_modes(problem.ports(), problem.modes())),
        scale_(1 / std::sqrt(copies)) {}

  std::size_t size() const { return modes_.size() + (combined_.is_given() ? 1 : 0); }
  Shown at(std::size_t i, const fem::DrivenSolution& solution) const {
    const auto n = std::size_t(problem_.space().num_dofs());
    Shown shown;
    if (i < modes_.size()) {
      const Eigen::Index m = modes_[i];
      const auto place = problem_.modes()[std::size_t(m)];
      const auto& port = problem_.ports()[std::size_t(place.port)];
      const Complex* x = &solution.x[std::size_t(m) * n];
      const std::string mode = port.floquet ? "_" + port.modes[std::size_t(place.mode)].name : "";
      shown = {fem::mode_label(problem_.ports(), place),
               io::excitation_suffix(i, size(), port.region + mode),
               "",
               feed_of(m, solution.scattering.s),
               {x, x + n}};
      shown.what = ", 1 W incident at " + shown.label;
    } else {
      shown = {CombinedExcitation::name, io::excitation_suffix(i, size(), "combined"), ", all ports at once",
               combined_.budget(solution.scattering.s), combined_.of(solution.x.data(), n)};
    }
    for (Complex& x : shown.x) x *= scale_;
    return shown;
  }

 private:
  /// What returns through a port does so in any of its modes.
  results::PowerBudget feed_of(Eigen::Index mode, const Eigen::MatrixXcd& s) const {
    const auto& modes = problem_.modes();
    double reflected = 0;
    for (std::size_t i = 0; i < modes.size(); ++i)
      if (modes[i].port == modes[std::size_t(mode)].port) reflected += std::norm(s(Eigen::Index(i), mode));
    return results::port_budget(1, reflected, 0);
  }

  const fem::DrivenProblem& problem_;
  CombinedExcitation combined_;
  std::vector<Eigen::Index> modes_;
  double scale_;
};

/// Writes E and H of excitations, a step per frequency.
class DrivenFields {
 public:
  /// @param frequency [Hz] one of the sweep: it fixes the permittivity that is written beside the fields
  DrivenFields(const fem::DrivenProblem& problem, double frequency, int subdivision, const std::string& path,
               const io::Provenance& provenance)
      : problem_(problem),
        grid_(problem.space(), materials(frequency), subdivision),
        writer_(path, grid_.grid(), provenance, io::VtkNumbers::single_precision) {
    writer_.static_cell_array("epsilon_r", grid_.cell_permittivity(materials(frequency)), 1,
                              {"1", "real part of epsilon_r"});
  }
  void begin_step(double frequency) { writer_.begin_step(frequency); }
  void add(const Shown& shown, double frequency) {
    const auto fields = grid_.evaluate(shown.x.data(), materials(frequency), 2 * pi * frequency);
    writer_.point_array("E" + shown.suffix, fields.e, 3, {"V/m", "electric field" + shown.what});
    writer_.point_array("H" + shown.suffix, fields.h, 3, {"A/m", "magnetic field" + shown.what});
  }
  void close() { writer_.close(); }

 private:
  fem::CellMaterials materials(double f) const {
    return fem::materials_at(problem_.model(), *problem_.space().mesh, f);
  }

  const fem::DrivenProblem& problem_;
  fem::FieldGrid grid_;
  io::VtkHdfWriter writer_;
};

/// Files of fields, patterns and unknowns of solutions.
class SolutionOutput {
 public:
  SolutionOutput(const fem::DrivenProblem& problem, double frequency, const Setup& setup,
                 ReceivedOutput& received, run::Run& run)
      : problem_(problem),
        received_(received),
        run_(run),
        copies_(setup.symmetry.copies()),
        excitations_(problem, copies_),
        file_(run.output("solution.h5"), problem.space(), setup.mesh, run.provenance()) {
    if (setup.write_fields)
      fields_ = std::make_unique<DrivenFields>(problem, frequency, setup.field_subdivision,
                                               run.output("fields.vtkhdf"), run.provenance());
    if (setup.far_field)
      far_ = std::make_unique<FarFieldOutput>(problem.space(), problem.model(), *setup.far_field,
                                              received.has_waves(), true, run);
    if (!setup.near_fields.empty()) near_ = std::make_unique<NearFieldOutput>(problem.space(), setup, run);
  }
  /// In ascending order of frequency.
  void add(const fem::DrivenSolution& solution) {
    const double frequency = solution.frequency;
    if (fields_) fields_->begin_step(frequency);
    if (near_) near_->begin_step(frequency);
    for (std::size_t i = 0; i < excitations_.size(); ++i) {
      const Shown shown = excitations_.at(i, solution);
      if (fields_) fields_->add(shown, frequency);
      if (far_) far_->add_feed(shown.label, shown.feed, shown.x.data(), frequency);
      if (near_) near_->add(shown.label, shown.suffix, shown.x.data(), frequency);
      file_.add(frequency, shown.label, shown.x.data());
    }
    if (!received_.is_empty())
      received_.add(problem_, solution, copies_, far_.get(), near_.get(), file_, run_);
  }
  void close() {
    if (fields_) fields_->close();
    if (far_) far_->close();
    if (near_) near_->close();
    received_.close(run_);
    file_.close();
  }

 private:
  const fem::DrivenProblem& problem_;
  ReceivedOutput& received_;
  run::Run& run_;
  double copies_;
  ShownExcitations excitations_;
  fem::SolutionFile file_;
  std::unique_ptr<DrivenFields> fields_;
  std::unique_ptr<FarFieldOutput> far_;
  std::unique_ptr<NearFieldOutput> near_;
};

/// S everywhere, and where full solutions stand behind it [Hz].
struct Sweep {
  std::vector<fem::DrivenSolution> solutions;
  std::vector<double> solved;
};

/// S at all frequencies from a few full solutions; then what is written, each from a solution of its own: the
/// reduced model answers for S alone.
Sweep adaptive_sweep(fem::DrivenProblem& problem, const std::vector<double>& frequencies,
                     fem::FastSweepOptions options, const std::vector<double>& written,
                     SolutionOutput& output, run::Run& run) {
  std::map<double, fem::DrivenSolution> known;
  options.on_solution = [&](const fem::DrivenSolution& solution) {
    state_solve(solution.solver, run);
    if (std::binary_search(written.begin(), written.end(), solution.frequency))
      known[solution.frequency] = solution;
    check_interrupt();
  };
  auto result = fem::fast_sweep(problem, frequencies, options);
  run.results()["full_solutions"] = result.solved.size();
  run.results()["adaptive_error_estimate"] = result.error_estimate;
  run.line(fmt::format("adaptive sweep: {} full solutions for {} frequencies, error estimate {:.1e}",
                       result.solved.size(), frequencies.size(), result.error_estimate));
  for (const double f : written) {
    auto solution = known.extract(f);
    if (!solution.empty()) {
      output.add(solution.mapped());
      continue;
    }
    const auto fresh = problem.solve(f);
    state_solve(fresh.solver, run);
    output.add(fresh);
    check_interrupt();
  }
  return {std::move(result.solutions), std::move(result.solved)};
}

std::vector<Complex> entries(const Eigen::MatrixXcd& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// The solution of a frequency: from an interrupted run, or solved now and kept for one.
fem::DrivenSolution solve_or_find(fem::DrivenProblem& problem, std::size_t number, double f,
                                  ReceivedOutput& received, const run::FrequencySweep& sweep, run::Run& run) {
  const auto loads = received.loads(problem, f);
  if (auto known = sweep.find(number)) {
    fem::DrivenSolution solution;
    solution.frequency = f;
    const auto states = problem.mode_states(f);
    for (const Eigen::Index i : problem.reported()) solution.modes.push_back(states[std::size_t(i)]);
    const auto modes = Eigen::Index(problem.modes().size());
    auto& arrays = *known;
    solution.scattering.s = Eigen::Map<Eigen::MatrixXcd>(arrays["s"].data(), modes, modes);
    solution.x = std::move(arrays["x"]), solution.source_x = std::move(arrays["source_x"]);
    auto& waves = arrays["source_waves"];
    solution.source_waves =
        Eigen::Map<Eigen::MatrixXcd>(waves.data(), modes, Eigen::Index(waves.size()) / modes);
    return solution;
  }
  auto solution = problem.solve(f, loads);
  state_solve(solution.solver, run);
  sweep.keep(number, {{"s", entries(solution.scattering.s)},
                      {"x", solution.x},
                      {"source_x", solution.source_x},
                      {"source_waves", entries(solution.source_waves)}});
  return solution;
}

/// Full solutions at all frequencies, and at those that are written beside them.
Sweep full_sweep(fem::DrivenProblem& problem, const std::vector<double>& frequencies,
                 const std::vector<double>& written, ReceivedOutput& received, SolutionOutput& output,
                 run::Run& run) {
  std::vector<double> all;
  std::set_union(frequencies.begin(), frequencies.end(), written.begin(), written.end(),
                 std::back_inserter(all));
  std::vector<fem::DrivenSolution> solutions;
  Progress progress("frequencies", long(all.size()));
  std::vector<double> done;
  run::FrequencySweep sweep(all, run);
  sweep.each([&](std::size_t number, double f) {
    auto solution = solve_or_find(problem, number, f, received, sweep, run);
    const InterruptHold hold;
    if (std::binary_search(written.begin(), written.end(), f)) output.add(solution);
    solution.x = solution.source_x = {};
    if (std::binary_search(frequencies.begin(), frequencies.end(), f))
      solutions.push_back(std::move(solution));
    progress.update(long(number + 1));
    done.push_back(f);
  });
  return {std::move(solutions), std::move(done)};
}

Sweep sweep(fem::DrivenProblem& problem, const std::vector<double>& frequencies,
            const std::optional<fem::FastSweepOptions>& fast, const std::vector<double>& written,
            const Setup& setup, ReceivedOutput& received, run::Run& run) {
  SolutionOutput output(problem, frequencies[0], setup, received, run);
  auto solutions = fast ? adaptive_sweep(problem, frequencies, *fast, written, output, run)
                        : full_sweep(problem, frequencies, written, received, output, run);
  output.close();
  return solutions;
}

}  // namespace

void solve_driven(const io::Config& config, run::Run& run) {
  auto frequencies = io::frequency_list(config.table("frequency"), io::Lowest::zero);
  auto options = fem::read_driven_options(config, run.device());
  options.frequencies = int(frequencies.size());
  const auto fast = fem::read_fast_sweep(config);
  results::ErrorReport errors(results::read_accuracy(config), run);
  Setup setup = read_setup(config, run);
  const StaticLimit limit(frequencies, setup.mesh, setup.model);
  ReceivedOutput received(config, setup);
  if (fast && !received.is_empty())
    config.table("frequency").error("adaptive_tolerance", "an adaptive sweep has no [excitation]");
  const bool fields_asked = setup.write_fields || setup.far_field || !setup.near_fields.empty();
  auto written = output_frequencies(config, frequencies, fast.has_value(), fields_asked);
  if (!received.is_empty() && written != frequencies)
    config.table("output").error("frequencies",
                                 "with [excitation] every frequency is written: leave frequencies out");
  limit.leave_out(written, fields_asked, config);
  config.check_unknown_keys();
  if (fast) fem::fix_profiles(setup.model.pml, frequencies);

  check_resolution(setup.mesh, setup.model, *std::max_element(frequencies.begin(), frequencies.end()), run);
  check_facets(setup.mesh, setup.topology, setup.model, run);
  fem::DrivenProblem problem(setup.mesh, setup.topology, setup.model, options);
  limit.require(problem, fast.has_value(), !received.is_empty());
  problem.require_resolvable(frequencies, fast.has_value(), !received.is_empty());
  if (fast) fem::require_fast_sweep(problem);
  // Every cut-off before the first factorisation; frequencies ascend, so that modes are followed upwards.
  for (const double f : frequencies) problem.mode_states(f);
  state_symmetry(problem.ports(), run);
  state_sizes(problem.space(), problem.nnz(), run);
  {
    const auto timer = run.stage("analysis");
    problem.analyse();
  }
  state_solver(problem.solver_info(), run);
  if (run.dry_run()) return;

  Sweep swept;
  {
    const auto timer = run.stage("frequencies");
    swept = sweep(problem, frequencies, fast, written, setup, received, run);
  }
  fem::PortNetwork network(problem.ports(), problem.modes(), setup.reference_impedance);
  CombinedExcitation combined(problem.ports(), problem.modes());
  for (const auto& solution : swept.solutions) {
    limit.add(solution, network);
    const auto& point = network.points().back();
    combined.add(point.frequency, point.modal, run);
  }
  combined.close(run);
  write_network(network, problem.model(), problem.space(), run);
  state_port_errors({setup.mesh, setup.topology, problem, options, setup.reference_impedance, frequencies},
                    network, swept.solved, errors, run);
  check_network(network, problem.has_symmetric_scattering(), problem.model().is_lossless(), run);
}

}  // namespace curlew::programs
