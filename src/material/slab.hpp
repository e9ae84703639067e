// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A layer between two faces as a two-port of tangential fields, for waves that travel along its normal: exact
// at normal incidence, and for a conductor at any angle (its index is large).

#include "base/types.hpp"

namespace curlew::material {

/// With K_i = n_i x H_i, n_i into the layer at face i, and E_i = Z11 K_i + Z12 K_other:
///   Z11 = -jη cot(kd), Z12 = -jη / sin(kd),
/// stored as parts for equal and opposite fields on both faces, which are accurate for thin layers. Source:
/// Pozar (2011), Microwave Engineering, 4th ed., section 4.2 (line of length d).
struct SlabImpedance {
  Complex even;  ///< [ohm] Z11 + Z12 = -jη cot(kd/2): a magnetic wall in the middle
  Complex odd;   ///< [ohm] Z11 - Z12 = jη tan(kd/2): an electric wall in the middle
  Complex open;  ///< [ohm] Z11: a magnetic wall behind the layer

  Complex self_admittance() const { return 0.5 * (1.0 / even + 1.0 / odd); }      ///< [S] Y11
  Complex transfer_admittance() const { return 0.5 * (1.0 / even - 1.0 / odd); }  ///< [S] Y12
};

/// @param epsilon_r, mu_r of the layer, Im <= 0 @param thickness [m] > 0
/// @param frequency [Hz], complex for decaying modes
SlabImpedance slab_impedance(Complex epsilon_r, Complex mu_r, double thickness, Complex frequency);

}  // namespace curlew::material
