// SPDX-License-Identifier: BSD-3-Clause
#include "io/frequency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log.hpp"
#include "base/types.hpp"
#include "io/ranges.hpp"

namespace curlew::io {
namespace {
constexpr int most_points = 10'000'000;
/// Of [start, stop, points]: more are three frequencies in Hz that are not in order.
constexpr int most_points_of_list = 10'000;

/// True if the key was given as an option, which replaces the file's value.
bool by_option(const Config& table, std::string_view key) {
  return table.has(key) && table.where(key).rfind("--", 0) == 0;
}

/// Ascending, as Touchstone and the steps of VTKHDF must be. Files and tables identify a solution by its
/// frequency, so that each may occur once.
std::vector<double> ascending(const Config& frequency, const char* key, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) frequency.error(key, fmt::format("{}: {} Hz is given twice", key, *twice));
  return values;
}

/// Reads a key that holds a list.
std::vector<double> listed(const Config& config, const char* key, Lowest lowest = Lowest::above_zero) {
  const auto values = config.get<std::vector<double>>(key);
  config.require(!values.empty(), key, fmt::format("{} must hold at least one frequency in Hz", key));
  for (const double f : values)
    config.require(f > 0 || (f == 0 && lowest == Lowest::zero), key,
                   fmt::format("{}: a frequency of {} Hz must be {} 0", key, f,
                               lowest == Lowest::zero ? "at least" : "greater than"));
  return ascending(config, key, values);
}

std::vector<double> in_table(const Config& frequency, Lowest lowest) {
  const auto any = [&](auto&& test) { return test("start") || test("stop") || test("points"); };
  bool is_range = any([&](const char* key) { return frequency.has(key); });
  const bool range_by_option = any([&](const char* key) { return by_option(frequency, key); });
  const bool values_by_option = by_option(frequency, "values");
  if (values_by_option && !range_by_option) {
    frequency.allow({"start", "stop", "points"});
    is_range = false;
  }
  if (range_by_option && !values_by_option) frequency.allow({"values"});
  if (frequency.has("values") && !(range_by_option && !values_by_option)) {
    frequency.require(!is_range, "values", "give either values or start, stop and points, not both");
    return listed(frequency, "values", lowest);
  }
  frequency.require(is_range, "", "no frequency: give values = [..] in Hz, or start, stop and points");
  const double start = lowest == Lowest::zero ? frequency.get<double>("start") : frequency.positive("start");
  frequency.require(start >= 0, "start", fmt::format("start = {} must be at least 0", start));
  const double stop = frequency.positive("stop");
  return ascending(frequency, "points",
                   linspace(start, stop, frequency.integer_in("points", 1, most_points)));
}

constexpr std::size_t least_of_a_band = 12;

/// Whether the frequencies above the static limit form a band.
bool is_band(const std::vector<double>& frequencies) {
  const auto first = std::find_if(frequencies.begin(), frequencies.end(), [](double f) { return f > 0; });
  const auto gap = std::adjacent_find(first, frequencies.end(), [](double a, double b) { return b > 2 * a; });
  return frequencies.end() - first >= Offset(least_of_a_band) && gap == frequencies.end();
}

/// A tenth of the tolerance of the run.
double default_adaptive_tolerance(const Config& config) {
  double tolerance = AdaptiveSweep().tolerance;
  for (const char* table : {"accuracy", "refinement"})
    if (config.has(table) && config.table(table).has("tolerance"))
      tolerance = std::min(tolerance, 0.1 * config.table(table).positive("tolerance"));
  return tolerance;
}

}  // namespace

std::vector<double> frequencies(const Config& config, Lowest lowest) {
  return in_table(config.table("frequency"), lowest);
}

std::optional<AdaptiveSweep> adaptive_sweep(const Config& config, const std::vector<double>& frequencies) {
  const Config table = config.table("frequency");
  AdaptiveSweep sweep;
  sweep.max_solutions = table.integer_in_or("max_solutions", 3, 1000, sweep.max_solutions);
  sweep.is_stated = table.has("adaptive_tolerance");
  if (!sweep.is_stated) {
    if (!is_band(frequencies)) return std::nullopt;
    sweep.tolerance = default_adaptive_tolerance(config);
    return sweep;
  }
  sweep.tolerance = table.get<double>("adaptive_tolerance");
  table.require(sweep.tolerance >= 0, "adaptive_tolerance",
                fmt::format("adaptive_tolerance = {} must be at least 0; 0: every frequency is solved",
                            sweep.tolerance));
  if (sweep.tolerance == 0) return std::nullopt;
  return sweep;
}

std::vector<double> stated_frequencies(const Config& config) {
  if (config.has("frequency")) return frequencies(config, Lowest::zero);
  const Config analysis = config.table("analysis");
  if (!analysis.has("target")) return {};
  return {analysis.positive("target")};
}

std::optional<double> highest_frequency(const Config& config) {
  const auto all = stated_frequencies(config);
  return all.empty() ? std::nullopt : std::optional(all.back());
}

bool has_sound(const Config& config) {
  const auto media = config.tables("material");
  return std::ranges::any_of(media, [](const auto& medium) { return medium.has("speed_of_sound"); });
}

std::vector<double> frequency_list(const Config& table, std::string_view key) {
  const std::string name(key);
  const auto range = table.get<std::vector<double>>(key);
  if (range.size() != 3 || range[2] < 2 || range[2] >= range[1] || range[2] > most_points_of_list ||
      range[2] != std::floor(range[2]))
    return listed(table, name.c_str());
  if (range[2] > 0.1 * std::min(range[0], range[1]))
    log::info("{}: {} is read as {:g} frequencies from {:g} to {:g} Hz", table.where(name), name, range[2],
              range[0], range[1]);
  return ascending(table, name.c_str(), linspace(range[0], range[1], int(range[2])));
}

}  // namespace curlew::io
