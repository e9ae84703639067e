// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Constants of a mode in a guide filled by one isotropic medium: its transverse field does not depend on
// frequency, only the propagation constant and the admittance do. Source: Pozar (2012), Microwave
// Engineering, 4th ed., section 3.1.

#include <string>

#include "base/types.hpp"

namespace curlew::fem {

enum class ModeFamily {
  te,
  tm,
  tem,
  hybrid,  ///< in a guide with several media or lossy walls: its constants are computed at every frequency
  lumped   ///< voltage and current of a lumped port
};

struct PortMode {
  ModeFamily family = ModeFamily::te;
  std::string name;   ///< "TE10", "TEM", "mode 1"
  double cutoff = 0;  ///< [rad/m] kc; for a hybrid mode unknown, 0
  /// For TEM modes: voltage between conductor and ground, and flux ∫ ∇ψ·e dS (ψ = 1 on the conductor, 0 on
  /// all others), which times the admittance is the current; at ∫ e·e dS = 1. Both zero for other modes.
  double voltage = 0, flux = 0;

  /// Propagation constant γ = α + jβ [1/m] at wavenumber k0 [rad/m] of the wave that decays or carries power
  /// forward: Re γ >= 0; Im γ > 0 when propagating, except in a medium of negative index.
  Complex gamma(double k0, Complex eps_r, Complex mu_r) const;
  /// jωμ0 times the wave admittance [1/m]: γ/μr for TE and TEM, -k0² εr/γ for TM.
  Complex admittance(double k0, Complex eps_r, Complex mu_r) const;
  double cutoff_frequency(Complex eps_r, Complex mu_r) const;  ///< [Hz], of the lossless part
};

/// The root of γ² with a non-negative real part; on the imaginary axis (to 1e-9) the one with a positive
/// imaginary part.
Complex decaying_root(Complex square);
/// That root; on the imaginary axis the one whose power flows forward.
/// @param sign Re μ_r of TE and TEM modes, Re ε_r of TM modes: if negative, phase and power travel in
/// opposite directions
Complex forward_root(Complex square, double sign);

}  // namespace curlew::fem
