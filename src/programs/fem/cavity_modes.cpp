// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/analyses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/eigen/participation.hpp"
#include "fem/error/mode_error.hpp"
#include "fem/error/mode_residual.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/passes/passes.hpp"
#include "fem/passes/planned_check.hpp"
#include "fem/report/maxwell_files.hpp"
#include "fem/report/resolution.hpp"
#include "fem/report/sensitivities.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/report/time_plan.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "fem/system/system_matrix.hpp"
#include "job/refinement.hpp"
#include "results/mode_results.hpp"
#include "run/failure.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

using Modes = std::vector<fem::CavityMode>;

/// What the last adaptive pass leaves for the run on its mesh.
struct SolvedModes {
  Modes modes;
  std::vector<fem::ModeError> errors;  ///< of those asked for
};

/// Not copied or moved: its finite-element space points to mesh and topology.
struct ModesCase : fem::MaxwellSetup {
  fem::CavityOptions options;
  bool is_fitted = false;  ///< passes have fitted the mesh to singular fields
  results::AccuracyRequest accuracy;
};

/// Substitutions of a Krylov-Schur iteration for a mode, of the cases of tests/scripts/time_test.py.
constexpr double substitutions_per_mode = 6;

template <class T>
std::shared_ptr<linalg::DirectSolver<T>> analysed(const fem::Assembler& assembler,
                                                  const linalg::DirectOptions& options) {
  std::shared_ptr<linalg::DirectSolver<T>> solver = linalg::make_direct_solver<T>(options);
  solver->analyse(assembler.create_matrix<T>());
  return solver;
}

/// Counts the modes of a lossless resonator from the target to the last one found, and searches again for
/// missing ones. @returns whether the modes are those that were given
bool complete(const fem::NedelecSpace& space, const fem::Model& model, fem::CavityOptions options,
              const fem::RealFactors& factors, Modes& modes, run::Run& run) {
  const double low = options.target > 0 ? options.target : fem::frequency_below_all_modes(*space.mesh, model),
               high = modes.back().frequency.real() * (1 + 1e-7);
  const auto count = fem::count_modes(space, model, low, high, factors);
  if (!count) return true;
  int tries = 1;
  for (; tries <= 2 && *count > Index(modes.size()); ++tries) {
    fem::LostModes others;
    options.modes = std::min<int>(tries * *count, space.num_dofs() / 2);  // equal ones come late
    modes = fem::cavity_modes(space, model, options, &others);
    std::erase_if(modes, [&](const auto& mode) { return mode.frequency.real() > high; });
  }
  const bool all = *count == Index(modes.size());
  run.results()["modes_complete"] = all;
  if (all) {
    run.line(fmt::format("no mode is missing between {} and the last one (counted by inertia: {})",
                         options.target > 0 ? "the target" : "0 Hz", *count));
  } else {
    run.warn(
        fmt::format("{} modes exist between {:.6g} GHz and the last one found, {} were found: move "
                    "analysis.target closer to the missing ones",
                    *count, 1e-9 * low, modes.size()));
  }
  return tries == 1;
}

class ModesJob : public job::Planned {
 public:
  /// @param c outlives this object
  explicit ModesJob(const ModesCase& c)
      : case_(c),
        space_(fem::make_space(c.mesh, c.topology, c.model.order, fem::pec_triangles(c.model, c.mesh),
                               c.model.cell_orders)) {}
  const ModesCase& config() const { return case_; }
  const fem::NedelecSpace& space() const { return space_; }
  const fem::Model& model() const { return case_.model; }
  /// Size of the system; valid after planning.
  const fem::RunSystem& system() const { return system_; }

