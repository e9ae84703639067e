// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S at all frequencies of a sweep from estimates at a few.

#include <Eigen/Core>
#include <compare>
#include <vector>

#include "fem/error/scattering_error.hpp"

namespace curlew::fem {

/// How fast S changes at a frequency [1/Hz], sizes before phases, on its steeper and on its flatter side; 0
/// beyond the ends. Of the two ends of the steepest interval the one is steeper whose other side is.
struct Steepness {
  double most = 0, least = 0;
  auto operator<=>(const Steepness&) const = default;
};

/// @param frequencies [Hz] ascending @param s of each
std::vector<Steepness> steepness(const std::vector<double>& frequencies,
                                 const std::vector<Eigen::MatrixXcd>& s);

/// Places of the steepest, steepest first. @param count at most
std::vector<std::size_t> steepest(const std::vector<Steepness>& steepness, std::size_t count);

/// Bars at all frequencies: where there is none the worse of the next ones below and above, entry by entry.
/// An error of S is mostly a shift of its resonances, so that it grows where S is steeper than at those.
/// @param known at least one, ascending in frequency @param steepness of all frequencies
std::vector<ScatteringError> spread_errors(const std::vector<double>& frequencies,
                                           const std::vector<Steepness>& steepness,
                                           const std::vector<ScatteringError>& known);

/// Where two orders differ by much neither is near the truth, and S does not follow the shift of its
/// resonances in proportion: from bars of 0.1 on all of a band grow with the widest, to four times at 0.4.
/// None is above 1 + |S|, as passive networks are not.
/// @param s of the same frequencies
void widen_unresolved(std::vector<ScatteringError>& errors, const std::vector<Eigen::MatrixXcd>& s);

/// The same of bars that each frequency has of its own. S shifts by as much as its slope makes of a bar:
/// those of all frequencies so near are no narrower.
/// @param errors of these frequencies [Hz], ascending
void widen_by_shift(std::vector<ScatteringError>& errors, const std::vector<double>& frequencies,
                    const std::vector<Eigen::MatrixXcd>& s);

}  // namespace curlew::fem
