// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [excitation] without [[port]] in fem-solve: the values of the config and the problem they describe.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fem/open/open_problem.hpp"
#include "fem/report/maxwell_files.hpp"
#include "fem/report/sensitivities.hpp"
#include "fields/pattern_error.hpp"
#include "job/refinement.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

/// Not copied or moved: its finite-element space points to mesh and topology.
struct OpenCase : fem::MaxwellSetup {
  std::vector<double> frequencies;  ///< [Hz] ascending
  fem::DrivenOptions options;
  results::AccuracyRequest accuracy;
  std::vector<fem::Excitation> excitations;  ///< those needed for derivatives come last
  bool splits = false;                       ///< waves without the symmetry are solved by parts
  fields::DualWaves duals;
  std::vector<fem::Parameter> parameters;  ///< of [[sensitivity]]
};

/// Excitations whose results are written, without those needed for derivatives only.
std::span<const fem::Excitation> shown_of(const std::vector<fem::Excitation>& all);

/// @param far far fields of waves if already computed, else empty
void show_open(const OpenCase& c, const fem::OpenSolution& solution, const std::vector<fem::Radiation>& far,
               const std::function<void(const fem::Shown&)>& take);
std::unique_ptr<fem::MaxwellFiles> make_open_files(const OpenCase& c, const fem::OpenProblem& problem,
                                                   run::Run& run);

class OpenJob : public job::Problem<fem::OpenSolution>, public fem::Shows<fem::OpenSolution> {
 public:
  /// @param c outlives this object
  OpenJob(const OpenCase& c, run::Run& run);

  const fem::OpenProblem& problem() const { return problem_; }
  fem::OpenProblem& problem() { return problem_; }
  const OpenCase& config() const { return case_; }
  const Stages* solver_stages() const override { return &problem_.stages(); }
  /// With mpirun: processes other than 0 serve process 0 and then return true.
  bool serve() { return problem_.serve(); }

  job::Plan plan(run::Run& run) override;
  fem::OpenSolution solve(double frequency) override;
  fem::OpenSolution unsolved(double frequency) override;
  job::Arrays arrays(fem::OpenSolution& s) const override;

  void show(const fem::OpenSolution& s, const std::function<void(const fem::Shown&)>& take) const override {
    show_open(case_, s, {}, take);
  }
  std::unique_ptr<fem::MaxwellFiles> make_files(run::Run& run) const override {
    return make_open_files(case_, problem_, run);
  }

 private:
  const OpenCase& case_;
  run::Run& run_;
  fem::OpenProblem problem_;
};

/// Files, tables and error bars. @param problem outlives them
job::Sinks<fem::OpenSolution> open_sinks(OpenJob& problem, run::Run& run);

/// Solves for waves without the symmetry of the model as sums of parts that have it. Fields are those of the
/// modelled part of the body.
void solve_by_parts(const OpenCase& c, run::Run& run);

// ---- [refinement] of waves and dipoles, for the greatest cross-section or gain ----
//
// The amplitude F [V] of a far field in a direction and polarisation p is bᵀ E / 4π by reciprocity, b the
// right-hand side of the wave that arrives from there with p: the dual problem is solved with the same
// factors, and F changes by mu_r rᵀ C⁻¹ r / 4π (fem/adaptive/surplus.hpp). Source: Monk and Suli (1998), SIAM
// J. Numer. Anal. 36(1).

/// Why a problem cannot be refined adaptively; empty if it can.
std::string obstacle_to_passes(const OpenCase& c);

struct PeakError {
  std::size_t excitation;
  fields::PatternError error;
};
/// Error bars on one mesh of the greatest far field of each excitation, and of the power of sources; then
/// those of the far fields towards the sources of waves.
std::vector<PeakError> peak_errors(const OpenCase& c, fem::OpenProblem& problem,
                                   const fem::OpenSolution& solution, run::Run& run);

/// The direction towards the source of a wave in place of those of a request.
fem::FarFieldRequest towards_source(const green::ArrivingWave& wave, fem::FarFieldRequest request);

/// @param read reads the config for a mesh @returns the mesh of the last pass
mesh::Mesh refine_open(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                       const std::function<OpenCase(mesh::Mesh)>& read, run::Run& run);

}  // namespace curlew::programs