  job::Plan plan(run::Run& run) override {
    const fem::Assembler assembler(space_);
    fem::state_sizes(space_, assembler.nnz(), run);
    linalg::DirectOptions direct = case_.options.direct;
    if (!fem::has_symmetric_matrix(model())) direct.symmetry = linalg::Symmetry::unsymmetric;
    const double target = case_.options.target,
                 near = target > 0 ? target : fem::frequency_below_all_modes(case_.mesh, model());
    linalg::DirectInfo info;
    if (fem::is_real_eigenproblem(case_.mesh, model(), near)) {
      const auto solver = analysed<double>(assembler, direct);
      info = solver->info();
      if (model().periodicity.empty()) factors_.solver = solver;
    } else {
      info = analysed<Complex>(assembler, direct)->info();
    }
    run.solver_fact("estimated_bytes", info.estimated_bytes);
    run.plan("factorisation", info.estimated_bytes);
    system_ = {.entries = assembler.nnz(), .info = {info, ""}, .solutions = 1, .is_kept = false};
    system_.has_residuals = fem::have_residual_errors(model());
    return {space_.num_dofs()};
  }

  /// The modes that converge; the run fails after writing them if others do not.
  /// @param solved by the last pass, in place of a search @param is_counted the modes of a lossless resonator
  /// are counted
  Modes solve(SolvedModes solved, bool is_counted, run::Run& run) {
    fem::LostModes lost;
    auto factors = std::exchange(factors_, {});  // freed at the end
    auto modes = solved.modes.empty() ? search(lost, factors, run) : std::move(solved.modes);
    if (lost.count > 0)
      run::fail_after_writing(
          run, fmt::format("{} of {} modes did not converge and are left out{}: choose analysis.target "
                           "closer to them",
                           lost.count, lost.count + int(modes.size()),
                           lost.places.empty() ? "" : fmt::format(" ({})", fmt::join(lost.places, "; "))));
    if (is_counted) {
      const auto timer = run.stage("count of modes");
      if (!complete(space_, model(), case_.options, factors, modes, run)) solved.errors.clear();
    }
    errors_ = std::move(solved.errors);
    return modes;
  }
  /// Errors of the first modes that solve() returned, as far as the last pass found them.
  const std::vector<fem::ModeError>& errors() const { return errors_; }

 private:
  Modes search(fem::LostModes& lost, fem::RealFactors& factors, run::Run& run) const {
    const auto timer = run.stage("modes");
    return fem::cavity_modes(space_, model(), case_.options, &lost, &factors);
  }

  const ModesCase& case_;
  fem::NedelecSpace space_;
  fem::RealFactors factors_;
  std::vector<fem::ModeError> errors_;
  fem::RunSystem system_{};
};

class ModeFiles : public job::SinkOf<Modes, ModesJob> {
 public:
  using SinkOf::SinkOf;
  void add(std::size_t, double, const Modes& modes) override {
    fem::MaxwellFiles files(job_.space(), job_.model(), modes[0].frequency.real(), case_, false, false, run_);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      files.begin_step(modes[i].frequency.real(), double(i + 1));
      files.add({.label = "mode", .what = " of the mode at 1 J", .x = modes[i].x.data()}, modes[i].frequency);
    }
    files.close();
  }
};

/// Error bars of the modes' frequencies, and the seconds of the run, from which those of the error estimate
/// follow.
class CavityErrors : public fem::CheckSink<Modes> {
 public:
  CavityErrors(const ModesJob& job, run::Run& run)
      : CheckSink(job.config().accuracy, job.model().order, 1, run, results::with_refinement), job_(job) {}
  void plan(const job::Plan&) override {
    const auto& c = job_.config();
    check_ = fem::plan_check(c.mesh, c.topology, c.model, job_.system(), report_);
    by_residuals_ =
        !check_.is_wanted() && job_.system().has_residuals && report_.is_automatic() &&
        run::plan_optional(run_, {"error estimate", fem::residual_bytes(job_.space(), c.model, 1)});
    fem::plan_fem_seconds(job_.space(), job_.system().info,
                          {.right_hand_sides = substitutions_per_mode * c.options.modes,
                           .written = c.write_fields ? double(c.options.modes) : 0,
                           .field_cells = c.field_cells,
                           .check = check_.price},
                          run_);
  }

 private:
  void estimate(double, const Modes& modes) override {
    add(modes, fem::mode_errors(job_.space(), job_.model(), job_.config().options, modes, shape()));
  }
  void estimate_by_residuals(double, const Modes& modes) override {
    auto errors = job_.errors();
    const auto more = fem::mode_residual_errors(
        job_.space(), job_.model(), std::span(modes).subspan(errors.size()), job_.config().is_fitted);
    errors.insert(errors.end(), more.begin(), more.end());
    add(modes, errors);
  }
  void add(const Modes& modes, const std::vector<fem::ModeError>& bars);

