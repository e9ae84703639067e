// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of far fields as rows of the report.

#include <string>

#include "fields/pattern_error.hpp"
#include "results/error_report.hpp"

namespace curlew::results {

/// A cross-section of power [m²]. @param name "scattering" @param error of the far field, for the parts of
/// the bar
void add_cross_section_bar(double frequency, const std::string& label, const std::string& name, double value,
                           double bar, const fields::PatternError& error, ErrorReport& report);

/// Adds bars of the maximum of the field, and of the pattern in the mean.
/// @param label of the wave or the feed @param is_wave radar cross-section, else gain and power
void add_pattern_bars(double frequency, const std::string& label, bool is_wave,
                      const fields::PatternError& error, ErrorReport& report);

/// Adds the bar of the maximum only.
void add_peak_bars(double frequency, const std::string& label, bool is_wave,
                   const fields::PatternError& error, ErrorReport& report);

/// Adds the bar of the pattern in the mean.
void add_mean_pattern_bar(double frequency, const std::string& label, const fields::PatternError& error,
                          ErrorReport& report);

/// The amplitude in one of the directions, in the quantity of the report.
struct DirectionBar {
  std::string quantity, unit, key, text;  ///< key: of the error in decibels; text: the printed value
};
void add_direction_bar(double frequency, const std::string& label, const DirectionBar& bar, std::size_t at,
                       const fields::PatternError& error, ErrorReport& report);

/// The radar cross-section in one of the directions. @param name "greatest", "backscatter", "forward"
/// @param at index of the direction
void add_section_bar(double frequency, const std::string& label, const std::string& name, std::size_t at,
                     const fields::PatternError& error, ErrorReport& report);

/// Bars of the far field of a wave: of its greatest value and the pattern in the mean where it is seen in
/// directions of the config, and towards the source.
/// @param back index of the direction towards the source, after those of the config
void add_wave_bars(double frequency, const std::string& label, bool monostatic, std::size_t back,
                   const fields::PatternError& error, ErrorReport& report);

}  // namespace curlew::results
