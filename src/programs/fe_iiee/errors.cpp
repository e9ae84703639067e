// SPDX-License-Identifier: BSD-3-Clause
// Error bars of far fields, radar cross-sections, radiated powers and S of fe-iiee.

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/interrupt.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/passes/planned_check.hpp"
#include "fem/passes/port_errors.hpp"
#include "programs/fe_iiee/job.hpp"
#include "programs/fe_iiee/peaks.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"
#include "truncation/result_error.hpp"

namespace curlew::fe_iiee {
namespace {

/// Every solution includes the iteration with radiation integrals: the limit for cheap estimates is lower
/// than for closed problems.
constexpr long small_unknowns = 30000;

/// A second solution makes new surfaces, radiation operator and factors: for a horn of order 3 it took 6.4
/// times the run, where unknowns predict 0.4.
constexpr double set_up_again = 16;

/// Those of the results; for a wave the last is towards its source.
std::vector<std::vector<fields::Direction>> directions_of(const TruncatedCase& c, std::size_t excitations) {
  std::vector<std::vector<fields::Direction>> directions(excitations, c.far_field.directions);
  for (std::size_t i = 0; i < c.waves.size(); ++i) {
    directions[i] = c.directions(c.waves[i]);
    if (!c.far_field.monostatic) directions[i].push_back(c.waves[i].source());
  }
  return directions;
}

class Errors : public fem::CheckSink<Solved> {
 public:
  Errors(TruncatedJob& job, run::Run& run)
      : CheckSink(job.config().accuracy, job.config().model.order, job.config().sweep.written.size(), run),
        job_(job),
        case_(job.config()) {}
  void plan(const job::Plan&) override {
    if (!report_.is_off()) decide();
    job_.plan_time(check_.price, double(report_.checks(frequencies_)), run_);
  }
  /// Estimates from residuals at all written frequencies, while their factors exist; by a second solution at
  /// the middle one, or as [accuracy] sets.
  void add(std::size_t, double frequency, const Solved& s) override {
    const auto& written = case_.sweep.written;
    if (by_residuals_) return add_peaks(frequency, s);
    const auto number = std::ranges::lower_bound(written, frequency) - written.begin();
    if (s.is_written) CheckSink::add(std::size_t(number), frequency, s);
  }
  void close() override {
    if (!has_port_residuals()) CheckSink::close();
  }
  /// Whether the report also has bars of S from residuals.
  bool has_port_residuals() const { return by_residuals_ && case_.is_driven_by_ports(); }
  results::ErrorReport& report() { return report_; }
  const fem::ShapeVariant* shape() const { return CheckSink::shape(); }

 private:
  void estimate(double, const Solved& s) override { solve_again(s); }
  void decide();
  void solve_again(const Solved& s);
  void add_peaks(double frequency, const Solved& s);

