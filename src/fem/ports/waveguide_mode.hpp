// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes of homogeneous rectangular and circular waveguides with metallic walls, in closed form.
// Source: Pozar (2012), Microwave Engineering, 4th ed., sections 3.3 and 3.4; Marcuvitz (1951), ch. 2.

#include <vector>

#include "base/types.hpp"
#include "fem/ports/port_mode.hpp"
#include "fem/ports/port_shape.hpp"

namespace curlew::fem {

/// One mode: its transverse electric field is real, independent of frequency, and normalised to
/// ∫ e·e dA = 1 over the cross-section, e in [1/m]. Its sign follows the port's axes, thus the global ones.
class WaveguideMode : public PortMode {
 public:
  using Family = ModeFamily;

  /// @param te_or_tm te or tm
  /// @param m, n rectangle: half waves along u and v; circle: n is the azimuthal order and m the number of
  ///             the zero (1, 2, ...), as in TE_nm; sine: the second of two degenerate circular modes
  WaveguideMode(const PortShape& shape, Family te_or_tm, int m, int n, bool sine = false);

  Vec3<double> electric(Vec3<double> r) const;  ///< e(r) [1/m], r in the port's plane [m]

 private:
  Vec3<double> rectangular(double u, double v) const;
  Vec3<double> circular(double u, double v) const;

  PortShape shape_;
  int m_, n_;
  bool sine_;
  double scale_;
};

/// The first `count` modes by cut-off; TE before TM if they are degenerate.
std::vector<WaveguideMode> waveguide_modes(const PortShape& shape, int count);

}  // namespace curlew::fem
