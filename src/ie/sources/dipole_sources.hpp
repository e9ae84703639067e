// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dipoles as sources of a surface problem, outside and inside bodies: each excites the region that it lies
// in, and the total field there is its own in that medium and what the currents add. Far field and powers are
// those of the total field.

#include <span>
#include <string>
#include <vector>

#include "fields/far_field.hpp"
#include "ie/sources/excitation.hpp"

namespace curlew::ie {

/// Where a point lies.
struct Place {
  int region = -1;      ///< of the scene, -1: no field there (in a conductor, behind an impedance)
  double distance = 0;  ///< from the nearest triangle [m]
  double edge = 0;      ///< the longest edge of that triangle [m]
  std::string surface;  ///< its name
};
Place locate(const System& system, Vec3<double> point);

/// A dipole nearer than this times the longest edge of the nearest triangle has an image that the triangles
/// cannot follow; at it the far field is off by some per cent (dipole_sources_test).
inline constexpr double nearest_dipole_in_edges = 0.25;

/// The region of the scene that a dipole excites.
/// @throws InputError where no field is, or nearer to a surface than nearest_dipole_in_edges
int region_of_dipole(const System& system, Vec3<double> position);

/// Dipoles that excite together.
class DipoleSources {
 public:
  /// @throws InputError as region_of_dipole
  DipoleSources(const System& system, std::vector<Dipole> dipoles);

  std::vector<Complex> right_hand_side() const;
  /// Their own field at a point: of those in its region, each in its medium. @param region of the point
  FieldPair own_field(Vec3<double> r, int region) const;
  /// The field that all would have without any surface, each in its own medium filling space.
  FieldPair incident_field(Vec3<double> r) const;
  /// Adds what those outside radiate to the far field of the currents. @param far [1, directions]
  void add_far_field(std::span<const fields::Direction> directions, fields::FarField& far) const;

  struct Powers {
    double supplied = 0;  ///< -1/2 Re sum p*.E [W]; infinite for a dipole in a lossy medium
    double radiated = 0;  ///< of the total far field [W]
  };
  /// @param x [unknowns] @param of_currents power of the far field of the currents alone [W]
  Powers powers(const Complex* x, double of_currents) const;

 private:
  /// E of the other dipoles of its region at each.
  std::vector<Vec3<Complex>> field_by_dipoles() const;
  /// Power of the far fields' overlap, currents and dipoles outside [W]. @param by_currents E at the dipoles
  double exchange(const Complex* x, const std::vector<Vec3<Complex>>& by_currents) const;

  const System& system_;
  std::vector<Dipole> dipoles_;
  std::vector<int> regions_;
};

}  // namespace curlew::ie
