// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[port]] in fem-solve: the values of the config and the problem they describe.

#include <map>
#include <optional>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/error/scattering_error.hpp"
#include "fem/passes/port_gains.hpp"
#include "fem/report/combined.hpp"
#include "fem/report/maxwell_files.hpp"
#include "fem/report/received.hpp"
#include "fem/report/sensitivities.hpp"
#include "fem/report/solver_report.hpp"
#include "fem/setup/static_limit.hpp"
#include "fem/setup/sweep_request.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

/// Not copied or moved: its finite-element space points to mesh and topology.
struct DrivenCase : fem::MaxwellSetup {
  std::vector<double> frequencies;  ///< [Hz] ascending
  fem::DrivenOptions options;
  results::AccuracyRequest accuracy;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S at ports that set none
  int touchstone = 1;                          ///< version of the Touchstone file
  fem::StaticLimit limit;                      ///< has replaced 0 Hz in the frequencies
  fem::ReceivedSources received;
  std::vector<fem::Parameter> parameters;  ///< of [[sensitivity]]
  fem::SweepRequest request;
  std::vector<fem::ScatteringError>
      bars;  ///< error bars of the last adaptive pass on this mesh; empty: the run estimates them
};

struct DrivenStep : fem::SweepStep {
  fem::DrivenSolution solution{};
};

class DrivenJob : public job::Problem<DrivenStep>, public fem::Shows<DrivenStep> {
 public:
  /// @param c outlives this object
  DrivenJob(const DrivenCase& c, run::Run& run);

  const fem::DrivenProblem& problem() const { return problem_; }
  const DrivenCase& config() const { return case_; }
  const Stages* solver_stages() const override { return &problem_.stages(); }
  /// With mpirun: processes other than 0 serve process 0 and then return true.
  bool serve() { return problem_.serve(); }
  /// @throws InputError before anything is solved
  void check();
  /// Solutions of adaptive passes on this mesh by frequency [Hz], reused where no source needs another
  /// right-hand side.
  void know(std::map<double, fem::DrivenSolution> solutions) { known_ = std::move(solutions); }
  /// Estimated error of S between the full solutions of an adaptive sweep.
  double model_error() const { return model_error_; }
  /// Work of the run without an error estimate.
  fem::FemWork work() const;

  job::Plan plan(run::Run& run) override { return fem::plan_system(problem_, problem_.modes().size(), run); }
  DrivenStep solve(double frequency) override;
  /// @param solution with x
  fem::PortGains gains(const fem::DrivenSolution& solution) {
    return {problem_, case_, solution, run_.device()};
  }
  DrivenStep unsolved(double frequency) override;
  job::Arrays arrays(DrivenStep& step) const override;
  void sweep_adaptively(job::Delivery<DrivenStep>& delivery);

  bool is_shown(const DrivenStep& step) const override { return step.is_written; }
  /// Passes on the fields of the modelled part, which of a symmetric structure gets its share of the incident
  /// power.
  void show(const DrivenStep& step, const std::function<void(const fem::Shown&)>& take) const override;
  std::unique_ptr<fem::MaxwellFiles> make_files(run::Run& run) const override;

 private:
  DrivenStep step_of(fem::DrivenSolution solution) const;
  fem::Shown shown_mode(std::size_t i, const Eigen::MatrixXcd& s) const;
  std::size_t num_dofs() const { return std::size_t(problem_.space().num_dofs()); }
  /// Excitations whose fields are written: 1 W at a mode, or all ports at once.
  std::size_t num_shown() const { return excited_.size() + (combined_.is_given() ? 1 : 0); }

  const DrivenCase& case_;
  run::Run& run_;
  fem::DrivenProblem problem_;
  fem::CombinedExcitation combined_;
  std::vector<Eigen::Index> excited_;
  double scale_;  // of fields
  std::optional<fem::Receiver> receiver_;
  double model_error_ = 0;
  std::map<double, fem::DrivenSolution> known_;
};

/// Files, tables, checks and error bars. @param problem outlives them
job::Sinks<DrivenStep> driven_sinks(DrivenJob& problem, run::Run& run);

}  // namespace curlew::programs
