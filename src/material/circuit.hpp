// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Resistor, coil and capacitor of a lumped element.

#include "base/types.hpp"
#include "io/config.hpp"

namespace curlew::material {

/// In series or in parallel; 0: absent.
struct Circuit {
  double resistance = 0;   ///< [ohm]
  double inductance = 0;   ///< [H]
  double capacitance = 0;  ///< [F]

  bool is_empty() const { return resistance == 0 && inductance == 0 && capacitance == 0; }
  /// R + jωL + 1/(jωC) [ohm] at a frequency [Hz], complex for decaying modes; 0 of an empty circuit.
  Complex series_impedance(Complex frequency) const;
  /// 1/R + jωC + 1/(jωL) [S]; 0 of an empty circuit.
  Complex parallel_admittance(Complex frequency) const;
};

/// Names of the keys in [ohm], [H] and [F].
struct CircuitKeys {
  const char *resistance = "resistance", *inductance = "inductance", *capacitance = "capacitance";
};
/// All are optional. @throws InputError unless they are positive
Circuit read_circuit(const io::Config& table, const CircuitKeys& keys = {});

}  // namespace curlew::material
