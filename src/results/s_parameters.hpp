// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of ports, the same in every program: `s_parameters` and its scalars in summary.json.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// 20 log10 of a magnitude.
double decibel(double magnitude);

/// "S21" of row 1 and column 0; with a comma if there are more than nine ports.
std::string s_name(std::size_t row, std::size_t column, std::size_t ports);

/// S at one frequency.
struct SPoint {
  double frequency;        ///< [Hz]
  std::vector<Complex> s;  ///< [ports, ports]
  /// [ports] with the others matched [ohm]; empty for modes that have none (hollow guides)
  std::vector<std::optional<Complex>> input_impedance;
};

/// Appends to results.s_parameters; |S| in dB of the first excitation as scalars: its value for one
/// frequency, its extremes for several.
void state_s_parameters(const std::vector<SPoint>& points, run::Run& run);
/// Appends to results.s_references. @param port label of a port's mode @param reference reference of its S
void state_reference(const std::string& port, const std::string& reference, run::Run& run);

}  // namespace curlew::results
