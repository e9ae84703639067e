// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What is to be solved by surface integral equations: surfaces, what they bound, the frequency, the
// equations.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

enum class Equation { efie, mfie, cfie };
/// Of the magnetic field in MFIE and CFIE: with RWG functions, or with n x Buffa-Christiansen functions
/// (ie/surface/dual_testing.hpp).
enum class MagneticTesting { rwg, dual };
enum class Boundary { conductor, impedance, dielectric };

/// Of one named surface.
struct Surface {
  Boundary boundary = Boundary::conductor;
  Complex surface_impedance = 0;    ///< [ohm], Re >= 0: E_t = Zs n x H; impedance only
  Complex epsilon_r = 1, mu_r = 1;  ///< inside; dielectric only; Im <= 0
};

struct Problem {
  SurfaceMesh mesh;
  std::vector<Surface> surfaces;       ///< by tag of the mesh
  double frequency = 0;                ///< [Hz]
  Equation equation = Equation::cfie;  ///< on closed conductors; open ones take the EFIE
  double alpha = 0.5;                  ///< share of the EFIE in the CFIE, 0..1
  MagneticTesting testing = MagneticTesting::rwg;
};

/// A homogeneous part of space. Region 0 is the vacuum outside; each closed dielectric piece bounds one more.
struct Region {
  Complex k;                     ///< wavenumber [1/m], Im <= 0
  Complex eta;                   ///< impedance [ohm]
  std::vector<Index> triangles;  ///< on its boundary
  std::vector<signed char>
      sign;  ///< [triangles of the mesh] +1 normal into the region, -1 out of it, 0 not on it
};

/// Regions on the two sides of each piece; -1 where there is no field.
struct Scene {
  std::vector<Region> regions;
  std::vector<int> outer, inner;  ///< [pieces]
};

/// @throws InputError for what cannot be solved: a frequency, alpha or material out of range; surfaces of
/// different kinds or materials on one piece; an open or branching piece with MFIE, CFIE, a material or an
/// impedance; a piece inside a conductor; MFIE or CFIE where the wave around the conductor also meets
/// dielectrics or impedances
Scene make_scene(const Problem& problem);

/// Triangle edges against the shortest wavelength of all regions.
struct Resolution {
  double longest_edge;  ///< [m]
  double wavelength;    ///< [m]
  double skin_depth;    ///< [m] of that region, 1/-Im k; infinite without loss
  double per_wavelength() const { return wavelength / longest_edge; }
};
Resolution resolution(const Problem& problem, const Scene& scene);

}  // namespace curlew::ie
