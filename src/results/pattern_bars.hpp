// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields as rows of the report.

#include <string>

#include "fields/pattern_error.hpp"
#include "results/error_report.hpp"

namespace curlew::results {

/// Where the field is strongest, and the whole pattern in the mean.
/// @param label of the wave or the feed @param is_wave radar cross-section, else gain and power
void add_pattern_bars(double frequency, const std::string& label, bool is_wave,
                      const fields::PatternError& error, ErrorReport& report);

/// Where the field is strongest alone.
void add_peak_bars(double frequency, const std::string& label, bool is_wave,
                   const fields::PatternError& error, ErrorReport& report);

/// The whole pattern in the mean.
void add_mean_pattern_bar(double frequency, const std::string& label, const fields::PatternError& error,
                          ErrorReport& report);

/// The amplitude in one of the directions as a report states it.
struct DirectionBar {
  std::string quantity, unit, key, text;  ///< key: of the error in decibels; text: the value for people
};
void add_direction_bar(double frequency, const std::string& label, const DirectionBar& bar, std::size_t at,
                       const fields::PatternError& error, ErrorReport& report);

/// The radar cross-section in one of the directions. @param name "greatest", "backscatter", "forward"
/// @param at number of the direction
void add_section_bar(double frequency, const std::string& label, const std::string& name, std::size_t at,
                     const fields::PatternError& error, ErrorReport& report);

}  // namespace curlew::results
