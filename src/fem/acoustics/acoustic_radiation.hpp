// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sound radiated from an open fluid: far field, power, cross-sections. With g = exp(jk r^.r) and the
// conserved flux of u through the inner face of the layers (acoustic_exterior.hpp), u r exp(jkr) for r ->
// infinity is
//   1/4pi int (u dg/dn - rho g flux) dS.
// Source: Colton and Kress (2013), Inverse Acoustic and Electromagnetic Scattering Theory, 3rd ed., section
// 2.2 (there with exp(-iwt)).

#include <optional>
#include <span>
#include <vector>

#include "fem/acoustics/acoustic_exterior.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fields/far_field.hpp"
#include "fields/plane_wave_sum.hpp"

namespace curlew::fem {

/// Cross-sections of a plane wave [m^2]: extinction = scattering + absorption.
struct SoundSections {
  double scattering, absorption, extinction;
  /// |extinction - scattering - absorption| over extinction
  double imbalance() const;
};

/// Radiation of the whole structure, including images.
struct SoundPattern {
  std::vector<Complex> pressure;  ///< [directions] of the radiated wave, times r exp(jkr) [Pa m], peak
  double power = 0;               ///< radiated through the face [W]
  /// Power in the far field [W]; differs from `power` if the layer reflects. Empty if it would take long.
  std::optional<double> far_power{};
  std::optional<SoundSections> sections{};  ///< of a wave

  /// 4 pi times the power per solid angle, divided by the radiated power. @param impedance rho c
  double directivity(std::size_t direction, double impedance) const;
  /// Index of the direction of the greatest pressure.
  std::size_t strongest() const;
};

class SoundRadiation {
 public:
  /// @param space, model with layers; outlive this object
  /// @throws InputError if the face ends at a plane that is not in [[symmetry]]
  SoundRadiation(const LagrangeSpace& space, const AcousticModel& model);
  const SoundExterior& exterior() const { return exterior_; }
  /// The scattered or radiated pressure, without the incident wave, everywhere. [num_nodes] [Pa]
  std::vector<Complex> scattered(const AcousticSolution& solution) const;
  /// @param with_far_power false: `far_power` is empty
  SoundPattern pattern(const AcousticSolution& solution, std::span<const fields::Direction> directions,
                       bool with_far_power = true) const;

  /// The load l of which lᵀ v is the change of the far pressure in a direction by v in the pressure.
  /// [num_nodes]
  std::vector<Complex> far_load(const fields::Direction& direction, double frequency) const;
  /// The load l of which Re(lᵀ v) is the change of the power, to first order. [num_nodes]
  std::vector<Complex> power_load(const AcousticSolution& solution) const;

 private:
  const LagrangeSpace& space_;
  const AcousticModel& model_;
  SoundExterior exterior_;
  fields::SurfacePoints points_;  // of the face, without images
};

}  // namespace curlew::fem
