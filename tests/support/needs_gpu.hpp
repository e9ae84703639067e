// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tests that need a GPU: skipped where there is none, failed there if the environment sets
// CURLEW_REQUIRE_GPU, so that a machine that should run them cannot pass without them.

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/device.hpp"

namespace curlew {

/// True under tools that watch each access of a kernel, which then takes a hundred times as long: tests run
/// the same kernels on smaller problems (scripts/sanitize-device).
inline bool wants_small_cases() {
  return std::getenv("CURLEW_SMALL_CASES") != nullptr;
}

}  // namespace curlew

/// First statement of a test or of SetUp. `available` is what the test needs: a GPU, a library, two GPUs.
#define CURLEW_NEEDS(available, what)                                          \
  if (!(available)) {                                                          \
    if (std::getenv("CURLEW_REQUIRE_GPU") != nullptr) FAIL() << "no " << what; \
    GTEST_SKIP() << "no " << what;                                             \
  }
#define CURLEW_NEEDS_GPU() CURLEW_NEEDS(!curlew::device_info().name.empty(), "GPU")
