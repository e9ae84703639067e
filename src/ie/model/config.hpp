// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the configs of all equations of ie-solve: frequencies, waves, solver, output; and the report of
// a solve.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "fields/pattern.hpp"
#include "green/plane_wave.hpp"
#include "ie/operator/solve.hpp"
#include "io/config.hpp"
#include "io/near_field_files.hpp"
#include "io/plane_waves.hpp"
#include "results/error_report.hpp"
#include "run/run.hpp"

namespace curlew::ie {

/// A plane wave of 1 V/m with the angles of the config.
struct NamedWave : io::PlaneWaveRequest {
  green::ArrivingWave wave;

  std::string label() const;  ///< for tables of fields
};
/// All waves of an [excitation] of type "plane_wave". @throws InputError with file and line
std::vector<NamedWave> read_waves(const io::Config& excitation);

struct IeConfig {
  std::vector<double> frequencies;  ///< [Hz]
  std::vector<NamedWave> waves;
  SolveOptions solver;
  bool automatic = true;  ///< direct or iterative by the number of unknowns
  bool fields = true;
  bool solution = true;         ///< solution.h5 is written
  std::vector<double> written;  ///< [Hz] frequencies whose fields and solution are written; empty: all
  Index group = 0;              ///< right-hand sides solved and saved together; 0: chosen by their size
  std::vector<double> theta_deg, phi_deg;  ///< of rcs.csv and farfield.csv
  std::vector<io::NearFieldRequest> near_fields;
  results::AccuracyRequest accuracy;

  bool writes_fields_at(double frequency) const;
  /// Index of a frequency [Hz].
  std::size_t number_of(double frequency) const;
  /// Name of the solution file of a frequency.
  std::string solution_file(std::size_t number) const;
  std::vector<fields::Direction> pattern() const { return fields::directions_at(theta_deg, phi_deg); }
  /// Largest number of right-hand sides solved and saved together: a killed run loses one group, but each
  /// group starts without recycled search directions.
  Index largest_group(Index unknowns) const;
};

/// The words of [solver] method and [acceleration] type.
struct StatedMethod {
  std::string method, type;
};
/// Reads [frequency], [solver], [acceleration], [accuracy] and [output], all but the preconditioner.
/// @param methods the first is the default @param sum_tolerance default of [acceleration] tolerance
/// @throws InputError with file and line
StatedMethod read_common(const io::Config& config, std::initializer_list<std::string_view> methods,
                         double sum_tolerance, run::Run& run, IeConfig& c);

/// The preconditioner of a name given by name_of.
Preconditioner preconditioner_from(const std::string& name);

/// Reports the memory of a solve before it starts, and in a dry run the seconds of all frequencies.
/// @param held right-hand sides in memory at once; below 0: all
void plan_solve(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs, run::Run& run,
                double frequencies = 1, Index held = -1);
/// Predicted cost of a solve.
struct SolveCost {
  std::size_t host = 0, device = 0;  ///< [bytes]
  double seconds = 0;                ///< predicted for dry runs of direct solves on the CPU; 0: not known
};
SolveCost cost_of(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                  const run::Run& run);
/// Solves and reports times, sizes, iterations and residuals. @param x [num_rhs, unknowns] right-hand sides
/// in, solutions out @param advice what to do if an iteration does not converge
/// @param store see solve
/// @throws NumericalError if it does not
void solve(const IntegralEquation& equation, const SolveOptions& options, double frequency,
           std::vector<Complex>& x, Index num_rhs, const std::string& advice, run::Run& run,
           GroupStore* store);
/// Solves for an error estimate, and reports nothing. @throws NumericalError if the iteration does not
/// converge
SolveReport solve_finer(const IntegralEquation& equation, const SolveOptions& options,
                        std::vector<Complex>& x, Index count);
/// Reports and throws as solve() does, from a finished solve.
void state_solve(const SolveReport& report, const SolveOptions& options, double frequency, Index num_rhs,
                 const std::string& advice, run::Run& run);

}  // namespace curlew::ie
