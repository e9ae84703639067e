// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Permittivity that varies with frequency: sums of Drude, Lorentz and Debye poles, tables, and the roughness
// of conductors. All for exp(+jωt): a passive medium has Im ε <= 0.

#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

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

/// ε_r at ascending frequencies, linear in between.
struct PermittivityTable {
  std::string name;  ///< the file, for messages
  std::vector<double> frequencies;
  std::vector<Complex> values;

  /// @throws InputError outside of the table
  Complex at(double frequency) const;
};

/// What a region adds to its constant permittivity.
struct Dispersion {
  std::vector<Pole> poles;
  std::shared_ptr<const PermittivityTable> table;

  bool is_empty() const { return poles.empty() && !table; }
  /// True if it dissipates at some frequency; a table counts as lossy.
  bool is_lossy() const;
  /// @param frequency [Hz], complex for decaying modes; a table is read at its real part
  /// @throws InputError where a table does not reach
  Complex permittivity(Complex frequency) const;
};

/// Keys "model" ({ type = "drude" | "lorentz" | "debye", ... } or a list of them) and "table" (a CSV file
/// with columns frequency_hz, epsilon_re, epsilon_im) of a [[material]].
/// @throws InputError for negative strengths, frequencies or dampings, or a table with gain
Dispersion read_dispersion(const io::Config& table);

/// Factor on the surface impedance of a rough conductor (as σ / K² in its skin effect).
struct Roughness {
  enum class Model {
    smooth,
    hammerstad,  ///< 1 + (2/π) atan(1.4 (Δ/δ)²). Source: Hammerstad and Jensen (1980), IEEE MTT-S Digest
    groiss,      ///< 1 + exp(-(δ/2Δ)^1.6). Source: Groiss et al. (1996), IEEE Trans. Magn. 32(3)
    huray        ///< 1 + 3/2 s / (1 + δ/r + δ²/2r²). Source: Huray et al. (2010), DesignCon
  };
  Model model = Model::smooth;
  double rms = 0;         ///< [m] Δ
  double radius = 0;      ///< [m] r of the spheres (Huray)
  double area_ratio = 0;  ///< s: area of the spheres over the flat area (Huray)

  /// @param skin_depth δ [m]
  double factor(double skin_depth) const;
};

/// Key "roughness" = { model = ..., rms = ... } or { model = "huray", radius = ..., area_ratio = ... }.
Roughness read_roughness(const io::Config& table);

}  // namespace curlew::fem
