// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ports.csv of every program: properties of each port mode at each frequency, and group delays.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "results/s_parameters.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// A mode at a frequency; values that a program does not compute stay empty.
struct PortRow {
  double frequency;                               ///< [Hz]
  std::string port, mode{};                       ///< names
  std::optional<double> cutoff{};                 ///< [Hz]
  std::optional<Complex> gamma{};                 ///< [1/m]
  std::optional<Complex> z0{}, wave_impedance{};  ///< [ohm]
  std::string z0_definition{};
  Complex reference;  ///< [ohm] of S
};

/// @param rows [frequencies, modes] @param points [frequencies] S of the same modes; empty: not known
void write_port_table(const std::vector<PortRow>& rows, const std::vector<SPoint>& points, run::Run& run);

}  // namespace curlew::results
