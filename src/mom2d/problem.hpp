// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A two-dimensional problem: contours, media on their sides, the wave and the discretisation.

#include <vector>

#include "base/types.hpp"
#include "mom2d/contour.hpp"

namespace curlew::mom2d {

enum class Polarization { tm, te };  ///< tm: E along z; te: H along z
enum class Equation { efie, mfie, cfie };
enum class Method { mom, lcn };

struct Material {
  Complex epsilon_r = 1, mu_r = 1;  ///< Im <= 0: passive
};

enum class Boundary { pec, impedance, dielectric };

struct Body {
  Contour contour;
  Boundary boundary = Boundary::pec;
  Material material;              ///< inside, for dielectric bodies
  Complex surface_impedance = 0;  ///< [ohm], for impedance boundaries; Re >= 0
};

struct Problem {
  std::vector<Body> bodies;
  double wavenumber = 0;  ///< k0 [1/m] of the surrounding vacuum
  Polarization polarization = Polarization::tm;
  Equation equation = Equation::cfie;  ///< for conductors and impedance boundaries
  double alpha = 0.5;                  ///< share of the EFIE in the CFIE
  Method method = Method::lcn;
  int nodes = 8;           ///< q, quadrature points per cell, 1..12; the MoM has 1
  bool paper_mom = false;  ///< the one-point matrix entries of the paper instead of cell integrals
  bool neighbours =
      true;  ///< interpolate over neighbouring cells too (see Stencil); false: the classical LCN
};

/// A homogeneous part of space; number 0 is the vacuum outside.
struct Region {
  Complex k;       ///< wave number [1/m]
  Complex factor;  ///< mu_r (TM) or epsilon_r (TE): v = (du/dn)/(factor k0) is continuous
};

/// Contours with the regions on their two sides, checked.
struct Scene {
  std::vector<Region> regions;
  std::vector<int> outer, inner;  ///< regions on both sides of each contour; inner -1: no field
};

/// @throws InputError for an open contour with MFIE, CFIE, a material or an impedance; a body inside a
/// conductor; contours that cross; active materials; a wave number, node number or alpha out of range; the
/// paper's MoM for anything but conductors in TM with the EFIE
Scene make_scene(const Problem& problem);

/// sqrt(epsilon mu) k0 with the sign of a wave that decays: Im k <= 0.
Complex wavenumber_in(const Material& material, double k0);

}  // namespace curlew::mom2d
