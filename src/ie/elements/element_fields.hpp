// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields of currents and charges on flat elements at any points, near ones too: the three integrals from
// which the fields of all equations of this module are computed.

#include <array>
#include <span>
#include <vector>

#include "base/device.hpp"
#include "ie/elements/elements.hpp"

namespace curlew::ie {

/// J(r) = J_c + slope q (r - centre) with div J = q on every element.
struct ElementCurrents {
  std::vector<Element> elements;
  std::vector<std::array<Complex, 4>> sources;  ///< [elements] J_c and q
};

/// With g = exp(-jkR)/R, without 1/(4 pi), at every point:
struct RadiatedIntegrals {
  std::vector<Vec3<Complex>> vector;    ///< int g J
  std::vector<Vec3<Complex>> gradient;  ///< grad int g q
  std::vector<Vec3<Complex>> curl;      ///< curl int g J
};

/// Farther than three radii of an element from its centre its current and charge are represented by six
/// points (eleven in a tetrahedron), summed by NGIM if there are many; nearer, 1/R - k^2 R/2 is integrated in
/// closed form and the rest by a rule of degree 5. On an element itself the value is the mean of both sides.
/// @param k wavenumber [1/m], Im k <= 0, not zero
/// @param direct_pairs number of pairs of points up to which they are summed directly: about the set-up cost
/// of a fast sum @note Each integral is accurate to about 1e-4 of the largest. Fields are less accurate:
/// charges jump between elements, so that closer than about half an edge the mesh is visible in the fields
/// (docs/measured/ie.md).
RadiatedIntegrals radiated_integrals(const ElementCurrents& currents, std::span<const Vec3<double>> points,
                                     Complex k, Device device = Device::cpu, double direct_pairs = 1e8);

}  // namespace curlew::ie
