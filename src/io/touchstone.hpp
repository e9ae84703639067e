// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scattering matrices as Touchstone files. Source: Touchstone File Format Specification, versions 1.1 (2002)
// and 2.0 (2009), EIA/IBIS.

#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::io {

class Config;

struct Touchstone {
  int num_ports = 0;
  std::vector<double> frequencies;  ///< [Hz], ascending (required by the format)
  std::vector<Complex> s;           ///< [num_frequencies, num_ports, num_ports], S_ij at i * num_ports + j
  double reference_impedance = 50;  ///< [ohm], of the option line
  /// [ohm] [num_frequencies, num_ports] if they differ by port or frequency: in comments after each
  /// frequency, as HFSS writes and scikit-rf reads them; else empty.
  std::vector<Complex> port_impedances{};
  /// [ohm] [num_ports], of [Reference]: the file is then of version 2.0; empty: 1.1
  std::vector<double> references{};
  std::vector<std::string> comments;  ///< lines without the leading !

  Complex at(std::size_t frequency, int i, int j) const {
    return s[(frequency * std::size_t(num_ports) + std::size_t(i)) * std::size_t(num_ports) + std::size_t(j)];
  }
};

/// 2 if `formats` of [output] has touchstone2, else 1. @throws InputError for unknown formats
int read_touchstone_version(const Config& output);

/// "iris.s2p" for stem "iris" and two ports.
std::string touchstone_name(const std::string& stem, int num_ports);

/// Writes frequencies ascending, in Hz, real and imaginary parts, two ports in the order S11 S21 S12 S22,
/// more row by row, at most four values per line, 12 significant digits.
/// @throws InputError if sizes do not fit or a frequency occurs twice; NumericalError if an S-parameter is
/// not finite; ResourceError if it cannot be written
void write_touchstone(const std::string& path, const Touchstone& data);

}  // namespace curlew::io