  const ModesJob& job_;
};

void CavityErrors::add(const Modes& modes, const std::vector<fem::ModeError>& bars) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double f = modes[i].frequency.real();
    results::add_mode_bar(i, f, bars[i].whole, bars[i].elements, results::modes_in_ghz, report_, run_);
    results::add_q_bar(i, f, modes[i].q, bars[i].loss, bars[i].loss_elements, report_);
  }
}

job::Sinks<Modes> mode_sinks(const ModesJob& job, std::vector<fem::Parameter> parameters, run::Run& run) {
  const auto derive = [&job](double, const Modes& modes, fem::Sensitivities& to) {
    to.add(job.space(), job.model(), modes);
  };
  job::Sinks<Modes> sinks;
  sinks.push_back(std::make_unique<ModeFiles>(job, run));
  sinks.push_back(
      std::make_unique<fem::DerivativeSink<Modes>>(derive, std::move(parameters), std::nullopt, run));
  sinks.push_back(std::make_unique<CavityErrors>(job, run));
  return sinks;
}

/// [refinement] for the frequencies of all requested modes.
mesh::Pass mode_pass(const fem::NedelecSpace& space, const fem::Model& model,
                     const fem::CavityOptions& options, SolvedModes& solved) {
  solved = {};  // frees the vectors of the previous mesh
  SolvedModes here{fem::cavity_modes(space, model, options), {}};
  const Modes& modes = here.modes;
  const auto count = std::min(modes.size(), std::size_t(options.modes));  // on all meshes alike
  mesh::Pass pass{.unknowns = space.num_dofs()};
  const auto shape = fem::shape_variant(*space.mesh, *space.topology, model);
  const fem::Assembler assembler(space);
  for (std::size_t i = 0; i < count; ++i) {
    const double f = modes[i].frequency.real();
    const Eigen::Map<const Eigen::VectorXcd> x(modes[i].x.data(), space.num_dofs());
    const fem::SolvedForm form(assembler, x);
    const Complex weight = fem::weight_of(form, assembler, model, modes[i]);
    const auto found = fem::residuals_of(space, model, modes[i], weight);
    add_shares(found, space, model, pass);
    const double change = -(weight * found.change()(0, 0)).real();  // xᵀAx rises where k² falls
    Complex by_shape = 0;
    if (shape)
      by_shape = weight * fem::add_shape(form, {model, modes[i].frequency}, *space.mesh, *shape,
                                         Eigen::MatrixXd::Constant(1, 1, std::abs(weight)), pass)(0, 0);
    const double of_shape = fem::shape_safety * std::abs(by_shape);
    pass.quantities.push_back({fmt::format("f{} Hz", i + 1), f, std::abs(weight) * found.bar(0, 0) + of_shape,
                               0, f * (1 + change + by_shape.real())});
    pass.quantities.back().of_shape = of_shape;
    here.errors.push_back(fem::mode_error(modes[i], found, weight, found.missing(), by_shape));
  }
  solved = std::move(here);
  return pass;
}

/// The mesh on which the frequencies have converged. @param[out] solved on it
mesh::Mesh refine_for_modes(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                            const fem::CavityOptions& options, SolvedModes& solved, run::Run& run) {
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<job::Row>&) {
    const fem::MaxwellSetup setup = fem::read_maxwell_setup(mesh, config);
    const auto space = fem::make_space(setup.mesh, setup.topology, setup.model.order,
                                       fem::pec_triangles(setup.model, setup.mesh), setup.model.cell_orders);
    return mode_pass(space, setup.model, options, solved);
  };
  return fem::refine_with_layers(refinement, config, std::move(first), solve, run);
}

