// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/mixed_potential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/threads.hpp"
#include "ie/operator/process_group.hpp"
#include "ie/report/kept_solutions.hpp"
#include "ie/report/radiated_near_field.hpp"
#include "ie/report/wave_output.hpp"
#include "ie/results/near_field.hpp"
#include "ie/volume/volume_system.hpp"
#include "io/array_names.hpp"
#include "job/error_sink.hpp"
#include "job/job.hpp"
#include "programs/ie/mixed_potential_errors.hpp"

namespace curlew::programs {
namespace {

/// Up to this many unknowns assembling and factorising the matrix is faster than setting up an operator.
constexpr Index dense_limit = 3000;
/// The same if iterations take hundreds of steps or do not converge: negative permittivity, whose operator is
/// indefinite. 1.6 GB.
constexpr Index indefinite_limit = 10000;
/// Imbalance of powers, relative to extinction, above which a warning is given.
constexpr double volume_imbalance = 0.03;

void read_solver(const io::Config& config, run::Run& run, MixedPotentialConfig& c) {
  const auto stated = ie::read_common(
      config, {"tfqmr", "gmres", "bicgstab", "bicgstabl", "cocg", "cocr", "direct"}, 1e-3, run, c);
  c.automatic = stated.method != "direct" && stated.type == "auto";
  c.automatic_method = !config.table("solver").has("method");
  c.solver.direct = stated.method == "direct" || stated.type == "none";
  c.solver.accelerated = true, c.solver.recycled_starts = 0, c.solver.kept_directions = 0;
  const io::Config a = config.table("acceleration"), t = config.table("solver");
  const double accuracy =
      a.positive_or("integration_accuracy", std::max(1e-3, c.solver.acceleration_tolerance));
  try {
    c.integration = ie::integration_for(accuracy);
  } catch (const InputError& e) {
    a.error("integration_accuracy", e.what());
  }
  c.solver.preconditioner =
      ie::preconditioner_from(t.choice_or("preconditioner", {"jacobi", "none", "charges"}, "jacobi"));
  c.charge_steps = t.table("expert").integer_in_or("preconditioner_steps", 1, 1000, c.charge_steps);
}

double dense_bytes(Index unknowns) {
  return 16 * double(unknowns) * double(unknowns);
}

/// Advice if an iteration does not converge.
std::string advice_for(const MixedPotentialSolution& s, linalg::KrylovMethod method) {
  return fmt::format(": {}{}method = \"direct\" (dense factors) takes {:.2g} GiB",
                     s.is_indefinite() ? "negative permittivity makes iterations slow; " : "",
                     linalg::is_bicg_type(method) ? "take method = \"gmres\" or \"cocr\"; " : "",
                     dense_bytes(s.system.num_unknowns()) / (1 << 30));
}

class MixedPotentialJob : public job::Problem<MixedPotentialSolution> {
 public:
  MixedPotentialJob(const MixedPotentialConfig& c, const MixedPotentialProblem& problem, run::Run& run)
      : case_(c), problem_(problem), run_(run) {}

  const char* stage() const override { return "fill and solve"; }
  bool is_written_first() const override { return true; }
  const linalg::ProcessGroup* processes() const override { return ie::process_group(); }
  void keep_in(const run::FrequencySweep& sweep) override { sweep_ = &sweep; }

