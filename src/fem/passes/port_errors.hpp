// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S-parameters and input impedances of a driven problem in finite elements.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/port_network.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/passes/planned_check.hpp"

namespace curlew::fem {

/// The solved problem. The references outlive the call.
struct PortCheck {
  const MaxwellSystem& system;
  std::optional<Complex> reference_impedance;  ///< [ohm] of S at ports that set none
  const PlannedCheck& planned;
  /// Error bars from residuals, ascending in frequency; between full solutions those of the discretisation
  /// only. Empty: estimated by a second solution.
  const std::vector<ScatteringError>& by_residuals;
  std::string of_what{};  ///< words that follow in messages
  /// Errors of reported values by a second solution, where that is planned.
  std::function<std::vector<ScatteringError>(const std::vector<Reported>&, const StatePorts&)> solve_again{};
};

/// The full solutions of a run as they come, whose residuals give error bars of S.
class PortResiduals {
 public:
  /// Solutions whose residuals are solved for together; interpolation over a band needs all.
  static std::size_t most_waiting(bool is_interpolated) {
    return is_interpolated ? std::size_t(FastSweepOptions().max_solutions) : 8;
  }
  /// @note all that is referred to outlives this object
  PortResiduals(const MaxwellSystem& system, ResidualContext context, bool is_interpolated,
                results::ErrorReport& report, run::Run& run)
      : system_(system),
        context_(std::move(context)),
        most_(most_waiting(is_interpolated)),
        report_(report),
        run_(run) {}
  /// Whether a solution at this frequency [Hz] is not there yet.
  bool wants(double frequency) const { return tested_.count(frequency) == 0; }
  /// @param solution with x
  void add(DrivenSolution solution);
  /// Bars of all points of the network where all solutions waited, else of the solutions.
  const std::vector<ScatteringError>& bars(const PortNetwork& network);

 private:
  void estimate(const std::vector<DrivenSolution>& stated);

  const MaxwellSystem& system_;
  ResidualContext context_;
  std::size_t most_;
  results::ErrorReport& report_;
  run::Run& run_;
  std::set<double> tested_;  // [Hz]
  std::vector<DrivenSolution> waiting_;
  std::vector<ScatteringError> bars_;
};

/// Number of frequencies with an estimate: all if requested or cheap, else as many as cost no more than the
/// run, at most four.
/// @param solutions of the run
std::size_t estimated_frequencies(const PlannedCheck& check, std::size_t frequencies, double solutions,
                                  const results::ErrorReport& report);

/// If the estimate is wanted: estimates errors where S changes fastest, and reports bars at all frequencies.
/// @param network the reported S @param model_error of S between full solutions
/// @param solved [Hz] where these are, in any order
void state_port_errors(const PortCheck& check, const PortNetwork& network, double model_error,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run);

}  // namespace curlew::fem
