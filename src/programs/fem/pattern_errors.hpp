// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields as rows of the report.

#include <string>

#include "fem/error/pattern_error.hpp"
#include "results/error_report.hpp"

namespace curlew::programs {

/// Where the field is strongest, and the whole pattern in the mean.
/// @param label of the wave or the feed @param is_wave radar cross-section, else gain and power
void add_pattern_bars(double frequency, const std::string& label, bool is_wave,
                      const fem::PatternError& error, results::ErrorReport& report);

}  // namespace curlew::programs
