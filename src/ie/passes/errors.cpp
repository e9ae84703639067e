// SPDX-License-Identifier: BSD-3-Clause
#include "ie/passes/errors.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/constants.hpp"
#include "ie/results/cross_sections.hpp"
#include "results/pattern_bars.hpp"
#include "run/time_plan.hpp"

namespace curlew::ie {
namespace {

/// Unknowns of the finer mesh up to which the estimate takes about two seconds.
constexpr long small_unknowns = 4000;

/// Directions of one wave: those of the pattern, then back and forward.
std::vector<fields::Direction> directions_of(const IeConfig& c, bool monostatic, const NamedWave& wave) {
  auto directions = monostatic ? std::vector<fields::Direction>{} : c.pattern();
  directions.push_back({wave.wave.theta, wave.wave.phi});
  directions.push_back(forward(wave.wave));
  return directions;
}

}  // namespace

std::size_t directions_in(const fields::Quantities& q, std::size_t waves) {
  return (q.size() / waves - 1) / 2;
}

bool is_estimate_wanted(const IeConfig& c, long unknowns, double growth,
                        const std::function<SolveCost()>& cost, results::ErrorReport& report, run::Run& run) {
  if (report.is_off()) return false;
  const std::size_t frequencies = c.frequencies.size();
  // Entries of a matrix, or points times their logarithm.
  const double price = c.solver.direct ? growth * growth : 1.2 * growth;
  double seconds = 0;
  const auto memory = [&]() -> run::OptionalPart {
    const auto taken = cost();
    seconds = taken.seconds;
    return {"error estimate", taken.host, taken.device, false};
  };
  if (!report.is_wanted({unknowns, price, double(frequencies), memory, small_unknowns})) return false;
  if (seconds > 0) run::plan_seconds(run, "error estimate", double(report.checks(frequencies)) * seconds);
  return true;
}

SolveCost operator+(const SolveCost& a, const SolveCost& b) {
  const bool are_known = a.seconds > 0 && b.seconds > 0;
  return {std::max(a.host, b.host), std::max(a.device, b.device), are_known ? a.seconds + b.seconds : 0};
}

fields::Quantities wave_quantities(const IeConfig& c, bool monostatic, const FarFields& far,
                                   const Complex* x) {
  fields::Quantities q;
  for (std::size_t w = 0; w < c.waves.size(); ++w) {
    const auto of =
        far.pattern(x + w * std::size_t(far.num_unknowns()), 1, directions_of(c, monostatic, c.waves[w]));
    fields::append_pattern(of, 1, q);
  }
  return q;
}

std::vector<fields::PatternError> wave_errors(const fields::Quantities& q, const fields::Changes& changes,
                                              std::size_t waves) {
  const std::size_t m = directions_in(q, waves);
  std::vector<fields::PatternError> errors;
  for (std::size_t w = 0; w < waves; ++w)
    errors.push_back(fields::pattern_error(q, changes, w * (2 * m + 1), m));
  return errors;
}

void add_wave_bars(const IeConfig& c, bool monostatic, double frequency,
                   const std::vector<fields::PatternError>& errors, results::ErrorReport& report) {
  for (std::size_t w = 0; w < errors.size(); ++w) {
    const auto& error = errors[w];
    const auto label = c.waves[w].label();
    const std::size_t m = error.strength.size();
    results::add_wave_bars(frequency, label, monostatic, m - 2, error, report);
    if (!monostatic) results::add_section_bar(frequency, label, "forward", m - 1, error, report);
  }
}

double least_section(double k) {
  // Amplitudes in wavelengths below which the parts of a current on 10^4 elements, each with a rounding
  // error, cannot be distinguished from zero.
  constexpr double least_amplitude = 1e-12;
  return std::pow(least_amplitude * 2 * pi / k, 2);
}

std::vector<mesh::Pass::Quantity> cross_sections(const IeConfig& c, bool monostatic,
                                                 const std::vector<fields::PatternError>& errors,
                                                 double least) {
  std::map<std::string, double> greatest;
  // For other waves the last two directions are backward and forward.
  const auto counted = [&](std::size_t w) { return monostatic ? 1 : errors[w].strength.size() - 2; };
  for (std::size_t w = 0; w < errors.size(); ++w) {
    double& of_cut = greatest[c.waves[w].polarization];
    of_cut = std::max(of_cut, greatest_of(errors[w], counted(w)));
  }
  std::vector<mesh::Pass::Quantity> found;
  for (std::size_t w = 0; w < errors.size(); ++w) {
    const double strength = greatest_of(errors[w], counted(w)),
                 scale = monostatic ? greatest[c.waves[w].polarization] : 0;
    const double counts = std::max({strength, scale, std::sqrt(least / (4 * pi))});
    found.push_back({"rcs" + std::to_string(w + 1), 4 * pi * strength * strength,
                     bar_of_square(errors[w], counted(w), counts), least});
    found.back().scale = 4 * pi * scale * scale;
  }
  return found;
}

}  // namespace curlew::ie
