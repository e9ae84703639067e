// SPDX-License-Identifier: BSD-3-Clause
// mom2d: scattering by cylinders, by the method of moments and the locally corrected Nystroem method.

#include "programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "job/dense_memory.hpp"
#include "mom2d/run/outcome.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

/// The library reports contours by name; the file is added here.
void check_scene(const mom2d::Mom2dCase& c, const mom2d::Problem& problem) {
  try {
    mom2d::make_scene(problem);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", c.file, e.what()));
  }
}

class Mom2dProblem : public job::SampledProblem<mom2d::Solution> {
 public:
  Mom2dProblem(const mom2d::Mom2dCase& c, run::Run& run) : case_(c), run_(run) {
    for (const double degrees : c.incidence_deg) phi_.push_back(degrees * pi / 180);
  }

  /// Problems are made again when solved, since there may be many frequencies.
  job::Plan plan(run::Run& run) override {
    const auto largest = largest_plan();
    run.size("cells", long(largest.cells));
    run.size("unknowns", long(largest.unknowns));
    job::plan_dense_memory(largest.unknowns, Offset(phi_.size()), case_.precision, case_.limits,
                           linalg::EntriesMade::where_factored, run);
    job::plan_samples(case_.adaptive, case_.frequencies.size(),
                      4 * phi_.size() * std::size_t(largest.unknowns), run);
    const auto n = double(largest.unknowns);
    job::plan_dense_seconds(job::dense_seconds(mom2d::mom2d_fill(n), n, double(phi_.size()), run),
                            double(case_.frequencies.size()), run);
    return {long(largest.unknowns), 2 * phi_.size() * std::size_t(largest.unknowns) * sizeof(Complex)};
  }

  const char* stage() const override { return "fill and solve"; }

  /// Before any work. @throws InputError
  void check() const { largest_plan(); }
  /// Adds known solutions. @param known by frequency [Hz]
  void know(std::map<double, mom2d::Solution> known) { known_ = std::move(known); }

  mom2d::Solution solve(double frequency) override {
    if (auto known = known_.extract(frequency)) return std::move(known.mapped());
    return mom2d::solve(case_.at(frequency), phi_, {run_.device(), case_.precision, true, case_.limits});
  }

  mom2d::Solution unsolved(double frequency) override {
    auto s = mom2d::unsolved(case_.at(frequency), phi_);
    s.u.resize(phi_.size() * std::size_t(s.nodes.size())), s.v.resize(s.u.size());
    s.report.method = "saved by an interrupted run";
    return s;
  }

  job::Arrays arrays(mom2d::Solution& s) const override {
    return {{"u", std::span(s.u)},
            {"v", std::span(s.v)},
            {"condition", std::span(&s.report.condition, 1)},
            {"residual", std::span(&s.report.residual, 1)},
            {"fill_seconds", std::span(&s.fill_seconds, 1)},
            {"factor_seconds", std::span(&s.report.factor_seconds, 1)},
            {"solve_seconds", std::span(&s.report.solve_seconds, 1)}};
  }

  /// Columns u, then v, of each wave.
  linalg::SampledColumns columns(const mom2d::Solution& s) const override {
    const std::size_t n = s.u.size() / phi_.size();
    linalg::SampledColumns out{{}, Index(2 * n)};
    for (std::size_t w = 0; w < phi_.size(); ++w)
      for (const auto* values : {&s.u, &s.v})
        out.x.insert(out.x.end(), values->begin() + Offset(w * n), values->begin() + Offset((w + 1) * n));
    return out;
  }

  mom2d::Solution between(double frequency, const std::vector<Complex>& columns) override {
    auto s = unsolved(frequency);
    s.report.method.clear();
    const std::size_t n = s.u.size() / phi_.size();
    for (std::size_t w = 0; w < phi_.size(); ++w) {
      const auto from = columns.begin() + Offset(2 * w * n);
      std::copy_n(from, n, s.u.begin() + Offset(w * n));
      std::copy_n(from + Offset(n), n, s.v.begin() + Offset(w * n));
    }
    return s;
  }

 private:
  mom2d::Plan largest_plan() const {
    mom2d::Plan largest{};
    for (const double frequency : case_.frequencies) {
      const auto problem = case_.at(frequency);
      check_scene(case_, problem);
      if (const auto plan = mom2d::plan(problem); plan.unknowns > largest.unknowns) largest = plan;
      check_interrupt();
    }
    return largest;
  }

  const mom2d::Mom2dCase& case_;
  run::Run& run_;
  std::vector<double> phi_;  // [rad] directions from which the waves come
  std::map<double, mom2d::Solution> known_;
};

/// Note of a dry run on passes: they begin with the cells of the config, else with half of those by
/// wavelength.
std::string pass_of_plan(const mom2d::Mom2dCase& c) {
  const bool is_second = std::ranges::none_of(c.bodies, &mom2d::StatedBody::states_cells);
  return std::string(is_second ? "second" : "first") +
         " pass, and each further one doubles the unknowns (4 times the memory, up to 8 times the time)";
}

void solve(const io::Config& config, run::Run& run) {
  auto c = mom2d::read_mom2d_case(config, run);
  Mom2dProblem problem(c, run);
  mom2d::RefinedContours refined;
  if (job::begins_passes(c.refinement, run, pass_of_plan(c).c_str())) {
    problem.check();
    refined = mom2d::refine_contours(c, problem, run);
    problem.know(std::move(refined.solutions));
  }
  const auto sinks = mom2d::mom2d_sinks(c, refined.bars, run);
  if (c.adaptive)
    job::run_adaptively(problem, sinks, c.frequencies, *c.adaptive, run);
  else
    job::run(problem, sinks, c.frequencies, run);
}

}  // namespace

int curlew::programs::mom2d(int argc, char** argv) {
  const run::AppInfo info{
      .name = "mom2d",
      .summary = "2D scattering: method of moments and locally corrected Nystroem, TM and TE.",
      .example = "mom2d configs/circle.toml --set excitation.polarization=te",
      .has_single_precision = true};
  return run::run_app(info, argc, argv, solve);
}
