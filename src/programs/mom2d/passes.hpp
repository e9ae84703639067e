// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive passes of mom2d: all cells are halved, errors are estimated from changes between passes.

#include <map>

#include "programs/mom2d/errors.hpp"

namespace curlew::programs {

struct RefinedContours {
  ContourBars bars{};  ///< of the last pass
  std::map<double, mom2d::Solution>
      solutions{};  ///< of the last pass, by frequency [Hz], where memory allows
};
/// Sets the halvings of the last pass. @param problem solves the case with its current halvings
RefinedContours refine_contours(Mom2dCase& c, job::SampledProblem<mom2d::Solution>& problem, run::Run& run);

}  // namespace curlew::programs
