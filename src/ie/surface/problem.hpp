// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A problem of surface integral equations: surfaces, media on their sides, the frequency, the
// equations.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "ie/surface/shells.hpp"
#include "ie/surface/surface_mesh.hpp"

namespace curlew::ie {

enum class Equation { efie, mfie, cfie };
/// Testing of the magnetic field in MFIE and CFIE: with RWG functions, or with n x Buffa-Christiansen
/// functions (ie/surface/dual_testing.hpp).
enum class MagneticTesting { rwg, dual };
enum class Boundary { conductor, impedance, dielectric };

/// Properties of a named surface.
struct Surface {
  Boundary boundary = Boundary::conductor;
  Complex surface_impedance = 0;    ///< [ohm], Re >= 0: E_t = Zs n x H; impedance only
  Complex epsilon_r = 1, mu_r = 1;  ///< inside; dielectric only, if Problem::bodies is empty; Im <= 0
};

/// A homogeneous body. Two bodies that touch share the surface between them; a body on a conductor may list
/// the conductor's surface or not.
struct Body {
  Complex epsilon_r = 1, mu_r = 1;  ///< Im <= 0
  std::vector<int> surfaces;        ///< tags of the mesh that together enclose it
};

struct Problem {
  SurfaceMesh mesh;
  std::vector<Surface> surfaces;       ///< by tag of the mesh
  std::vector<Body> bodies = {};       ///< empty: dielectric surfaces of one material enclose one body
  double frequency = 0;                ///< [Hz]
  Equation equation = Equation::cfie;  ///< for closed conductors; open ones use the EFIE
  double alpha = 0.5;                  ///< share of the EFIE in the CFIE, 0..1
  MagneticTesting testing = MagneticTesting::rwg;
};

/// A homogeneous part of space. Region 0 is the vacuum outside; each part of space filled by a body or
/// enclosed by dielectrics is a further region.
struct Region {
  Complex k;                     ///< wavenumber [1/m], Im <= 0
  Complex eta;                   ///< impedance [ohm]
  std::vector<Index> triangles;  ///< on its boundary
  std::vector<signed char>
      sign;  ///< [triangles of the mesh] +1 normal into the region, -1 out of it, 0 not on it
};

/// Regions of the problem on both sides of triangles; -1: no field.
struct Scene {
  std::vector<Region> regions;
  std::vector<int> front, back;  ///< [triangles] regions on the side of the normal and on the other side; of
                                 ///< sheets in one medium both, of other conductors the front alone
  std::vector<Index> second;     ///< [faces of the mesh] the second side of a sheet between two media, or -1
  Shells shells;                 ///< parts of space
  std::vector<int> inside;       ///< [shells] region in a shell that encloses something; -1 for the others
};

/// Finds the regions and orients the triangles of the mesh: the normal points out of conductors and into the
/// region of the lower number, that is out of bodies. A conducting sheet between two media becomes two
/// triangles, as its sides have separate currents. @throws InputError for unsolvable problems: a frequency,
/// alpha or material out of range; dielectrics that are open; impedances that are open or touch something
/// else; conductors with MFIE or CFIE that are open or in a region with dielectrics or impedances; surfaces
/// inside a conductor
Scene make_scene(Problem& problem);

/// Triangle edges relative to the shortest wavelength of all regions.
struct Resolution {
  double longest_edge;  ///< [m]
  double wavelength;    ///< [m]
  double skin_depth;    ///< [m] of that region, 1/-Im k; infinite without loss
  double per_wavelength() const { return wavelength / longest_edge; }
};
Resolution resolution(const Problem& problem, const Scene& scene);

}  // namespace curlew::ie
