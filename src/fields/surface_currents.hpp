// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Equivalent currents J = n x H and M = -n x E at the points of a rule on a triangulated surface: the input
// of radiation integrals. n points out of the volume with the sources.

#include <span>
#include <vector>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"
#include "base/wavenumber.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fields {

/// The homogeneous, lossless medium outside the surface.
struct Exterior {
  double k;                             ///< wavenumber [1/m], > 0
  double impedance = vacuum_impedance;  ///< [ohm]

  static Exterior vacuum(double frequency) { return {wavenumber(frequency)}; }
};

/// Points of the currents.
struct SurfacePoints {
  std::vector<Vec3<double>> position;  ///< [n] [m]
  std::vector<Vec3<double>> normal;    ///< [n] unit, away from the sources
  std::vector<double> weight;          ///< [n] with the surface element [m^2]

  Offset size() const { return Offset(position.size()); }
};

/// Currents at the points, for `count` right-hand sides.
struct SurfaceCurrents {
  Index count = 0;
  std::vector<Vec3<Complex>> electric;  ///< [count, n] J [A/m]
  std::vector<Vec3<Complex>> magnetic;  ///< [count, n] M [V/m]

  SurfaceCurrents() = default;
  SurfaceCurrents(Index num_rhs, Offset num_points)
      : count(num_rhs), electric(std::size_t(num_rhs * num_points)), magnetic(electric.size()) {}
};

/// The points of a rule on triangles of a mesh, straight or curved; triangle t owns the points
/// t n_rule ... (t + 1) n_rule - 1 of the result.
/// @param triangles of the mesh (see mesh::Region)
/// @param sides     [triangles.size()] +1 if the normal by the order of the triangle's vertices points out,
///                  -1 if in; see mesh::outward_sides
/// @param degree    polynomial degree of the rule
SurfacePoints sample_triangles(const mesh::Mesh& mesh, std::span<const Index> triangles,
                               std::span<const int> sides, int degree);

/// A plane of symmetry at a coordinate: the part of the problem beyond it is the image of this one.
struct SymmetryPlane {
  int axis = 0;          ///< 0 x, 1 y, 2 z
  double position = 0;   ///< [m]
  bool electric = true;  ///< true: PEC (n x E = 0 on it), sound: p = 0; false: PMC (n x H = 0), dp/dn = 0
};

/// The points with all their images: n points become 2^planes n, images after the originals.
SurfacePoints with_images(const SurfacePoints& points, std::span<const SymmetryPlane> planes);
/// The currents of those points. In a PEC plane J' = -R J, M' = R M (R the reflection), in a PMC plane the
/// signs are opposite.
SurfaceCurrents with_images(const SurfaceCurrents& currents, std::span<const SymmetryPlane> planes);

/// The currents followed by those of the conjugate fields, -J* and M*.
SurfaceCurrents with_conjugates(const SurfaceCurrents& currents);

/// Solid angle of a surface seen from a point off it [sr]: 4 pi inside a closed surface, 0 outside (Gauss).
double solid_angle(const SurfacePoints& surface, Vec3<double> point);

/// Power through the surface, P = 1/2 Re ∮ (E x H*) . n dS [W], by right-hand side. Phasors are peak values.
std::vector<double> radiated_power(const SurfacePoints& points, const SurfaceCurrents& currents);

}  // namespace curlew::fields
