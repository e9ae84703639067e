// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ports.csv of every program: what a port's modes are at each frequency, and how long a wave takes to them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "results/s_parameters.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// A mode at a frequency; what a program does not know stays empty.
struct PortRow {
  double frequency;                               ///< [Hz]
  std::string port, mode{};                       ///< names
  std::optional<double> cutoff{};                 ///< [Hz]
  std::optional<Complex> gamma{};                 ///< [1/m]
  std::optional<Complex> z0{}, wave_impedance{};  ///< [ohm]
  std::string z0_definition{};
  Complex reference;  ///< [ohm] of S
};

/// Group delays -dφ/dω [s] of S at ascending frequencies [Hz]: parabolas through the phases of three
/// neighbours. Empty where S is 0 or turns by more than 135 degrees to a neighbour, so that the sense of the
/// turn is in doubt, and with a single frequency.
std::vector<std::optional<double>> group_delays(std::span<const double> frequencies,
                                                std::span<const Complex> s);

/// @param rows [frequencies, modes] @param points [frequencies] S of the same modes; empty: not known
void write_port_table(const std::vector<PortRow>& rows, const std::vector<SPoint>& points, run::Run& run);

}  // namespace curlew::results
