// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A part of a run that is skipped if it does not fit into memory, such as an error estimate.

#include <cstddef>
#include <string>

#include "run/run.hpp"

namespace curlew::run {

struct OptionalPart {
  std::string stage;
  std::size_t host = 0, device = 0;  ///< [bytes] that it takes itself
  bool is_beside = true;             ///< the run's stages keep their memory meanwhile; false: they freed it
};

/// Reports the memory of a part in addition to that of the stages planned so far. Call it before work begins.
/// @returns whether it fits; if not, a warning says so and the caller skips the part
bool plan_optional(Run& run, const OptionalPart& part);

}  // namespace curlew::run
