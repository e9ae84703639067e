// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Zs = K (1 + j) sqrt(ωμ0 / 2σ) of a good conductor whose surface may be rough.

#include "base/types.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::material {

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

/// Key "roughness" = { model = ..., rms = ... } or { model = "huray", spheres = [radius, area ratio] }.
Roughness read_roughness(const io::Config& table);

/// A metal far thicker than its skin depth, seen from outside.
struct Conductor {
  double conductivity = 0;  ///< [S/m] > 0
  Roughness roughness{};

  /// sqrt(2 / ωμ0σ) [m] at a frequency [Hz] > 0
  double skin_depth(double frequency) const;
  /// Zs [ohm]: E_t = Zs n x H. @param frequency [Hz], complex for decaying modes; roughness uses its real
  /// part. Source: Jackson (1999), Classical Electrodynamics, 3rd ed., section 8.1
  Complex impedance(Complex frequency) const;
};

/// Keys conductivity [S/m] and roughness. @throws InputError for values out of range
Conductor read_conductor(const io::Config& table);

}  // namespace curlew::material
