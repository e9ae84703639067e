// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive frequency sweep: a model that grows by full solutions gives S at as many frequencies as asked. The
// next full solution is taken where the model's error indicator is largest; it gives the true error there
// before it is added.

#include <functional>
#include <vector>

#include "fem/driven/driven_problem.hpp"

namespace curlew::fem {

struct FastSweepOptions {
  double tolerance = 1e-3;  ///< largest |error| of an S-parameter, > 0
  int max_solutions = 40;   ///< full solutions at most
  std::function<void(const DrivenSolution&)>
      on_solution;  ///< called with every full solution, including fields
  /// If the tolerance is not reached, the other frequencies are solved in full, without an error.
  bool solves_the_rest = false;
  std::function<DrivenSolution(double)> solve{};  ///< at a frequency [Hz]; empty: of the problem
  /// Called with frequencies [Hz] before they are solved, for doing it side by side: then two are chosen at a
  /// time. Empty: one at a time.
  std::function<void(const std::vector<double>&)> begin{};
};

struct FastSweepResult {
  std::vector<DrivenSolution> solutions;  ///< one for each frequency; x is empty
  std::vector<double> solved;             ///< [Hz] where full solutions were taken
  double error_estimate = 0;  ///< largest |error| of S found at the last full solutions, or the indicator
  bool converged = false;
};

/// The model between full solutions.
class SweepModel {
 public:
  struct Estimate {
    Eigen::MatrixXcd s;
    double indicator;  ///< of the error of S, up to a factor that is the same at all frequencies
  };
  virtual ~SweepModel() = default;
  /// @param solution with x
  virtual void add(const DrivenSolution& solution) = 0;
  /// Safe to call from several threads. @param modes all modes of the ports at this frequency [Hz]
  virtual Estimate at(double frequency, const std::vector<ModeState>& modes) const = 0;
};

/// @param frequencies [Hz] each once
/// @param solve a full solution at a frequency, with x
/// @throws NumericalError if the tolerance is not reached with max_solutions and the other frequencies are
/// not to be solved
FastSweepResult adaptive_sweep(const MaxwellSystem& system, const std::vector<double>& frequencies,
                               const FastSweepOptions& options,
                               const std::function<DrivenSolution(double)>& solve, SweepModel& model);

}  // namespace curlew::fem
