// SPDX-License-Identifier: BSD-3-Clause
#include "fem/setup/sweep_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/log.hpp"
#include "io/frequency.hpp"

namespace curlew::fem {
namespace {

constexpr std::size_t all_written_up_to = 5;
constexpr int solutions_of_most_bands = 7;

std::vector<double> default_frequencies(const std::vector<double>& all, bool adaptive, bool fields_asked) {
  if (!adaptive || all.size() <= all_written_up_to) return all;
  if (!fields_asked) return {all.front(), all.back()};
  return {all.front(), all[all.size() / 2], all.back()};
}

/// Treats 2.45e9 and the 2.4500000000000005e9 of a range as one frequency.
double known_one(const std::vector<double>& all, double f) {
  for (const double known : all)
    if (std::abs(known - f) <= 1e-12 * f) return known;
  return f;
}

std::vector<double> output_frequencies(const io::Config& config, const std::vector<double>& frequencies,
                                       bool adaptive, bool fields_asked) {
  const io::Config output = config.table("output");
  if (!output.has("frequencies")) return default_frequencies(frequencies, adaptive, fields_asked);
  auto written = io::frequency_list(output, "frequencies");
  for (double& f : written) f = known_one(frequencies, f);
  const bool inside = written.front() >= frequencies.front() && written.back() <= frequencies.back();
  output.require(inside, "frequencies",
                 fmt::format("frequencies must lie within the band of [frequency], {} to {} Hz",
                             frequencies.front(), frequencies.back()));
  return written;
}

/// Whether a config requests results that need full solutions at most frequencies, without fields that are
/// written by default.
bool needs_solutions(const io::Config& config, const std::vector<double>& frequencies) {
  const io::Config output = config.table("output");
  if (output.has("frequencies"))
    return 2 * io::frequency_list(output, "frequencies").size() > frequencies.size();
  return config.has("sensitivity") || output.has("far_field") || output.has("near_field");
}

}  // namespace

std::vector<double> SweepRequest::all() const {
  std::vector<double> all;
  std::set_union(frequencies.begin(), frequencies.end(), written.begin(), written.end(),
                 std::back_inserter(all));
  return all;
}

int SweepRequest::expected_solutions() const {
  const int count = int(all().size());
  return fast ? std::min(count, solutions_of_most_bands + int(written.size())) : count;
}

bool SweepRequest::is_written(double frequency) const {
  return std::binary_search(written.begin(), written.end(), frequency);
}

SweepStep SweepRequest::step(double frequency) const {
  return {.is_stated = std::binary_search(frequencies.begin(), frequencies.end(), frequency),
          .is_written = is_written(frequency)};
}

SweepRequest read_sweep(const io::Config& config, std::vector<double> frequencies, bool fields_asked,
                        bool has_excitation, double noise) {
  SweepRequest request{std::move(frequencies), {}, {}};
  auto adaptive = io::adaptive_sweep(config, request.frequencies);
  if (adaptive && adaptive->is_stated && has_excitation)
    config.table("frequency").error("adaptive_tolerance", "no adaptive sweep with [excitation]: remove one");
  if (adaptive && !adaptive->is_stated && !has_excitation && !config.table("output").has("frequencies") &&
      adaptive->tolerance >= 10 * noise && config.table("output").has("far_field"))
    log::info("all {} frequencies are solved, for their far fields: output.frequencies can name fewer",
              request.frequencies.size());
  if (adaptive && !adaptive->is_stated &&
      (has_excitation || adaptive->tolerance < 10 * noise || needs_solutions(config, request.frequencies)))
    adaptive.reset();
  if (adaptive)
    request.fast = {.tolerance = adaptive->tolerance,
                    .max_solutions = adaptive->max_solutions,
                    .on_solution = {},
                    .solves_the_rest = !adaptive->is_stated};
  request.written = output_frequencies(config, request.frequencies, request.fast.has_value(), fields_asked);
  if (has_excitation && request.written != request.frequencies)
    config.table("output").error("frequencies",
                                 "with [excitation] every frequency is written: leave frequencies out");
  return request;
}

}  // namespace curlew::fem
