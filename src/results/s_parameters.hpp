// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every program says of ports: `s_parameters` and its scalars in summary.json.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// 20 log10 of a magnitude.
double decibel(double magnitude);

/// S at one frequency.
struct SPoint {
  double frequency;        ///< [Hz]
  std::vector<Complex> s;  ///< [ports, ports]
  /// [ports] with the others matched [ohm]; empty for modes that have none (hollow guides)
  std::vector<std::optional<Complex>> input_impedance;
};

/// Appends to results.s_parameters; the level of S of the first excitation as scalars: itself with one
/// frequency, its extremes with several.
void state_s_parameters(const std::vector<SPoint>& points, run::Run& run);
/// Appends to results.s_references. @param port label of a port's mode @param reference what its S is stated
/// against
void state_reference(const std::string& port, const std::string& reference, run::Run& run);

}  // namespace curlew::results