  TruncatedJob& job_;
  const TruncatedCase& case_;
  std::set<double> done_;  // [Hz]
};

/// A second solution is for one frequency; in a sweep every one has its bars.
void Errors::decide() {
  const auto& request = case_.accuracy;
  auto shape = fem::shape_variant(case_.mesh, case_.topology, case_.model);
  const auto price = fem::price_of_check(case_.topology, case_.model.order, shape.has_value());
  const auto& system = std::as_const(job_).system();
  const results::EstimateCost cost{
      price.unknowns, set_up_again * price.solutions, double(frequencies_),
      [&] { return fem::check_memory(price, system.nnz(), system.solver_info()); }, small_unknowns};
  const bool is_asked = request.estimate != results::Estimate::automatic || request.tolerance;
  const std::size_t all = case_.sweep.all().size();
  const bool is_cheap = all == 1 && (cost.unknowns <= cost.small || cost.price <= cost.solutions);
  const std::size_t of_each = case_.waves.empty() ? 1 : 3;  // a wave may have two dual waves
  const auto columns = of_each * job_.num_columns() *
                       std::min(all, fem::PortResiduals::most_waiting(case_.sweep.fast.has_value()));
  by_residuals_ = !is_asked && !is_cheap && obstacle_to_passes(case_).empty() &&
                  fem::no_residual_error(system).empty() &&
                  run::plan_optional(run_, {"error estimate", fem::residual_bytes(system, columns)});
  if (by_residuals_)
    check_.shape = std::move(shape);
  else if (report_.is_wanted(cost))
    check_ = {std::move(shape), price};
}

/// The excitation of all ports is a sum of columns and not solved for; dual waves have no results.
void Errors::solve_again(const Solved& s) {
  const Drive& drive = s.drive;
  const std::size_t solved = drive.num_solved() - case_.duals.added.size();
  const auto errors =
      truncation::result_errors({case_.mesh,
                                 case_.topology,
                                 case_.model,
                                 case_.options,
                                 s.frequency,
                                 {drive.excitations.begin(), drive.excitations.begin() + long(solved)},
                                 directions_of(case_, solved),
                                 case_.splits()},
                                job_.problem(), s.result);
  for (const std::size_t c : drive.shown)
    if (c < solved) {
      const auto& label = drive.labels[c];
      case_.waves.empty() ? results::add_pattern_bars(s.frequency, label, false, errors[c], report_)
                          : results::add_wave_bars(s.frequency, label, case_.far_field.monostatic,
                                                   errors[c].field.size() - 1, errors[c], report_);
    }
  if (!case_.is_driven_by_ports()) return;
  Eigen::MatrixXd bars = s.waves.cwiseAbs(), elements = bars;  // normalised to the modes' own impedances
  for (Eigen::Index j = 0; j < bars.cols(); ++j) {
    const auto& error = errors[std::size_t(j)];
    bars.col(j) = Eigen::Map<const Eigen::VectorXd>(error.waves.data(), bars.rows());
    elements.col(j) = Eigen::Map<const Eigen::VectorXd>(error.wave_elements.data(), bars.rows());
  }
  results::add_scattering_bars(s.frequency, s.waves, bars, elements, report_);
}

/// Adds the bars of waves, also towards their sources, and of ports.
void Errors::add_peaks(double frequency, const Solved& s) {
  if (!case_.sweep.is_written(frequency) || s.result.x.empty() || !done_.insert(frequency).second) return;
  std::vector<std::size_t> columns;
  for (const std::size_t c : s.drive.shown)
    if (c < s.drive.num_solved() - case_.duals.added.size()) columns.push_back(c);
  const auto timer = run_.stage("error estimate");
  const InterruptHold hold;  // the rows of the frequency follow
  report_.attempt([&] {
    std::vector<Look> looks;
    if (case_.waves.empty() || !case_.far_field.monostatic) looks.push_back(Look::greatest);
    if (!case_.waves.empty()) looks.push_back(Look::back);
    const Peaks peaks(job_, s, columns, looks);
    const auto errors = peaks.errors(shape());
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const auto& label = s.drive.labels[peaks.column(i)];
      looks[i % looks.size()] == Look::back
          ? results::add_section_bar(frequency, label, "backscatter", 0, errors[i], report_)
          : results::add_peak_bars(frequency, label, !case_.waves.empty(), errors[i], report_);
    }
  });
}

/// Bars of S and impedances at all frequencies from the residuals of the full solutions, which need no
/// factors.
class PortErrors : public job::SinkOf<Solved, TruncatedJob> {
 public:
  /// @param network closes before this, @param errors too: all are in one report
  PortErrors(const TruncatedJob& job, const fem::PortNetwork& network, Errors& errors, run::Run& run)
      : SinkOf(job, run), network_(network), errors_(errors) {}
  bool computes() const override { return true; }
  void plan(const job::Plan&) override {
    if (errors_.has_port_residuals())
      residuals_.emplace(job_.system(),
                         fem::ResidualContext{.reference = case_.reference_impedance,
                                              .shape = errors_.shape(),
                                              .truncation = job_.problem().surfaces().outer,
                                              .power = job_.share()},
                         case_.sweep.fast.has_value(), errors_.report(), run_);
  }
  void add(std::size_t, double frequency, const Solved& s) override {
    if (s.is_solved) solved_.push_back(frequency);
    if (residuals_ && !s.result.x.empty() && residuals_->wants(frequency))
      residuals_->add(job_.ports_with_fields(s));
  }
  void close() override {
    if (residuals_)
      fem::state_port_errors({job_.system(), case_.reference_impedance, {}, residuals_->bars(network_)},
                             network_, job_.model_error(), solved_, errors_.report(), run_);
  }

 private:
  const fem::PortNetwork& network_;
  Errors& errors_;
  std::optional<fem::PortResiduals> residuals_;
  std::vector<double> solved_;  // [Hz]
};

}  // namespace

void add_error_sinks(TruncatedJob& job, const fem::PortNetwork* network, job::Sinks<Solved>& sinks,
                     run::Run& run) {
  auto errors = std::make_unique<Errors>(job, run);
  auto of_ports = network ? std::make_unique<PortErrors>(job, *network, *errors, run) : nullptr;
  sinks.push_back(std::move(errors));
  if (of_ports) sinks.push_back(std::move(of_ports));
}

}  // namespace curlew::fe_iiee
