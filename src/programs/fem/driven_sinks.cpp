// SPDX-License-Identifier: BSD-3-Clause
// Results of a run with ports, written and printed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/error/residual_error.hpp"
#include "fem/passes/port_errors.hpp"
#include "fem/report/port_output.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/setup/cut_ports.hpp"
#include "io/csv.hpp"
#include "programs/fem/driven_job.hpp"
#include "programs/fem/port_gains.hpp"
#include "results/cells.hpp"
#include "results/pattern_bars.hpp"

namespace curlew::programs {
namespace {

using DrivenSink = job::SinkOf<DrivenStep, DrivenJob>;

/// received.csv, and a table.
class Received : public DrivenSink {
 public:
  using DrivenSink::DrivenSink;
  void open() override {
    auto comments = io::provenance_lines(run_.provenance());
    comments.emplace_back(
        "outgoing power waves b at matched ports, in sqrt W: |b|^2 is the power that leaves");
    csv_.emplace(run_.output("received.csv"), comments,
                 std::vector<std::string>{"frequency_hz", "excitation", "port", "re_b", "im_b", "power_w"});
  }
  void add(std::size_t, double frequency, const DrivenStep& step) override {
    const auto& excitations = case_.received.excitations;
    for (std::size_t i = 0; i < excitations.size(); ++i)
      for (std::size_t m = 0; m < job_.problem().modes().size(); ++m)
        add(frequency, excitations[i].label,
            fem::mode_label(job_.problem().ports(), job_.problem().modes()[m]),
            step.solution.source_waves(Eigen::Index(m), Eigen::Index(i)));
  }
  void close() override {
    csv_->close();
    run_.table("received by matched ports", {results::frequency_title, "excitation", "port", "power W"});
    for (const auto& row : table_) run_.row(row);
  }

 private:
  /// @param wave of the modelled part
  void add(double frequency, const std::string& excitation, const std::string& port, Complex wave) {
    const Complex b = std::sqrt(copies_) * wave;
    csv_->row({frequency, excitation, port, b.real(), b.imag(), std::norm(b)});
    run_.results()["received"].push_back(
        {{"frequency_hz", frequency}, {"excitation", excitation}, {"port", port}, {"power_w", std::norm(b)}});
    table_.push_back({results::in_ghz(frequency), excitation, port, fmt::format("{:.6g}", std::norm(b))});
  }

  double copies_ = fem::copies_of_whole(case_);  // ratio of the power through ports of the whole structure
  std::optional<io::CsvWriter> csv_;
  std::vector<std::vector<std::string>> table_;
};

/// NAME.sNp, ports.csv and active.csv, with the entries of S in the summary.
class Network : public DrivenSink {
 public:
  Network(const DrivenJob& job, run::Run& run)
      : DrivenSink(job, run),
        network_(job_.problem().ports(), job_.problem().modes(), case_.reference_impedance) {}
  const fem::PortNetwork& network() const { return network_; }
  void add(std::size_t, double, const DrivenStep& step) override {
    if (step.is_stated) case_.limit.add(step.solution, network_);
  }
  void close() override {
    fem::write_network(network_, job_.problem().model(), job_.problem().space(), case_.touchstone, run_);
  }

 private:
  fem::PortNetwork network_;
};

/// Error bars of S, and checks of power balance.
class PortChecks : public DrivenSink {
 public:
  /// @param network must outlive this object, and closes before it
  PortChecks(DrivenJob& job, const fem::PortNetwork& network, run::Run& run)
      : DrivenSink(job, run),
        own_job_(job),
        network_(network),
        report_(case_.accuracy, run, results::with_refinement),
        bars_(case_.bars) {}
  bool computes() const override { return true; }
  /// Includes the seconds of the run, from which those of the error estimate follow.
  void plan(const job::Plan&) override {
    if (case_.bars.empty()) plan_estimate();
    plan_gains();
    if (!run_.dry_run()) return;
    fem::FemWork work = job_.work();
    if (wants_gains_ && case_.frequencies.size() > 1) ++work.solutions;  // where copies have the factors
    work.check = check_.price;
    work.checks =
        double(fem::estimated_frequencies(check_, case_.frequencies.size(), work.solutions, report_));
    if (work.checks >= double(fem::swept_from)) work.checks = fem::sweep_solutions;
    fem::plan_fem_seconds(job_.problem().space(), job_.problem().solver_info(), work, run_);
  }
  void add(std::size_t, double frequency, const DrivenStep& step) override {
    if (step.is_solved) solved_.push_back(frequency);
    if (wants_gains_ && frequency == case_.request.middle_written() && !step.solution.x.empty()) {
      wants_gains_ = false;
      if (job_.problem().is_prepared_for(frequency) || case_.frequencies.size() == 1)
        add_gains(step.solution);
      else
        middle_ = step.solution;  // until copies of this process have ended, which have the memory
    }
    if (residuals_ && !step.solution.x.empty() && residuals_->wants(frequency))
      residuals_->add(step.solution);
  }
  void close() override {
    if (middle_) add_gains(*middle_);
    fem::state_stages(job_.problem().stages(), run_);
    const auto solve_again = [&](const auto& reported, const auto& state) {
      return fem::scattering_errors(case_.mesh, case_.topology, job_.problem().model(), case_.options,
                                    shape(check_.shape), case_.frequencies, reported, state);
    };
    fem::state_port_errors(
        {job_.problem(), case_.reference_impedance, check_, residuals_ ? residuals_->bars(network_) : bars_,
         case_.bars.empty() ? "" : " of the last pass", solve_again},
        network_, job_.model_error(), solved_, report_, run_);
    fem::check_network(network_, job_.problem().has_symmetric_scattering(),
                       job_.problem().model().is_lossless(), run_);
  }

