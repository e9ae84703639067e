// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All of a config of mom2d as values. It is read once; quantities that depend on frequency are computed from
// it.

#include <optional>
#include <string>
#include <vector>

#include "io/frequency.hpp"
#include "job/refinement.hpp"
#include "mom2d/model/stated_problem.hpp"
#include "mom2d/solution_files.hpp"
#include "mom2d/solve.hpp"
#include "results/error_report.hpp"
#include "run/run.hpp"

namespace curlew::mom2d {

struct Mom2dCase : StatedProblem {
  std::string file;                 ///< config file, for messages
  std::vector<double> frequencies;  ///< [Hz]
  std::optional<io::AdaptiveSweep> adaptive;
  std::vector<double> incidence_deg;  ///< directions the waves come from
  std::vector<double> angles_deg;     ///< observation
  bool monostatic = false;
  std::optional<FieldGrid> near_field;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  linalg::DenseLimits limits;
  results::AccuracyRequest accuracy;
  std::optional<job::Refinement> refinement;
};

/// @throws InputError with file and line, also for unknown keys
Mom2dCase read_mom2d_case(const io::Config& config, run::Run& run);

/// Operations that take as long at the speed of dense products, of the cases of tests/scripts/time_test.py.
constexpr double mom2d_fill(double unknowns) {
  return 1000 * unknowns * unknowns;
}

}  // namespace curlew::mom2d
