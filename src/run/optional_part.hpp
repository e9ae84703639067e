// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A part of a run that is left out where its memory is not there: an error estimate.

#include <cstddef>
#include <string>

#include "run/run.hpp"

namespace curlew::run {

struct OptionalPart {
  std::string stage;
  std::size_t host = 0, device = 0;  ///< [bytes] that it takes itself
  bool is_beside = true;  ///< the run keeps the memory of its stages meanwhile; false: it gave it back
};

/// States the memory of a part beside that of the stages planned so far. To be asked before work begins.
/// @returns whether it fits; where it does not, a warning says so and the part is to be left out
bool plan_optional(Run& run, const OptionalPart& part);

}  // namespace curlew::run
