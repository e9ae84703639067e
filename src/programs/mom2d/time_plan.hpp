// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The seconds that a dense system of mom2d will take, for dry runs.

#include <optional>

#include "run/run.hpp"

namespace curlew::programs {

struct Mom2dSeconds {
  double fill, solution;
};

/// Seconds of one frequency. Empty outside of dry runs and on a GPU. @param columns right-hand sides
std::optional<Mom2dSeconds> mom2d_seconds(double unknowns, double columns, const run::Run& run);

}  // namespace curlew::programs
