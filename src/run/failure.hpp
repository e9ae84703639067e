// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A run whose results exist but miss their tolerance.

#include <string>

#include "run/run.hpp"

namespace curlew::run {

/// The run continues and writes all results; then it ends with status 1 and this line.
void fail_after_writing(Run& run, const std::string& text);

}  // namespace curlew::run
