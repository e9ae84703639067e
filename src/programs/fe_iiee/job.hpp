// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fe-iiee at one frequency after another: the iteration, its state for --resume, and what its writers need of
// a solution.

#include <functional>
#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/open/known_field.hpp"
#include "fem/report/combined.hpp"
#include "fem/report/sensitivities.hpp"
#include "fem/report/time_plan.hpp"
#include "job/job.hpp"
#include "job/refinement.hpp"
#include "programs/fe_iiee/case.hpp"
#include "results/power.hpp"

namespace curlew::fe_iiee {

using truncation::TruncatedProblem;
using truncation::TruncationResult;

/// Plane waves, or dipoles and currents, or all reported modes of the ports, which S needs.
struct Drive {
  std::vector<truncation::Excitation> excitations;
  std::vector<std::string> labels;
  std::vector<std::string> ports;  ///< regions of the driven ports; empty for waves and sources
  std::vector<std::size_t> shown;  ///< excitations whose fields are written, of ports the excited ones
  /// Place of all ports at once, a sum of columns that is not solved for.
  std::optional<std::size_t> combined{};

  std::size_t num_solved() const { return combined.value_or(excitations.size()); }
  /// Suffix of the names of the arrays of excitation i.
  std::string suffix(std::size_t i) const;
};

/// One frequency solved, or S of the reduced model of an adaptive sweep.
struct Solved : fem::SweepStep {
  double frequency = 0;  ///< [Hz]
  Drive drive{};
  TruncationResult result{};
  fem::DrivenSolution ports{};  ///< S, without x
  Eigen::MatrixXcd waves{};     ///< [reported modes, reported modes] that leave the ports
  double consistency = 0;       ///< difference between the far fields of S' and of S
};

/// Power that feeds a right-hand side, and the part of it absorbed by the loads of other ports [W].
struct FeedPower {
  results::PowerBudget budget;
  double coupled = 0;
};

class TruncatedJob : public job::Problem<Solved> {
 public:
  /// @param c outlives this object
  TruncatedJob(const TruncatedCase& c, run::Run& run);
  /// With mpirun: processes other than 0 serve process 0 and then return true.
  static bool serve(const TruncatedCase& c);

  const TruncatedCase& config() const { return case_; }
  const TruncatedProblem& problem() const { return problem_; }
  TruncatedProblem& problem() { return problem_; }
  const truncation::OpenSystem& system() const { return problem_.system(); }
  const fem::CombinedExcitation& combined() const { return combined_; }
  std::size_t num_dofs() const { return std::size_t(system().space().num_dofs()); }
  /// Share of the power at a port that enters the modelled part of a symmetric body.
  double share() const { return std::ldexp(1.0, -int(problem_.surfaces().planes.size())); }

  const char* stage() const override { return "truncation"; }
  const Stages* solver_stages() const override { return &problem_.stages(); }
  job::Plan plan(run::Run& run) override;
  void keep_in(const run::FrequencySweep& sweep) override { kept_ = &sweep; }
  /// Seconds of solutions and of the integrals over the inner surface. Nothing outside of dry runs.
  void plan_time(const fem::CheckPrice& check, double checks, run::Run& run) const;
  /// @throws NumericalError if the iteration does not converge
  Solved solve(double frequency) override;
  /// The same without the column of all ports at once.
  Solved solve_columns(double frequency);
  Solved unsolved(double frequency) override;
  job::Arrays arrays(Solved& s) const override;
  /// Computes S at all frequencies from a few solutions, then solves each frequency whose fields are written.
  void sweep_adaptively(job::Delivery<Solved>& delivery);

  /// Estimated error of S between the full solutions of an adaptive sweep.
  double model_error() const { return model_error_; }
  /// Right-hand sides that are solved for at a frequency.
  std::size_t num_columns() const { return drive_at(case_.sweep.frequencies.front()).num_solved(); }

  /// S with the fields of the modes.
  fem::DrivenSolution ports_with_fields(const Solved& s) const;
  /// The currents of one right-hand side.
  fields::SurfaceCurrents currents(const Solved& s, std::size_t column) const;
  /// The field of one right-hand side alone, in its own directions.
  fields::FarField far_field(const Solved& s, std::size_t column,
                             const std::vector<fields::Direction>& directions,
                             const fields::Exterior& outside) const;
  /// @param radiated [W]
  FeedPower feed_power(const Solved& s, std::size_t column, double radiated) const;

 private:
  Drive drive_at(double frequency) const;
  void add_combined(Drive& drive) const;
  void add_combined(TruncationResult& result) const;
  TruncationResult iterate(const Drive& drive, double frequency);

  const TruncatedCase& case_;
  run::Run& run_;
  TruncatedProblem problem_;
  fem::CombinedExcitation combined_;
  const run::FrequencySweep* kept_ = nullptr;
  double model_error_ = 0;
};

/// Incident field of the waves of a right-hand side; null without waves.
fem::IncidentField incident_of(const truncation::Excitation& excitation);
/// The field times -1; added to the total field it gives the scattered one.
fem::IncidentField negative(fem::IncidentField field);

/// Files, tables, derivatives and error bars. @param job outlives them
job::Sinks<Solved> truncated_sinks(TruncatedJob& job, std::vector<fem::Parameter> parameters, run::Run& run);
std::unique_ptr<job::Sink<Solved>> near_field_sink(const TruncatedJob& job, run::Run& run);
/// @param network of the ports, null: none; a sink before these closes it
void add_error_sinks(TruncatedJob& job, const fem::PortNetwork* network, job::Sinks<Solved>& sinks,
                     run::Run& run);
std::unique_ptr<job::Sink<Solved>> derivative_sink(const TruncatedJob& job,
                                                   std::vector<fem::Parameter> parameters, run::Run& run);

/// Sets the waves that are solved for beside those of the config.
/// @throws InputError for too many
void add_dual_waves(TruncatedCase& c);
/// [[sensitivity]] @throws InputError for numbers without derivatives
std::vector<fem::Parameter> read_parameters(const io::Config& config, const TruncatedJob& job, run::Run& run);

// ---- [refinement]: S and impedances by the ports' own solutions as dual problem, as in fem-solve; cross
// sections and gains by the same shares of the wave's or port's own solution ----

/// Why a problem cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const TruncatedCase& c);
/// @throws InputError for targets without ports or waves
void require_target(const job::Refinement& refinement, const TruncatedCase& c, const io::Config& config);

/// @param read reads the config for a mesh
/// @returns the mesh of the last pass
mesh::Mesh refine_truncated(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                            const std::function<TruncatedCase(const mesh::Mesh&)>& read, run::Run& run);

}  // namespace curlew::fe_iiee
