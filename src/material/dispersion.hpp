// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Permittivity that varies with frequency: sums of Drude, Lorentz and Debye poles, and tables. All for
// exp(+jωt): a passive medium has Im ε <= 0.

#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "material/frequency_table.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::material {

/// One pole. Source: Jackson (1999), Classical Electrodynamics, 3rd ed., section 7.5; Taflove and Hagness
/// (2005), ch. 9.
struct Pole {
  enum class Type {
    drude,    ///< -ωp² / (ω (ω - jγ))
    lorentz,  ///< Δε ω0² / (ω0² - ω² + jγω)
    debye     ///< Δε / (1 + jωτ)
  };
  Type type = Type::debye;
  double strength = 0;   ///< Δε of Lorentz and Debye
  double frequency = 0;  ///< [rad/s] ωp of Drude, ω0 of Lorentz
  double damping = 0;    ///< [1/s] γ
  double time = 0;       ///< [s] τ of Debye

  /// At a complex angular frequency ω [rad/s], Im ω > 0 decays.
  Complex permittivity(Complex omega) const;
  bool is_lossy() const { return type == Type::debye || damping > 0; }
};

/// Dispersive part added to a constant permittivity.
struct Dispersion {
  std::vector<Pole> poles;
  std::shared_ptr<const FrequencyTable> table;

  bool is_empty() const { return poles.empty() && !table; }
  /// True if it dissipates at some frequency; a table counts as lossy.
  bool is_lossy() const;
  /// @param frequency [Hz], complex for decaying modes; tables use its real part @throws InputError for
  /// frequencies outside of a table
  Complex permittivity(Complex frequency) const;
};

/// Keys "model" ({ plasma_frequency = ..., ... } or a list of them) and "table" (a CSV file
/// with columns frequency_hz, epsilon_re, epsilon_im) of a [[material]].
/// @throws InputError for negative strengths, frequencies or dampings, or a table with gain
Dispersion read_dispersion(const io::Config& table);

}  // namespace curlew::material
