// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "ie/passes/mixed_potential_errors.hpp"
#include "ie/report/kept_solutions.hpp"
#include "ie/report/radiated_near_field.hpp"
#include "ie/report/wave_output.hpp"
#include "ie/results/near_field.hpp"
#include "io/array_names.hpp"
#include "job/error_sink.hpp"
#include "job/job.hpp"

namespace curlew::programs {
namespace {

/// Imbalance of powers, relative to extinction, above which a warning is given.
constexpr double volume_imbalance = 0.03;

/// Advice if an iteration does not converge.
std::string advice_for(const ie::MixedPotentialSolution& s, linalg::KrylovMethod method) {
  return fmt::format(": {}{}method = \"direct\" (dense factors) takes {:.2g} GiB",
                     s.is_indefinite() ? "negative permittivity makes iterations slow; " : "",
                     linalg::is_bicg_type(method) ? "take method = \"gmres\" or \"cocr\"; " : "",
                     ie::dense_bytes(s.system.num_unknowns()) / (1 << 30));
}

class MixedPotentialJob : public job::Problem<ie::MixedPotentialSolution> {
 public:
  MixedPotentialJob(const ie::MixedPotentialConfig& c, const ie::MixedPotentialProblem& problem,
                    run::Run& run)
      : case_(c), problem_(problem), run_(run) {}

  const char* stage() const override { return "fill and solve"; }
  bool is_written_first() const override { return true; }
  const ProcessGroup* processes() const override { return case_.solver.processes; }
  void keep_in(const run::FrequencySweep& sweep) override { sweep_ = &sweep; }

  job::Plan plan(run::Run& run) override {
    const auto timer = run.stage("basis");
    job::Plan plan;
    for (const double frequency : case_.frequencies) {
      const auto s = problem_.make(frequency);
      problem_.check(s, case_.refinement.has_value(), run);
      run.size("elements", long(s.system.elements.size()));
      ie::plan_solve(ie::equation_of(s, case_), ie::options_for(s, case_), num_waves(), run);
      plan.unknowns = std::max(plan.unknowns, long(s.system.num_unknowns()));
      check_interrupt();
    }
    return plan;
  }
  ie::MixedPotentialSolution solve(double frequency) override {
    auto s = problem_.make(frequency);
    const auto options = ie::options_for(s, case_);
    ie::set_right_hand_sides(s, case_);
    ie::KeptGroups groups(*sweep_, case_.number_of(frequency), case_.largest_group(s.system.num_unknowns()),
                          processes());
    ie::solve(ie::equation_of(s, case_), options, frequency, s.x, num_waves(),
              advice_for(s, options.krylov.method), run_, &groups);
    return s;
  }
  ie::MixedPotentialSolution unsolved(double frequency) override {
    auto s = problem_.make(frequency);
    s.x.resize(case_.waves.size() * std::size_t(s.system.num_unknowns()));
    return s;
  }
  job::Arrays arrays(ie::MixedPotentialSolution& s) const override { return {{"x", std::span(s.x)}}; }

 private:
  Index num_waves() const { return Index(case_.waves.size()); }

  const ie::MixedPotentialConfig& case_;
  const ie::MixedPotentialProblem& problem_;
  run::Run& run_;
  const run::FrequencySweep* sweep_ = nullptr;
};

class MixedPotentialFiles : public job::Sink<ie::MixedPotentialSolution> {
 public:
  MixedPotentialFiles(const ie::MixedPotentialConfig& c, const ie::MixedPotentialProblem& problem,
                      run::Run& run)
      : case_(c), problem_(problem), run_(run) {}
  void open() override {
    waves_.emplace(run_);
    if (case_.fields)
      fields_.emplace(run_.output(problem_.fields_name()), problem_.grid(), run_.provenance());
    const auto points = io::near_field_points(case_.near_fields);
    if (!points.empty()) near_.emplace(case_.near_fields, std::vector<int>(points.size(), 0), run_);
  }
  void add(std::size_t number, double frequency, const ie::MixedPotentialSolution& s) override {
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
  void write_waves(const ie::MixedPotentialSolution& s) {
    const ie::FarFields fields = ie::far_fields(s, run_.device());
    ie::WaveResults results{ie::wave_pattern(case_, false, fields, s.x.data()), {}, {}, {}};
    ie::add_sections(case_, fields, s.x.data(), ie::sections_of(case_, problem_, fields, s), results);
    ie::report_waves(
        case_, false, s.frequency, fields.k(), results,
        {volume_imbalance, "a finer mesh, or smaller acceleration.tolerance and integration_accuracy"},
        *waves_, run_);
  }
  void add_near_fields(const ie::MixedPotentialSolution& s) {
    near_->begin_step(s.frequency);
    for (std::size_t w = 0; w < case_.waves.size(); ++w) {
      const auto& wave = case_.waves[w];
      near_->add_scattered(wave.label(), io::excitation_suffix(w, case_.waves.size()),
                           ie::radiated_field(s.system, s.of(w), near_->points(), run_.device()),
                           [&](auto r) { return wave.wave.at(r, s.k); });
    }
  }
  void write_solution(const ie::MixedPotentialSolution& s, const std::string& name) {
    auto file = io::H5File::create(run_.output(name));
    file.write_provenance(run_.provenance(), problem_.format(), 1);
    file.set_attribute("frequency_hz", s.frequency);
    file.write("x", s.x, problem_.unknowns(),
               {std::uint64_t(case_.waves.size()), std::uint64_t(s.system.sources.num_cols)});
    problem_.write_more(s, file);
    file.close();
  }

  const ie::MixedPotentialConfig& case_;
  const ie::MixedPotentialProblem& problem_;
  run::Run& run_;
  std::optional<results::WaveFiles> waves_;
  std::optional<io::VtkHdfWriter> fields_;
  std::optional<ie::RadiatedFieldOutput> near_;
};

}  // namespace

void solve_frequencies(const io::Config& document, const ie::MixedPotentialConfig& c, const ie::ProblemOn& on,
                       mesh::Mesh mesh, run::Run& run) {
  ie::RefinedBodies refined{std::move(mesh)};
  auto problem = on(refined.mesh);
  if (job::begins_passes(c.refinement, run)) {
    for (const double f : c.frequencies) problem->make(f);  // for what it checks
    refined = ie::refine_bodies(document, c, on, std::move(refined.mesh), run);
    problem = on(refined.mesh);
  }
  MixedPotentialJob job(c, *problem, run);
  job::Sinks<ie::MixedPotentialSolution> sinks;
  sinks.push_back(std::make_unique<MixedPotentialFiles>(c, *problem, run));
  sinks.push_back(std::make_unique<ie::MixedPotentialErrors>(c, *problem, refined.passes, run));
  job::run(job, sinks, c.frequencies, run);
}

}  // namespace curlew::programs
