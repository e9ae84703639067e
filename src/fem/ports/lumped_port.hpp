// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lumped port: a planar face between two conductors whose uniform sheet carries a current along one
// direction.
//
// With length l along the direction, width w and resistance R, a rectangle has R w/l ohm per square:
// jωμ0/R (l/w) ∫ (W·d)(E·d) dS; its voltage is the mean over the width, V = fᵀx, f = 1/w ∫ W·d dS, and an
// incident voltage a drives 2 (jωμ0/R) a f, so that V = a + b in the algebra of modal_port.hpp. A ring or a
// sector of angle φ between radii a and b is the same with d = r̂, l = ln(b/a), w = φ and
// f = 1/φ ∫ W·r̂/r dS: the field of its sheet is E_r = V / (r ln(b/a)).
// Source: Jin (2014), section 10.4 (lumped ports); the sheet as in palace, docs/src/guide/boundaries.md.

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

struct CurrentDirection;
struct Model;
struct PortModel;

/// A rectangle or ring between two conductors.
struct LumpedShape {
  Vec3<double> direction;  ///< unit vector in the face; not of a ring
  double length = 0;       ///< [m] extent along the direction; ln(b/a) of a ring
  double width = 0;        ///< [m] area / length; angle of a ring [rad]
  bool is_radial = false;  ///< between two concentric arcs
  Vec3<double> centre{};   ///< [m] of the arcs

  /// Unit vector of the current at a point of the face.
  Vec3<double> along(Vec3<double> point) const;
  /// Weight of W·along in the voltage functional [1/m].
  double weight(Vec3<double> point) const;
};

struct LumpedPort : LumpedShape {
  double resistance = 50;  ///< [ohm] of the sheet in the model
};

/// The shape and conductors are checked: a rectangle (area = length times width within 2 %) whose two ends
/// lie on different conductors (perfect ones and impedance walls), or a ring or sector between two concentric
/// ones.
/// @param name of the face in messages, 'port "feed"'
/// @throws InputError naming the face, what is wrong and what would be right
LumpedShape lumped_shape(const std::string& name, const CurrentDirection& direction, const Model& model,
                         const NedelecSpace& space, std::span<const Index> triangles);
/// @throws InputError as lumped_shape
LumpedPort make_lumped_port(const PortModel& port, const Model& model, const NedelecSpace& space,
                            std::span<const Index> triangles);

/// f [dofs]: the voltage as a functional of the unknowns. @param dofs unknowns of the face, ascending
std::vector<double> lumped_load(const LumpedPort& port, const NedelecSpace& space,
                                std::span<const Index> triangles, const std::vector<Index>& dofs);
/// a += gamma (l/w) ∫ (W·d)(E·d) dS.
void add_lumped_sheet(const LumpedPort& port, const NedelecSpace& space, std::span<const Index> triangles,
                      Complex gamma, linalg::Csr<Complex>& a);

}  // namespace curlew::fem
