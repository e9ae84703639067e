// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/run/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/constants.hpp"
#include "base/decibel.hpp"
#include "fields/pattern_error.hpp"
#include "job/dense_memory.hpp"
#include "job/error_sink.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/halved.hpp"
#include "mom2d/rounding.hpp"
#include "results/pattern_bars.hpp"
#include "run/mesh_input.hpp"
#include "run/time_plan.hpp"

namespace curlew::mom2d {
namespace {

/// Unknowns of the halved cells up to which the estimate takes about a second.
constexpr long small_unknowns = 2000;
/// Cost factor of twice the unknowns: four times the entries, eight times the operations of the
/// factorisation.
constexpr double halved_price = 8;

/// [rad] those of the config, then back and forward.
std::vector<double> angles_of(const Mom2dCase& c, double phi_inc) {
  std::vector<double> angles;
  for (const double a : c.angles_deg) angles.push_back(a * pi / 180);
  angles.insert(angles.end(), {phi_inc, phi_inc + pi});
  return angles;
}

/// True if the CFIE, which has no interior resonances, can replace the equation of the run.
bool takes_cfie(const Mom2dCase& c) {
  return c.formulation.equation != Equation::cfie && !c.formulation.paper_mom &&
         std::all_of(c.bodies.begin(), c.bodies.end(), [](const auto& body) { return body.shape.closed; });
}

/// Uses the CFIE and, without adaptive passes, halved cells: near an interior resonance the EFIE or MFIE on
/// smaller cells would be as wrong as that of the run.
Problem checking(Problem problem, const Mom2dCase& c, bool halves) {
  if (halves)
    for (auto& body : problem.bodies) body.contour = halved(body.contour);
  if (!takes_cfie(c)) return problem;
  problem.equation = Equation::cfie;
  problem.alpha = 0.5;
  return problem;
}

void add_width_bar(double frequency, double k, const std::string& label, const std::string& name,
                   std::size_t at, const fields::PatternError& error, results::ErrorReport& report) {
  const double f = error.strength[at];
  results::add_direction_bar(frequency, label,
                             {name + " echo width", "1", name + "_width_db_error",
                              fmt::format("{:.4f} dBm", power_decibel(f * f / (4 * k)))},
                             at, error, report);
}

}  // namespace

fields::Quantities amplitudes_of(const Mom2dCase& c, const Solution& s) {
  fields::Quantities q;
  for (std::size_t w = 0; w < s.phi.size(); ++w) {
    const auto f = far_amplitude(s, w, angles_of(c, s.phi[w]));
    q.insert(q.end(), f.begin(), f.end());
    q.resize(q.size() + f.size());
    q.push_back(1);
  }
  return q;
}

fields::PatternError wave_error(const Mom2dCase& c, const Solution& s, std::size_t wave,
                                const fields::Quantities& amplitudes, const fields::Changes& changes) {
  const std::size_t m = c.angles_deg.size() + 2;
  auto error = fields::pattern_error(amplitudes, changes, wave * (2 * m + 1), m);
  constexpr double written = 5e-12;  // half a unit of the last of twelve digits in files
  const double rounded = written * fields::greatest_of(error, m);
  return fields::raised(std::move(error), rounding_error(s, wave) + rounded);
}

double least_ratio(const Problem& problem) {
  const bool has_wedges = std::any_of(problem.bodies.begin(), problem.bodies.end(), [](const Body& body) {
    return body.boundary != Boundary::dielectric && body.contour.closed && !body.contour.smooth;
  });
  return has_wedges ? fields::wedge_ratio : fields::smooth_ratio;
}

namespace {

class Mom2dErrors : public job::ErrorSink<Solution> {
 public:
  Mom2dErrors(const Mom2dCase& config, const ContourBars& passes, run::Run& run)
      : ErrorSink(config.accuracy, config.frequencies.size(), run,
                  run::source_of_sizes(run) == run::keys_of_sizes ? "take more cells or nodes"
                                                                  : "take more cells or nodes ({})"),
        config_(config),
        passes_(passes) {}
  void plan(const job::Plan& plan) override;

