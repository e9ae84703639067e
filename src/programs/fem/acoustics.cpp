// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/analyses.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/sound/acoustic_case.hpp"
#include "io/frequency.hpp"
#include "results/mode_results.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

fem::AcousticCase read_acoustic_case(mesh::Mesh mesh, const io::Config& config) {
  fem::AcousticCase c;
  c.mesh = std::move(mesh);
  fem::grow_layers(config, c.mesh);
  c.topology = mesh::build_topology(c.mesh);
  c.model = fem::read_acoustic_model(config, c.mesh, c.topology);
  c.write_fields = config.table("output").get_or<bool>("fields", true);
  c.cells = fem::read_field_cells(config);
  c.accuracy = results::read_accuracy(config);
  return c;
}

void state_unknowns(const fem::LagrangeSpace& space, run::Run& run) {
  run.size("unknowns", space.num_free);
  log::info("{} cells, order {}, {} unknowns", space.mesh->num_cells(), space.order, space.num_free);
}

std::size_t matrix_bytes(const fem::RunSystem& system) {
  return std::size_t(system.entries) * (sizeof(Complex) + sizeof(Index));
}

void state_system(const fem::RunSystem& system, run::Run& run) {
  run.size("nonzeros", long(system.entries));
  run.plan("matrix", matrix_bytes(system));
  fem::state_solver(system.info, run);
}

class DrivenSound : public job::Problem<fem::AcousticSolution>, public fem::DrivenSoundSystem {
 public:
  DrivenSound(const fem::AcousticCase& c, std::size_t frequencies, run::Run& run)
      : problem_(c.mesh, c.topology, c.model, c.options), frequencies_(double(frequencies)), run_(run) {
    if (!problem_.has_source())
      throw InputError(
          "nothing drives the sound: give a [[boundary]] a velocity or a value, or a plane wave as "
          "[excitation]");
  }

  const fem::AcousticProblem& problem() const override { return problem_; }
  const fem::LagrangeSpace& space() const override { return problem_.space(); }
  fem::RunSystem system() const override {
    const auto info = problem_.solver_info();
    return {info.entries, info, frequencies_};
  }

  job::Plan plan(run::Run& run) override {
    state_unknowns(space(), run);
    {
      const auto timer = run.stage("analysis");
      problem_.analyse();
    }
    state_system(system(), run);
    if (problem_.model().wave) run.plan("layers at the wave", matrix_bytes(system()));
    const auto nodes = std::size_t(space().num_nodes);
    return {space().num_free, sizeof(Complex) * ((1 + num_further_) * nodes + loads_.size())};
  }

  fem::AcousticSolution solve(double frequency) override {
    auto solution = problem_.solve(frequency, loads_, further_);
    fem::state_solve(solution.solver, run_);
    return solution;
  }
  void need_duals(std::vector<Complex> loads, fem::LoadsOfSolution further,
                  std::size_t num_further) override {
    loads_ = std::move(loads), further_ = std::move(further), num_further_ = num_further;
  }

  fem::AcousticSolution unsolved(double frequency) override {
    return {frequency,
            std::vector<Complex>(std::size_t(space().num_nodes)),
            {},
            {},
            std::vector<Complex>(loads_.size() + num_further_ * std::size_t(space().num_nodes))};
  }

  job::Arrays arrays(fem::AcousticSolution& s) const override {
    job::Arrays arrays{{"pressure", std::span(s.pressure)},
                       {"input_power", std::span(&s.power.input, 1)},
                       {"boundary_power", std::span(&s.power.boundaries, 1)},
                       {"medium_power", std::span(&s.power.medium, 1)},
                       {"radiated_power", std::span(&s.power.radiated, 1)}};
    if (!s.duals.empty()) arrays.emplace_back("duals", std::span(s.duals));
    return arrays;
  }

 private:
  fem::AcousticProblem problem_;
  double frequencies_;
  run::Run& run_;
  std::vector<Complex> loads_{};  // of the dual problems
  fem::LoadsOfSolution further_{};
  std::size_t num_further_ = 0;
};

class SoundModes : public job::Planned, public fem::SoundSystem {
 public:
  explicit SoundModes(const fem::AcousticCase& c)
      : case_(c),
        space_(fem::make_lagrange_space(c.mesh, c.topology, c.model.order,
                                        fem::dirichlet_triangles(c.model, c.mesh))) {}

  const fem::LagrangeSpace& space() const override { return space_; }
  fem::RunSystem system() const override { return system_; }