  job::Plan plan(run::Run& run) override {
    const auto timer = run.stage("basis");
    job::Plan plan;
    for (const double frequency : case_.frequencies) {
      const auto s = problem_.make(frequency);
      problem_.check(s, case_.refinement.has_value(), run);
      run.size("elements", long(s.system.elements.size()));
      ie::plan_solve(equation_of(s, case_), options_for(s, case_), num_waves(), run);
      plan.unknowns = std::max(plan.unknowns, long(s.system.num_unknowns()));
      check_interrupt();
    }
    return plan;
  }
  MixedPotentialSolution solve(double frequency) override {
    auto s = problem_.make(frequency);
    const auto options = options_for(s, case_);
    set_right_hand_sides(s, case_);
    ie::KeptGroups groups(*sweep_, case_.number_of(frequency), case_.largest_group(s.system.num_unknowns()));
    ie::solve(equation_of(s, case_), options, frequency, s.x, num_waves(),
              advice_for(s, options.krylov.method), run_, &groups);
    return s;
  }
  MixedPotentialSolution unsolved(double frequency) override {
    auto s = problem_.make(frequency);
    s.x.resize(case_.waves.size() * std::size_t(s.system.num_unknowns()));
    return s;
  }
  job::Arrays arrays(MixedPotentialSolution& s) const override { return {{"x", std::span(s.x)}}; }

 private:
  Index num_waves() const { return Index(case_.waves.size()); }

  const MixedPotentialConfig& case_;
  const MixedPotentialProblem& problem_;
  run::Run& run_;
  const run::FrequencySweep* sweep_ = nullptr;
};

class MixedPotentialFiles : public job::Sink<MixedPotentialSolution> {
 public:
  MixedPotentialFiles(const MixedPotentialConfig& c, const MixedPotentialProblem& problem, run::Run& run)
      : case_(c), problem_(problem), run_(run) {}
  void open() override {
    waves_.emplace(run_);
    if (case_.fields)
      fields_.emplace(run_.output(problem_.fields_name()), problem_.grid(), run_.provenance());
    const auto points = io::near_field_points(case_.near_fields);
    if (!points.empty()) near_.emplace(case_.near_fields, std::vector<int>(points.size(), 0), run_);
  }
  void add(std::size_t number, double frequency, const MixedPotentialSolution& s) override {
    write_waves(s);
    if (!case_.writes_fields_at(frequency)) return;
    if (fields_) {
      fields_->begin_step(frequency);
      problem_.write_fields(s, case_.waves.size(), *fields_);
    }
    if (near_) add_near_fields(s);
    if (case_.solution) write_solution(s, case_.solution_file(number));
  }
  void close() override {
    waves_->close();
    if (fields_) fields_->close();
    if (near_) near_->close();
  }

 private:
  /// rcs.csv and the table of cross-sections.
  void write_waves(const MixedPotentialSolution& s) {
    const ie::FarFields fields = far_fields(s, run_.device());
    ie::WaveResults results{ie::wave_pattern(case_, false, fields, s.x.data()), {}, {}, {}};
    ie::add_sections(case_, fields, s.x.data(), sections_of(case_, problem_, fields, s), results);
    ie::report_waves(
        case_, false, s.frequency, fields.k(), results,
        {volume_imbalance, "a finer mesh, or smaller acceleration.tolerance and integration_accuracy"},
        *waves_, run_);
  }
  void add_near_fields(const MixedPotentialSolution& s) {
    near_->begin_step(s.frequency);
    for (std::size_t w = 0; w < case_.waves.size(); ++w) {
      const auto& wave = case_.waves[w];
      near_->add_scattered(wave.label(), io::excitation_suffix(w, case_.waves.size()),
                           ie::radiated_field(s.system, s.of(w), near_->points(), run_.device()),
                           [&](auto r) { return wave.wave.at(r, s.k); });
    }
  }
  void write_solution(const MixedPotentialSolution& s, const std::string& name) {
    auto file = io::H5File::create(run_.output(name));
    file.write_provenance(run_.provenance(), problem_.format(), 1);
    file.set_attribute("frequency_hz", s.frequency);
    file.write("x", s.x, problem_.unknowns(),
               {std::uint64_t(case_.waves.size()), std::uint64_t(s.system.sources.num_cols)});
    problem_.write_more(s, file);
    file.close();
  }