 private:
  void estimate(double frequency, const Solution& solution) override;
  std::string how() const override;
  bool has_passes() const override { return !halves_; }
  void take_passes(double frequency, const Solution& solution) override;
  void add_bars(double frequency, const Solution& solution, const fields::Quantities& amplitudes,
                const fields::Changes& changes);

  const Mom2dCase& config_;
  const ContourBars& passes_;
  bool halves_ = true;  // on halved cells; else by the CFIE on those of the last pass
};

void Mom2dErrors::plan(const job::Plan& plan) {
  if (report_.is_off()) return;
  halves_ = !report_.is_free() || (passes_.empty() && !(config_.refinement && run_.dry_run()));
  if (!halves_ && !takes_cfie(config_)) return;
  const long unknowns = (halves_ ? 2 : 1) * plan.unknowns;
  const auto memory = [&]() -> run::OptionalPart {
    const auto dense = linalg::plan_dense(unknowns, int(config_.incidence_deg.size()), config_.precision,
                                          run_.device(), config_.limits, linalg::EntriesMade::where_factored);
    return {"error estimate", dense.host_bytes, dense.device_bytes, false};
  };
  is_wanted_ =
      report_.is_wanted({unknowns, halves_ ? halved_price : 1, double(frequencies_), memory, small_unknowns});
  if (!is_wanted_) return;
  const auto checks = double(report_.checks(frequencies_));
  const auto each = job::dense_seconds(mom2d_fill(double(unknowns)), double(unknowns),
                                       double(config_.incidence_deg.size()), run_);
  if (each.solution > 0) run::plan_seconds(run_, "error estimate", checks * (each.fill + each.solution));
}

void Mom2dErrors::take_passes(double frequency, const Solution& solution) {
  if (const auto known = passes_.find(frequency); known != passes_.end() && !takes_cfie(config_))
    add_bars(frequency, solution, amplitudes_of(config_, solution), known->second);
}

void Mom2dErrors::estimate(double frequency, const Solution& solution) {
  const auto finer = solve(checking(solution.problem, config_, halves_), solution.phi,
                           {run_.device(), config_.precision, false, config_.limits});
  const auto before = amplitudes_of(config_, solution), after = amplitudes_of(config_, finer);
  auto changes = fields::changes_of(before, after);
  changes.least_ratio = least_ratio(solution.problem);
  const auto known = passes_.find(frequency);
  if (!halves_ && known != passes_.end()) changes = fields::greater(changes, known->second);
  add_bars(frequency, solution, before, changes);
}

void Mom2dErrors::add_bars(double frequency, const Solution& solution, const fields::Quantities& amplitudes,
                           const fields::Changes& changes) {
  const std::size_t m = config_.angles_deg.size() + 2;
  for (std::size_t w = 0; w < solution.phi.size(); ++w) {
    const auto label = fmt::format("phi {:g}", solution.phi[w] * 180 / pi);
    const auto error = wave_error(config_, solution, w, amplitudes, changes);
    results::add_mean_pattern_bar(frequency, label, error, report_);
    add_width_bar(frequency, solution.problem.wavenumber, label, "backscatter", m - 2, error, report_);
    add_width_bar(frequency, solution.problem.wavenumber, label, "forward", m - 1, error, report_);
  }
}

std::string Mom2dErrors::how() const {
  const std::string cells = halves_ ? "from cells of half the length" : "from the last two passes";
  return cells + (takes_cfie(config_) ? halves_ ? " by the CFIE" : " and the CFIE" : "");
}

}  // namespace

std::unique_ptr<job::Sink<Solution>> mom2d_errors(const Mom2dCase& c, const ContourBars& passes,
                                                  run::Run& run) {
  return std::make_unique<Mom2dErrors>(c, passes, run);
}

}  // namespace curlew::mom2d
