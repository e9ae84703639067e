// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/sweep_error.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace curlew::fem {
namespace {

/// Larger factors are not caused by shifts of resonances.
constexpr double most_growth = 10;

/// Lines change the phase of S everywhere, perhaps faster than the frequency steps resolve; resonances change
/// its magnitude. If the magnitude is constant, as for a resonator with one port, the phase is used.
constexpr double phase_share = 0.1;

ScatteringError worse(const ScatteringError& a, const ScatteringError& b) {
  ScatteringError both = a;
  both.s = a.s.cwiseMax(b.s), both.elements = a.elements.cwiseMax(b.elements);
  for (std::size_t i = 0; i < both.impedance.size(); ++i)
    both.impedance[i] = std::max(a.impedance[i], b.impedance[i]);
  return both;
}

/// Upper limit of the error for passive networks.
Eigen::MatrixXd limit_of(const Eigen::MatrixXcd& s) {
  return s.cwiseAbs().array() + 1;
}

/// Rate of change of S on the flatter side of a frequency [1/Hz].
double least_slope(const std::vector<double>& frequencies, const std::vector<Eigen::MatrixXcd>& s,
                   std::size_t i) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t k : {i - 1, i + 1})
    if (k < s.size())
      least = std::min(least, (s[k] - s[i]).norm() / std::abs(frequencies[k] - frequencies[i]));
  return least;
}

}  // namespace

std::vector<Steepness> steepness(const std::vector<double>& frequencies,
                                 const std::vector<Eigen::MatrixXcd>& s) {
  std::vector<Steepness> steepness(frequencies.size());
  const auto slope = [&](std::size_t i) {  // of the interval that ends at i
    if (i == 0 || i == frequencies.size()) return 0.0;
    const double sizes = (s[i].cwiseAbs() - s[i - 1].cwiseAbs()).norm(), all = (s[i] - s[i - 1]).norm();
    return (sizes + phase_share * all) / (frequencies[i] - frequencies[i - 1]);
  };
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const auto [least, most] = std::minmax({slope(i), slope(i + 1)});  // a list: values, no references
    steepness[i] = {most, least};
  }
  return steepness;
}

std::vector<std::size_t> steepest(const std::vector<Steepness>& steepness, std::size_t count) {
  std::vector<std::size_t> places(steepness.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return steepness[a] > steepness[b]; });
  places.resize(std::min(count, places.size()));
  return places;
}

std::vector<ScatteringError> spread_errors(const std::vector<double>& frequencies,
                                           const std::vector<Steepness>& steepness,
                                           const std::vector<ScatteringError>& known) {
  const auto steepness_at = [&](double f) {
    const auto place = std::lower_bound(frequencies.begin(), frequencies.end(), f) - frequencies.begin();
    return steepness[std::min(std::size_t(place), steepness.size() - 1)].most;
  };
  std::vector<ScatteringError> errors;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double f = frequencies[i];
    const auto above =
        std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.frequency >= f; });
    if (above != known.end() && above->frequency == f) {
      errors.push_back(*above);
      continue;
    }
    const auto& upper = above == known.end() ? known.back() : *above;
    const auto& lower = above == known.begin() ? known.front() : *(above - 1);
    ScatteringError error = worse(lower, upper);
    const double there = std::max(steepness_at(lower.frequency), steepness_at(upper.frequency));
    const double growth = there > 0 ? std::clamp(steepness[i].most / there, 1.0, most_growth) : 1;
    error.s *= growth, error.elements *= growth;
    for (double& bar : error.impedance) bar *= growth;
    error.frequency = f, error.is_spread = true;
    errors.push_back(std::move(error));
  }
  return errors;
}

void widen_unresolved(std::vector<ScatteringError>& errors, const std::vector<Eigen::MatrixXcd>& s) {
  constexpr double linear = 0.1, most = 4;
  double widest = 0;
  for (const auto& error : errors) widest = std::max(widest, error.s.maxCoeff());
  const double factor = std::clamp(widest / linear, 1.0, most);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const Eigen::MatrixXd limit = limit_of(s[i]);
    errors[i].s = (factor * errors[i].s).cwiseMin(limit);
    errors[i].elements = (factor * errors[i].elements).cwiseMin(limit);
    for (double& bar : errors[i].impedance) bar *= factor;
  }
}

void widen_by_shift(std::vector<ScatteringError>& errors, const std::vector<double>& frequencies,
                    const std::vector<Eigen::MatrixXcd>& s) {
  const auto own = errors;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double shift = own[i].s.norm() / least_slope(frequencies, s, i);
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (!(std::abs(frequencies[k] - frequencies[i]) <= shift)) continue;
      errors[k].s = errors[k].s.cwiseMax(own[i].s);
      errors[k].elements = errors[k].elements.cwiseMax(own[i].elements);
    }
  }
  for (std::size_t i = 0; i < errors.size(); ++i)
    for (auto* bars : {&errors[i].s, &errors[i].elements}) *bars = bars->cwiseMin(limit_of(s[i]));
}

}  // namespace curlew::fem
