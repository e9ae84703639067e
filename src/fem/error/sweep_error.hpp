// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S at all frequencies of a sweep from estimates at a few.

#include <Eigen/Core>
#include <compare>
#include <vector>

#include "fem/error/scattering_error.hpp"

namespace curlew::fem {

/// Rate of change of S at a frequency [1/Hz] on its steeper and on its flatter side, 0 beyond the ends.
/// Magnitudes count before phases. Of the two ends of the steepest interval the one with the steeper other
/// side ranks first.
struct Steepness {
  double most = 0, least = 0;
  auto operator<=>(const Steepness&) const = default;
};

/// @param frequencies [Hz] ascending @param s of each
std::vector<Steepness> steepness(const std::vector<double>& frequencies,
                                 const std::vector<Eigen::MatrixXcd>& s);

/// Indices of the steepest frequencies, steepest first. @param count at most
std::vector<std::size_t> steepest(const std::vector<Steepness>& steepness, std::size_t count);

/// Error bars at all frequencies: where there is none, the larger of the nearest ones below and above, entry
/// by entry. The error of S is mostly a shift of its resonances, so the bar is larger if S is steeper than
/// there.
/// @param known at least one, ascending in frequency @param steepness of all frequencies
std::vector<ScatteringError> spread_errors(const std::vector<double>& frequencies,
                                           const std::vector<Steepness>& steepness,
                                           const std::vector<ScatteringError>& known);

/// If two orders differ much, neither is accurate, and S does not change in proportion to the shift of its
/// resonances: if the widest bar of a band exceeds 0.1, all are multiplied by a factor that grows to 4 at
/// 0.4. None exceeds 1 + |S|, the bound of passive networks.
/// @param s of the same frequencies
void widen_unresolved(std::vector<ScatteringError>& errors, const std::vector<Eigen::MatrixXcd>& s);

/// The same for frequencies with separate bars. A bar divided by the slope of S is a shift in frequency: bars
/// of all frequencies within that shift are at least as wide.
/// @param errors of these frequencies [Hz], ascending
void widen_by_shift(std::vector<ScatteringError>& errors, const std::vector<double>& frequencies,
                    const std::vector<Eigen::MatrixXcd>& s);

}  // namespace curlew::fem