  /// Matrix and factors of the shift-inverted system: real without losses, which make it one of twice the
  /// unknowns (fem/acoustics/acoustic_modes.cpp), four times the entries.
  job::Plan plan(run::Run& run) override {
    state_unknowns(space_, run);
    const auto solver = linalg::make_direct_solver<double>(case_.modes.direct);
    const auto pattern = fem::ScalarAssembler(space_).create_matrix<double>();
    solver->analyse(pattern);
    system_ = {.entries = pattern.nnz(), .info = {solver->info(), ""}, .solutions = 1, .is_kept = false};
    const int parts = case_.model.is_lossless() ? 1 : 8;  // a complex number is two real ones
    system_.info.estimated_bytes *= std::size_t(parts);
    state_system(system_, run);
    return {space_.num_free};
  }

  fem::AcousticModes solve(run::Run& run) const {
    const auto timer = run.stage("modes");
    return fem::acoustic_modes(space_, case_.model, case_.modes);
  }

 private:
  const fem::AcousticCase& case_;
  fem::LagrangeSpace space_;
  fem::RunSystem system_{};
};

}  // namespace

void solve_driven_acoustics(const io::Config& config, run::Run& run) {
  const auto frequencies = io::frequencies(config);
  auto refinement = job::read_refinement_or_default(config, job::RefinedProblem::sound, run);
  mesh::Mesh mesh = run::load_mesh(config, run);
  const auto read = [&](mesh::Mesh of) {
    auto c = std::make_unique<fem::AcousticCase>(read_acoustic_case(std::move(of), config));
    c->options = fem::read_driven_options(config, run.device(), run.processes());
    return c;
  };
  auto c = read(mesh);
  config.check_unknown_keys();
  job::settle(refinement, obstacle_to_passes(c->model), config, run);
  if (job::begins_passes(refinement, run))
    c = read(fem::refine_sound(*refinement, config, std::move(mesh), read, run));
  DrivenSound problem(*c, frequencies.size(), run);
  job::run(problem, fem::sound_sinks(*c, problem, frequencies.size(), run), frequencies, run);
}

void solve_acoustic_modes(const io::Config& config, run::Run& run) {
  const io::Config analysis = config.table("analysis");
  auto refinement = job::read_refinement_or_default(config, job::RefinedProblem::sound_modes, run);
  mesh::Mesh mesh = run::load_mesh(config, run);
  const auto read = [&](mesh::Mesh of) {
    auto c = std::make_unique<fem::AcousticCase>(read_acoustic_case(std::move(of), config));
    c->modes.modes = analysis.integer_in_or("modes", 1, 1000, 5);
    if (analysis.has("target")) c->modes.target = analysis.positive("target");
    c->modes.direct = fem::read_direct_options(config);
    return c;
  };
  auto c = read(mesh);
  for (const char* open : {"pml", "excitation"})
    if (config.has(open)) config.error(open, "[analysis] type = \"eigen\" is for closed fluids");
  config.check_unknown_keys();
  job::settle(refinement, fem::obstacle_to_mode_passes(c->model), config, run);
  if (job::begins_passes(refinement, run))
    c = read(fem::refine_sound_modes(*refinement, config, std::move(mesh), read, run));
  SoundModes problem(*c);
  job::run_by(problem, fem::sound_mode_sinks(*c, problem, run), run, [&](auto& delivery) {
    auto modes = problem.solve(run);
    results::state_modes(modes, results::modes_in_hz, run, [](const auto&, auto&) {});
    delivery.add(c->modes.target, std::move(modes));
  });
}

std::optional<fem::System> assemble_acoustics(const io::Config& config, run::Run& run) {
  const double frequency = io::frequencies(config)[0];
  const auto options = fem::read_driven_options(config);
  const fem::AcousticCase c = read_acoustic_case(run::load_mesh(config, run), config);
  config.allow({"analysis", "output"});
  config.check_unknown_keys();
  if (run.dry_run()) return std::nullopt;
  const auto timer = run.stage("assembly");
  const fem::AcousticProblem problem(c.mesh, c.topology, c.model, options);
  fem::AcousticSystem acoustic = problem.system(frequency);
  fem::System system;
  system.a = std::move(acoustic.matrix);
  const Index n = system.a.num_rows;
  system.block_offsets = {0, n, n, n};
  if (problem.has_source()) system.rhs = std::move(acoustic.rhs), system.num_rhs = 1;
  system.frequency = frequency;
  system.matrix_unit = "m^4/kg";
  system.rhs_unit = "m^3/s^2";
  system.meaning = "stiffness (1/rho) minus w^2 mass (1/(rho c^2)) plus boundary terms";
  return system;
}

}  // namespace curlew::programs
