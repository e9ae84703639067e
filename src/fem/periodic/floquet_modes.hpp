// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane waves of a periodic cell's open end: TE(m,n) and TM(m,n) with the transverse wave vector
//   kt(m,n) = kt(0,0) + m b1 + n b2,   E_t = t exp(-j kt.r) / sqrt(area),
// t = n^ x u (TE) or u (TM), u = -kt/|kt|: E_t of TM(0,0) points along theta^ of the incident direction, E of
// TE(0,0) along phi^. n^ is the port's normal with its largest component positive and r is measured from the
// origin of the mesh, at all ports. Source: Bhattacharyya (2006), Phased Array Antennas, sections 3.2-3.4;
// the names are those of CST and HFSS.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/periodic/periodicity.hpp"
#include "fem/ports/port_mode.hpp"

namespace curlew::fem {

/// The open end of a unit cell.
struct FloquetCell {
  Lattice lattice;         ///< two translations in the plane of the port
  Vec3<double> normal;     ///< unit
  Vec3<double> direction;  ///< u of a mode with kt = 0, unit, in the plane
  double area = 0;         ///< [m^2]

  /// kt(m,n) [rad/m] from kt(0,0).
  Vec3<double> wave_vector(Vec3<double> kt, int m, int n) const {
    return kt + double(m) * lattice.reciprocals[0] + double(n) * lattice.reciprocals[1];
  }
};

struct FloquetMode {
  ModeFamily family;  ///< te or tm
  int m, n;
  std::string name() const;  ///< "TE(0,-1)"
  /// Unit vector t of E_t for kt(m,n) [rad/m].
  Vec3<double> polarization(const FloquetCell& cell, Vec3<double> kt) const;
};

/// @param triangles of the port's face, in a plane, one cell of the lattice
/// @throws InputError if they are not
FloquetCell make_floquet_cell(const mesh::Mesh& mesh, const std::vector<Index>& triangles,
                              const Periodicity& periodicity, const std::string& region);

/// TE(0,0) and TM(0,0), then the modes with the smallest |kt|, TE before TM.
/// @param kt [rad/m] kt(0,0) @param k [rad/m] wavenumber in the medium
/// @param count number of modes; 0: those that propagate, at least the two of (0,0); `more` follow them
/// @param[out] first number of modes without the `more` ones
std::vector<FloquetMode> floquet_modes(const FloquetCell& cell, Vec3<double> kt, double k, int count,
                                       int more, int& first);

}  // namespace curlew::fem