  const MixedPotentialConfig& case_;
  const MixedPotentialProblem& problem_;
  run::Run& run_;
  std::optional<results::WaveFiles> waves_;
  std::optional<io::VtkHdfWriter> fields_;
  std::optional<ie::RadiatedFieldOutput> near_;
};

}  // namespace

ie::MixedPotentialEquation equation_of(const MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  return ie::MixedPotentialEquation(s.system, c.integration, c.charge_steps);
}

void set_right_hand_sides(MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  for (const auto& wave : c.waves) {
    const auto b = ie::test_field(s.system, [&](Vec3<double> r) { return wave.wave.electric(s.k, r); });
    s.x.insert(s.x.end(), b.begin(), b.end());
  }
}

/// Chooses dense factors or not, and for indefinite problems an iteration that converges.
ie::SolveOptions options_for(const MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  ie::SolveOptions o = c.solver;
  const Index n = s.system.num_unknowns();
  const bool fits = n <= indefinite_limit && dense_bytes(n) < 0.5 * double(available_memory());
  if (c.automatic) o.direct = n <= dense_limit || (s.is_indefinite() && fits);
  if (!c.automatic_method || !s.is_indefinite()) return o;
  o.krylov.method = linalg::krylov_method_from("gmres");
  o.krylov.restart = std::max(o.krylov.restart, 500);
  return o;
}

/// One point per element, as in the sums of the products: cells are small compared to the wavelength.
ie::FarFields far_fields(const MixedPotentialSolution& s, Device device) {
  return ie::FarFields(ie::radiating_points(s.system, s.system.elements.size() > 50000 ? 1 : 2), device);
}

std::vector<ie::CrossSections> sections_of(const MixedPotentialConfig& c,
                                           const MixedPotentialProblem& problem, const ie::FarFields& fields,
                                           const MixedPotentialSolution& s) {
  const auto waves = ie::printed_waves(c);
  std::vector<double> absorption;
  for (std::size_t w = 0; w < waves.size(); ++w) absorption.push_back(problem.absorption(s, w));
  return ie::cross_sections(fields, s.x.data(), waves, absorption);
}

MixedPotentialConfig read_mixed_potential_config(const io::Config& config, job::RefinedProblem kind,
                                                 run::Run& run) {
  MixedPotentialConfig c;
  if (config.has("port"))
    config.error("port",
                 "the volume and film equations have no ports: take equation = \"efie\" with type = \"pec\"");
  read_solver(config, run, c);
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.waves = ie::read_waves(excitation);
  c.refinement = job::read_refinement_or_default(config, kind, run);
  if (c.refinement)
    config.table("refinement")
        .require(c.refinement->target == mesh::Target::rcs, "target",
                 "volumes and films have target = \"rcs\"");
  const auto* group = ie::process_group();
  job::settle(c.refinement,
              group != nullptr && group->size() > 1 ? "passes are for one process: leave out mpirun" : "",
              config, run);
  return c;
}

bool MixedPotentialSolution::is_indefinite() const {
  return std::ranges::any_of(epsilon_r, [](Complex e) { return e.real() < 0; });
}

void solve_frequencies(const io::Config& document, const MixedPotentialConfig& c, const ProblemOn& on,
                       mesh::Mesh mesh, run::Run& run) {
  RefinedBodies refined{std::move(mesh)};
  auto problem = on(refined.mesh);
  if (job::begins_passes(c.refinement, run)) {
    for (const double f : c.frequencies) problem->make(f);  // for what it checks
    refined = refine_bodies(document, c, on, std::move(refined.mesh), run);
    problem = on(refined.mesh);
  }
  MixedPotentialJob job(c, *problem, run);
  job::Sinks<MixedPotentialSolution> sinks;
  sinks.push_back(std::make_unique<MixedPotentialFiles>(c, *problem, run));
  sinks.push_back(std::make_unique<MixedPotentialErrors>(c, *problem, refined.passes, run));
  job::run(job, sinks, c.frequencies, run);
}

}  // namespace curlew::programs
