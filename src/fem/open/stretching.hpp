// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Complex coordinates in a perfectly matched layer. With x~(x) and F = dx~/dx, Maxwell's equations in x~ are
// those in x with constants that depend on position,
//   eps' = det F  F^-1 eps F^-T,   mu' = det F  F^-1 mu F^-T,
// with unchanged tangential fields. Cartesian: x~_i = x_i -+ j b (d_i/t_i)^(m+1), d_i the depth in the layer;
// spherical: r~ = r - j b (d/t)^(m+1). Sources: Chew and Weedon (1994), Microwave and Optical Technology
// Letters 7; Teixeira and Chew (1997), IEEE Microwave and Guided Wave Letters 7 (any medium, curved layers);
// Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., section 9.6.

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/mat3.hpp"

namespace curlew::fem {

struct Coefficient;

enum class PmlShape { cartesian, spherical };

/// Position of a layer.
struct PmlGeometry {
  PmlShape shape = PmlShape::cartesian;
  // Cartesian: the inner box, and the layer's thickness at each of its six sides, 0 if there is none.
  Vec3<double> lo{}, hi{};                      ///< [m]
  Vec3<double> thickness_lo{}, thickness_hi{};  ///< [m] >= 0
  // Spherical
  Vec3<double> center{};  ///< [m]
  double radius = 0;      ///< inner radius [m]
  double thickness = 0;   ///< [m]
};

/// A layer at one frequency, whose absorption grows with the square of the depth.
struct Stretching {
  PmlGeometry geometry;
  double depth = 0;  ///< b [m]: a wave exp(-jkx) is damped by exp(-k b) on its way through

  /// F = dx~/dx at a point [m], symmetric; the unit matrix outside of the layer.
  Mat3<Complex> gradient(Vec3<double> x) const;
};

/// det F  F^-1 c F^-1 of a permittivity, and F c F / det F of an inverse permeability. @param F symmetric
Coefficient stretched(const Mat3<Complex>& F, const Coefficient& c);
Coefficient stretched_inverse(const Mat3<Complex>& F, const Coefficient& inverse);

}  // namespace curlew::fem