/// A lumped element is a sheet with local conduction: an inductance there has spurious modes, with lower
/// frequencies on finer meshes. Elements that store energy may also resonate below all field modes.
void warn_of_elements(const io::Config& config, const fem::MaxwellSetup& setup,
                      const fem::CavityOptions& options, run::Run& run) {
  for (const auto& t : config.tables("boundary")) {
    if (!t.has("inductance") && !t.has("capacitance")) continue;
    if (t.has("inductance"))
      run.warn(
          fmt::format("{}: a lumped inductance is a sheet with spurious modes, whose frequencies fall as the "
                      "mesh is refined: set "
                      "analysis.target just below the mode you expect and use what does not change when "
                      "mesh.size is halved, or "
                      "take the resonance from S of a lumped [[port]] there (analysis.type = \"driven\")",
                      t.where("inductance")));
    if (options.target > 0) continue;
    run.warn(
        fmt::format("{}: a lumped element may resonate below {:.4g} GHz, where modes are looked for without "
                    "analysis.target: set it below the mode you expect",
                    t.where(t.has("inductance") ? "inductance" : "capacitance"),
                    1e-9 * fem::frequency_below_all_modes(setup.mesh, setup.model)));
  }
}

/// Why modes are not refined by default; empty: they are.
std::string obstacle_to_passes(const io::Config& config, const fem::Model& model) {
  if (!fem::has_symmetric_matrix(model)) return "passes need reciprocal media";
  for (const auto& t : config.tables("boundary"))
    if (t.has("inductance"))
      return "the frequencies of the spurious modes of a lumped inductance fall with every pass";
  return {};
}

/// Both use the right eigenvector of a mode as left one.
void refuse_if_not_reciprocal(const fem::Model& model, bool refines, bool derives) {
  if (fem::has_symmetric_matrix(model) || !model.periodicity.is_real() || !(refines || derives)) return;
  throw InputError(
      fmt::format("a material tensor is not symmetric, and {} of modes needs reciprocal media: leave it out",
                  refines ? "[refinement]" : "[[sensitivity]]"));
}

}  // namespace

void solve_cavity_modes(const io::Config& config, run::Run& run) {
  const io::Config analysis = config.table("analysis");
  ModesCase c;
  auto& options = c.options;
  const auto read = [&](mesh::Mesh of) {
    static_cast<fem::MaxwellSetup&>(c) = fem::read_maxwell_setup(std::move(of), config);
    run.size("cells", c.mesh.num_cells());
    return fem::read_parameters(config, {c.mesh, c.topology, c.model}, run);
  };
  options.modes = analysis.integer_in_or("modes", 1, 1000, 5);
  if (analysis.has("target")) options.target = analysis.positive("target");
  options.direct = fem::read_direct_options(config);
  c.accuracy = results::read_accuracy(config);
  auto refinement = job::read_refinement_or_default(config, job::RefinedProblem::modes, run);
  mesh::Mesh mesh = run::load_mesh(config, run);
  auto parameters = read(mesh);
  config.check_unknown_keys();
  fem::require_eigenproblem(c.model);
  if (refinement && refinement->is_by_default)
    job::settle(refinement, obstacle_to_passes(config, c.model), config, run);
  refuse_if_not_reciprocal(c.model, refinement.has_value(), !parameters.empty());
  warn_of_elements(config, c, options, run);
  SolvedModes solved;  // stays empty without passes, and where a run continues after them
  if (job::begins_passes(refinement, run)) {
    parameters = read(refine_for_modes(*refinement, config, std::move(mesh), options, solved, run));
    c.is_fitted = true;
  }
  fem::check_facets(c.mesh, c.topology, c.model, run);

  ModesJob job(c);
  job::run_by(job, mode_sinks(job, std::move(parameters), run), run, [&](auto& delivery) {
    auto modes = job.solve(std::move(solved), c.accuracy.estimate != results::Estimate::off, run);
    results::state_modes(modes, results::modes_in_ghz, run,
                         [&](const fem::CavityMode& mode, run::Value& entry) {
                           for (const auto& [region, share] :
                                fem::participation(job.space(), job.model(), mode.x, mode.frequency))
                             entry["participation"][region] = share;
                         });
    delivery.add(options.target, std::move(modes));
  });
}

}  // namespace curlew::programs
