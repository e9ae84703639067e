// SPDX-License-Identifier: BSD-3-Clause
#include "results/pattern_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fields/far_field.hpp"
#include "io/far_field_files.hpp"

namespace curlew::results {
namespace {

double share_of_elements(const fields::PatternError& error) {
  return error.order / std::max(error.order + error.shape, 1e-300);
}

}  // namespace

void add_mean_pattern_bar(double frequency, const std::string& label, const fields::PatternError& error,
                          ErrorReport& report) {
  report.add({frequency,
              "pattern, relative",
              "1",
              1,
              error.relative,
              error.order,
              error.relative,
              "",
              fmt::format("{:.2g} %", 100 * error.relative),
              {{"far_field_error", error.relative}},
              label});
}

void add_cross_section_bar(double frequency, const std::string& label, const std::string& name, double value,
                           double bar, const fields::PatternError& error, ErrorReport& report) {
  report.add({frequency,
              name + " cross-section",
              "m2",
              value,
              bar,
              share_of_elements(error) * bar,
              bar / std::abs(value),
              fmt::format("{:.4g} m2", value),
              fmt::format("{:.2g} m2", bar),
              {{name + "_m2_error", bar}},
              label});
}

void add_direction_bar(double frequency, const std::string& label, const DirectionBar& bar, std::size_t at,
                       const fields::PatternError& error, ErrorReport& report) {
  const double amplitude = error.strength[at], field = error.field[at];
  const double decibels = decibel_error(amplitude, field);
  report.add({frequency,
              bar.quantity,
              bar.unit,
              amplitude,
              field,
              share_of_elements(error) * field,
              field / amplitude,
              bar.text,
              fmt::format("{:.2g} dB", decibels),
              {{bar.key, decibels}},
              label});
}

void add_section_bar(double frequency, const std::string& label, const std::string& name, std::size_t at,
                     const fields::PatternError& error, ErrorReport& report) {
  const double section = fields::radar_cross_section(Complex(error.strength[at]), 1);
  add_direction_bar(
      frequency, label,
      {name + " RCS", "V", name + "_rcs_db_error", fmt::format("{:.4f} dBsm", io::power_decibel(section))},
      at, error, report);
}

void add_peak_bars(double frequency, const std::string& label, bool is_wave,
                   const fields::PatternError& error, ErrorReport& report) {
  const auto best =
      std::size_t(std::max_element(error.strength.begin(), error.strength.end()) - error.strength.begin());
  const double e = error.strength[best], bar = error.field[best];
  const double share = share_of_elements(error);
  if (is_wave) return add_section_bar(frequency, label, "greatest", best, error, report);
  const double gain = error.gain ? 10 * std::log10(1 + *error.gain)
                                 : decibel_error(e, bar) + 10 * std::log10(1 + error.power);
  report.add({frequency,
              "field in the direction of the greatest gain",
              "V",
              e,
              bar,
              share * bar,
              std::max(bar / e, std::sqrt(1 + error.gain.value_or(0)) - 1),
              fmt::format("{:.4g} V", e),
              fmt::format("{:.2g} dB", gain),
              {{"gain_db_error", gain}},
              label});
  report.add({frequency,
              "radiated power, relative",
              "1",
              1,
              error.power,
              share * error.power,
              error.power,
              "",
              fmt::format("{:.2g} %", 100 * error.power),
              {{"radiated_w_relative_error", error.power}},
              label});
}

void add_pattern_bars(double frequency, const std::string& label, bool is_wave,
                      const fields::PatternError& error, ErrorReport& report) {
  add_mean_pattern_bar(frequency, label, error, report);
  add_peak_bars(frequency, label, is_wave, error, report);
}

void add_wave_bars(double frequency, const std::string& label, bool monostatic, std::size_t back,
                   const fields::PatternError& error, ErrorReport& report) {
  if (!monostatic) {
    auto asked = error;
    asked.field.resize(back), asked.strength.resize(back);
    add_pattern_bars(frequency, label, true, asked, report);
  }
  add_section_bar(frequency, label, "backscatter", back, error, report);
}

}  // namespace curlew::results
