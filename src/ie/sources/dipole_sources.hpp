// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dipoles as sources of a surface problem, outside and inside bodies: each excites its region, where the
// total field is its field in that medium plus the field of the currents. Far field and powers are those of
// the total field.

#include <span>
#include <string>
#include <vector>

#include "fields/far_field.hpp"
#include "ie/sources/excitation.hpp"

namespace curlew::ie {

/// Position of a point relative to surfaces.
struct Place {
  int region = -1;      ///< of the scene, -1: no field (in a conductor, behind an impedance)
  double distance = 0;  ///< from the nearest triangle [m]
  double edge = 0;      ///< the longest edge of that triangle [m]
  std::string surface;  ///< its name
};
Place locate(const System& system, Vec3<double> point);

/// A dipole nearer than this times the longest edge of the nearest triangle induces currents that the mesh
/// cannot resolve; at this distance the far field has an error of some per cent (dipole_sources_test).
inline constexpr double nearest_dipole_in_edges = 0.25;

/// The region of the scene that a dipole excites.
/// @throws InputError in regions without field, or nearer to a surface than nearest_dipole_in_edges
int region_of_dipole(const System& system, Vec3<double> position);

/// A group of dipoles as one excitation.
class DipoleSources {
 public:
  /// @throws InputError as region_of_dipole
  DipoleSources(const System& system, std::vector<Dipole> dipoles);

  std::vector<Complex> right_hand_side() const;
  /// Incident field at a point: of the dipoles in its region, in its medium. @param region of the point
  FieldPair own_field(Vec3<double> r, int region) const;
  /// The sum of the fields of all dipoles, each in an unbounded space of its medium.
  FieldPair incident_field(Vec3<double> r) const;
  /// Adds the radiation of dipoles outside of bodies to the far field of the currents. @param far [1,
  /// directions]
  void add_far_field(std::span<const fields::Direction> directions, fields::FarField& far) const;

  struct Powers {
    double supplied = 0;  ///< -1/2 Re sum p*.E [W]; infinite for a dipole in a lossy medium
    double radiated = 0;  ///< of the total far field [W]
  };
  /// @param x [unknowns] @param of_currents power of the far field of the currents only [W]
  Powers powers(const Complex* x, double of_currents) const;

 private:
  /// E at each dipole of the other dipoles in its region.
  std::vector<Vec3<Complex>> field_by_dipoles() const;
  /// Interference power of the far fields of currents and outside dipoles [W]. @param by_currents E at the
  /// dipoles
  double exchange(const Complex* x, const std::vector<Vec3<Complex>>& by_currents) const;

  const System& system_;
  std::vector<Dipole> dipoles_;
  std::vector<int> regions_;
};

}  // namespace curlew::ie