 private:
  /// Error bars come from residuals if a second solution costs too much; in an adaptive sweep, if it does at
  /// all frequencies.
  void plan_estimate() {
    if (report_.is_off()) return;
    const auto& model = job_.problem().model();
    shape_ = fem::shape_variant(case_.mesh, case_.topology, model);
    const bool is_fast = case_.request.fast.has_value();
    const bool has_residuals = (is_fast ? report_.is_free() : report_.is_automatic()) &&
                               fem::no_residual_error(job_.problem()).empty();
    const auto price = fem::price_of_check(case_.topology, model.order, shape_.has_value());
    if (!has_residuals || !is_fast || is_cheap_everywhere(price))
      check_ = fem::plan_check(shape_, price,
                               {.entries = job_.problem().nnz(),
                                .info = job_.problem().solver_info(),
                                .solutions = double(case_.request.expected_solutions()),
                                .has_residuals = has_residuals},
                               report_);
    if (check_.is_wanted() || !has_residuals) return;
    const auto solutions =
        std::min(std::size_t(case_.request.expected_solutions()), fem::PortResiduals::most_waiting(is_fast));
    if (run::plan_optional(run_,
                           {"error estimate",
                            fem::residual_bytes(job_.problem(), solutions * job_.problem().modes().size())}))
      residuals_.emplace(job_.problem(),
                         fem::ResidualContext{.reference = case_.reference_impedance, .shape = shape(shape_)},
                         is_fast, report_, run_);
  }
  /// Bars of gains, and of S of a single frequency from the same residuals.
  void add_gains(const fem::DrivenSolution& solution) {
    const auto timer = run_.stage("error estimate");
    report_.attempt([&] {
      if (gains_again_.is_wanted()) return add_patterns(solution);
      const auto found = add_gain_bars(own_job_, solution, report_);
      if (!residuals_ || case_.frequencies.size() > 1) return;
      residuals_.reset();
      bars_ = {fem::residual_error(job_.problem(), solution, found,
                                   {.reference = case_.reference_impedance, .shape = shape(shape_)})};
    });
  }
  void add_patterns(const fem::DrivenSolution& solution) {
    const auto& problem = job_.problem();
    for (const auto& [column, error] :
         fem::patterns_solved_again(problem, case_, case_.options, shape(gains_again_.shape),
                                    case_.frequencies, solution, run_.device()))
      results::add_pattern_bars(solution.frequency,
                                fem::mode_label(problem.ports(), problem.modes()[std::size_t(column)]), false,
                                error, report_);
  }
  /// Gains have bars where residuals exist, without the shape of curved bodies, else by a second solution
  /// where it is cheap. Where other processes, passes or an earlier run have solved, residuals cost one more
  /// factorisation.
  void plan_gains() {
    const auto& problem = job_.problem();
    if (report_.is_off() || !fem::has_gain_errors(case_) || case_.request.written.empty() ||
        problem.is_split_at(case_.request.middle_written()))
      return;
    if (!shape_) shape_ = fem::shape_variant(case_.mesh, case_.topology, case_.model);
    const bool has_facets = case_.mesh.geometry_order == 1 && shape_;
    if (!has_facets && report_.is_automatic() && problem.space().order < 3 &&
        fem::no_residual_error(problem).empty()) {
      wants_gains_ = run::plan_optional(
          run_, {"error estimate of gains", fem::residual_bytes(problem, 2 * problem.modes().size())});
      return;
    }
    gains_again_ =
        fem::plan_check(shape_, fem::price_of_check(case_.topology, case_.model.order, bool(shape_)),
                        {.entries = problem.nnz(),
                         .info = problem.solver_info(),
                         .solutions = double(case_.request.expected_solutions()),
                         .has_residuals = true},
                        report_);
    wants_gains_ = gains_again_.is_wanted();
  }
  bool is_cheap_everywhere(const fem::CheckPrice& price) const {
    const auto all = case_.frequencies.size();
    return fem::estimated_frequencies({{}, price}, all, case_.request.expected_solutions(), report_) == all;
  }
  static const fem::ShapeVariant* shape(const std::optional<fem::ShapeVariant>& of) {
    return of ? &*of : nullptr;
  }

  DrivenJob& own_job_;
  const fem::PortNetwork& network_;
  results::ErrorReport report_;
  bool wants_gains_ = false;  // and has none yet
  std::optional<fem::DrivenSolution> middle_;
  fem::PlannedCheck check_, gains_again_;
  std::optional<fem::ShapeVariant> shape_;
  std::optional<fem::PortResiduals> residuals_;
  std::vector<fem::ScatteringError> bars_;  // of S if not from these
  std::vector<double> solved_;              // [Hz]
};

}  // namespace

job::Sinks<DrivenStep> driven_sinks(DrivenJob& job, run::Run& run) {
  job::Sinks<DrivenStep> sinks;
  sinks.push_back(std::make_unique<fem::MaxwellSink<DrivenStep>>(job, run));
  if (!job.config().received.excitations.empty()) sinks.push_back(std::make_unique<Received>(job, run));
  const auto derive = [&job](double, const DrivenStep& step, fem::Sensitivities& to) {
    if (step.is_written) to.add(job.problem(), step.solution);
  };
  if (!job.config().parameters.empty())
    sinks.push_back(std::make_unique<fem::DerivativeSink<DrivenStep>>(derive, job.config().parameters,
                                                                      job.config().reference_impedance, run));
  auto network = std::make_unique<Network>(job, run);
  auto checks = std::make_unique<PortChecks>(job, network->network(), run);
  sinks.push_back(std::move(network));
  sinks.push_back(std::move(checks));
  return sinks;
}

}  // namespace curlew::programs
