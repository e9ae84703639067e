// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/mixed_potential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "ie/results/near_field.hpp"
#include "ie/volume/volume_system.hpp"
#include "io/array_names.hpp"
#include "programs/ie/errors.hpp"
#include "programs/ie/kept_solutions.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "programs/ie/wave_output.hpp"

namespace curlew::programs {
namespace {

/// Up to this many unknowns the matrix is made and factored faster than an operator is set up.
constexpr Index dense_limit = 3000;
/// The same where iterations take hundreds of steps or do not converge: negative permittivity, whose operator
/// is indefinite. 1.6 GB.
constexpr Index indefinite_limit = 10000;
/// Of extinction, beyond which the balance of powers is worth a warning.
constexpr double volume_imbalance = 0.03;

void read_solver(const io::Config& config, run::Run& run, MixedPotentialConfig& c) {
  const auto stated = read_common(
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
      preconditioner_from(t.choice_or("preconditioner", {"jacobi", "none", "charges"}, "jacobi"));
  c.charge_steps = t.table("expert").integer_in_or("preconditioner_steps", 1, 1000, c.charge_steps);
}

ie::MixedPotentialEquation equation_of(const MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  return ie::MixedPotentialEquation(s.system, c.integration, c.charge_steps);
}

void set_right_hand_sides(MixedPotentialSolution& s, const MixedPotentialConfig& c) {
  s.x.clear();
  for (const auto& wave : c.waves) {
    const auto b = ie::test_field(s.system, [&](Vec3<double> r) { return wave.wave.electric(s.k, r); });
    s.x.insert(s.x.end(), b.begin(), b.end());
  }
}

double dense_bytes(Index unknowns) {
  return 16 * double(unknowns) * double(unknowns);
}

/// Dense factors or not, and for indefinite problems the iteration that reaches its tolerance.
void choose_method(const MixedPotentialProblem& problem, const MixedPotentialSolution& s,
                   MixedPotentialConfig& c) {
  const Index n = s.system.num_unknowns();
  const bool fits = n <= indefinite_limit && dense_bytes(n) < 0.5 * double(available_memory());
  if (c.automatic) c.solver.direct = n <= dense_limit || (problem.is_indefinite() && fits);
  if (!c.automatic_method || !problem.is_indefinite()) return;
  c.solver.krylov.method = linalg::krylov_method_from("gmres");
  c.solver.krylov.restart = std::max(c.solver.krylov.restart, 500);
}

/// What to do if an iteration does not converge.
std::string advice_for(const MixedPotentialProblem& problem, const MixedPotentialSolution& s,
                       linalg::KrylovMethod method) {
  return fmt::format(": {}{}method = \"direct\" (dense factors) takes {:.2g} GiB",
                     problem.is_indefinite() ? "negative permittivity makes iterations slow; " : "",
                     linalg::is_bicg_type(method) ? "take method = \"gmres\" or \"cocr\"; " : "",
                     dense_bytes(s.system.num_unknowns()) / (1 << 30));
}

/// One point an element, as in the sums of the products: cells are small against the wavelength.
ie::FarFields far_fields(const MixedPotentialSolution& s, Device device = Device::cpu) {
  return ie::FarFields(ie::radiating_points(s.system, s.system.elements.size() > 50000 ? 1 : 2), device);
}

SolveCost cost_on(MixedPotentialProblem& problem, double frequency, MixedPotentialConfig c,
                  const run::Run& run) {
  const auto& s = problem.make(frequency);
  choose_method(problem, s, c);
  return cost_of(equation_of(s, c), c.solver, Index(c.waves.size()), run);
}

/// Whether errors are estimated. @param s of the first frequency
void decide(const MixedPotentialSolution& s, const MixedPotentialConfig& c,
            const MixedPotentialProblem& problem, IeErrors& errors, const run::Run& run) {
  errors.decide(long(problem.growth() * double(s.system.num_unknowns())), problem.growth(), [&] {
    const auto finer = cost_on(*problem.finer(), s.frequency, c, run);
    const auto moved = problem.moved();
    return moved ? finer + cost_on(*moved, s.frequency, c, run) : finer;
  });
}

/// wave_quantities of the problem on another mesh.
fields::Quantities solve_again(MixedPotentialProblem& problem, double frequency, MixedPotentialConfig c) {
  auto& s = problem.make(frequency);
  choose_method(problem, s, c);
  set_right_hand_sides(s, c);
  solve_finer(equation_of(s, c), c.solver, s.x, Index(c.waves.size()));
  return wave_quantities(c, false, far_fields(s), s.x.data());
}

void estimate_errors(const MixedPotentialSolution& s, const MixedPotentialConfig& c,
                     const MixedPotentialProblem& problem, IeErrors& errors) {
  const auto q = wave_quantities(c, false, far_fields(s), s.x.data());
  const auto finer = solve_again(*problem.finer(), s.frequency, c);
  const auto on_surface = problem.moved();
  const auto moved = on_surface ? solve_again(*on_surface, s.frequency, c) : fields::Quantities();
  add_wave_bars(c, false, s.frequency, q, changes_of(q, finer, moved), errors.report());
}

/// rcs.csv and the table of cross-sections.
void write_waves(const MixedPotentialSolution& s, const MixedPotentialConfig& c,
                 const MixedPotentialProblem& problem, results::WaveFiles& files, run::Run& run) {
  const ie::FarFields fields = far_fields(s, run.device());
  WaveResults results{wave_pattern(c, false, fields, s.x.data()), {}, {}, {}};
  const auto waves = printed_waves(c);
  std::vector<double> absorption;
  for (std::size_t w = 0; w < waves.size(); ++w) absorption.push_back(problem.absorption(w));
  add_sections(c, fields, s.x.data(), ie::cross_sections(fields, s.x.data(), waves, absorption), results);
  report_waves(c, false, s.frequency, fields.k(), results,
               {volume_imbalance, "a finer mesh, or smaller acceleration.tolerance and integration_accuracy"},
               files, run);
}

/// Files that hold all frequencies, and the one of each.
class Files {
 public:
  Files(const MixedPotentialConfig& config, const MixedPotentialProblem& problem, run::Run& run)
      : config_(config), problem_(problem), run_(run), waves_(run) {
    if (config.fields)
      fields_ = std::make_unique<io::VtkHdfWriter>(run.output(problem.fields_name()), problem.grid(),
                                                   run.provenance());
    const auto points = io::near_field_points(config.near_fields);
    if (!points.empty())
      near_ =
          std::make_unique<RadiatedFieldOutput>(config.near_fields, std::vector<int>(points.size(), 0), run);
  }
  void write(const MixedPotentialSolution& s) {
    write_waves(s, config_, problem_, waves_, run_);
    const bool with_fields = config_.writes_fields_at(s.frequency);
    if (fields_ && with_fields) {
      fields_->begin_step(s.frequency);
      problem_.write_fields(config_.waves.size(), *fields_);
    }
    if (near_ && with_fields) add_near_fields(s);
    ++steps_;
    if (!config_.solution || !with_fields) return;
    const std::string suffix = config_.frequencies.size() == 1 ? "" : fmt::format("_{}", steps_);
    auto file = io::H5File::create(run_.output("solution" + suffix + ".h5"));
    file.write_provenance(run_.provenance(), problem_.format(), 1);
    file.set_attribute("frequency_hz", s.frequency);
    file.write("x", s.x, problem_.unknowns(),
               {std::uint64_t(config_.waves.size()), std::uint64_t(s.system.sources.num_cols)});
    problem_.write_more(file);
    file.close();
  }
  void close() {
    waves_.close();
    if (fields_) fields_->close();
    if (near_) near_->close();
  }

 private:
  void add_near_fields(const MixedPotentialSolution& s) {
    near_->begin_step(s.frequency);
    for (std::size_t w = 0; w < config_.waves.size(); ++w) {
      const auto& wave = config_.waves[w];
      near_->add_scattered(wave.label(), io::excitation_suffix(w, config_.waves.size()),
                           ie::radiated_field(s.system, s.of(w), near_->points(), run_.device()),
                           [&](auto r) { return wave.wave.at(r, s.k); });
    }
  }

  const MixedPotentialConfig& config_;
  const MixedPotentialProblem& problem_;
  run::Run& run_;
  results::WaveFiles waves_;
  std::unique_ptr<io::VtkHdfWriter> fields_;
  std::unique_ptr<RadiatedFieldOutput> near_;
  int steps_ = 0;
};

}  // namespace

MixedPotentialConfig read_mixed_potential_config(const io::Config& config, run::Run& run) {
  MixedPotentialConfig c;
  if (config.has("port"))
    config.error("port",
                 "the volume and film equations have no ports: take equation = \"efie\" with type = \"pec\"");
  read_solver(config, run, c);
  c.accuracy = results::read_accuracy(config);
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.waves = read_waves(excitation);
  return c;
}

void solve_frequencies(MixedPotentialConfig& config, MixedPotentialProblem& problem, run::Run& run) {
  const auto prepare = [&](double frequency) -> MixedPotentialSolution& {
    const auto timer = run.stage("basis");
    auto& solution = problem.prepare(frequency, run);
    choose_method(problem, solution, config);
    run.size("elements", long(solution.system.elements.size()));
    plan_solve(equation_of(solution, config), config.solver, Index(config.waves.size()), run);
    return solution;
  };
  IeErrors errors(config.accuracy, config, run);
  if (run.dry_run()) {
    for (const double frequency : config.frequencies) {
      const auto& solution = prepare(frequency);
      if (frequency == config.frequencies.front()) decide(solution, config, problem, errors, run);
    }
    return;
  }
  std::unique_ptr<Files> files;
  run::FrequencySweep sweep(config.frequencies, run);
  sweep.carry(errors.report());
  sweep.each([&](std::size_t number, double frequency) {
    auto& solution = prepare(frequency);
    if (number == 0) decide(solution, config, problem, errors, run);
    if (auto known = find_solution(sweep, number)) {
      solution.x = std::move((*known)["x"]);
    } else {
      const auto timer = run.stage("fill and solve");
      set_right_hand_sides(solution, config);
      KeptGroups groups(sweep, number, config.largest_group(solution.system.num_unknowns()));
      solve(equation_of(solution, config), config.solver, solution.frequency, solution.x,
            Index(config.waves.size()), advice_for(problem, solution, config.solver.krylov.method), run,
            &groups);
      keep_solution(sweep, number, {{"x", solution.x}});
    }
    sweep.finish_solution(
        number, [&] { errors.at(frequency, [&] { estimate_errors(solution, config, problem, errors); }); });
    const InterruptHold hold;
    const auto timer = run.stage(run::results_stage);
    if (!files) files = std::make_unique<Files>(config, problem, run);
    files->write(solution);
  });
  if (files) files->close();
  errors.close();
}

}  // namespace curlew::programs
