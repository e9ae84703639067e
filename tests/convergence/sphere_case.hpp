// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Spheres in a wave of 1 m, their meshes, and the distance of a far field from Mie's series.

#include <vector>

#include "base/constants.hpp"
#include "fem/model/model.hpp"
#include "fields/far_field.hpp"
#include "mesh/mesh.hpp"

namespace curlew::test {

inline constexpr double light_frequency = speed_of_light;  // a wavelength of 1 m

/// A sphere of radius a, S' on it, and S at a distance d.
struct SphereCase {
  double ka = 1;
  double distance = 0.1;  ///< wavelengths
  int shell = 3;          ///< of the surface: 8 shell^2 triangles
  int layers = 1;         ///< cells between S' and S
  Complex epsilon_r = 0;  ///< 0: PEC
  int degree = 8;         ///< of the rule on S'; 0: automatic
  int pml_layers = 0;     ///< the outer ones of the layers are a volume "pml"

  double radius() const { return ka / (2 * pi); }
  bool is_metal() const { return epsilon_r == 0.0; }
};

/// Surfaces "body" and "S", volumes "inside" (of a dielectric), "air" and "pml".
mesh::Mesh sphere_mesh(const SphereCase& c);
/// Order 2, metal or dielectric, without a condition on S.
fem::Model sphere_model(const SphereCase& c);

/// 74 directions of the planes phi = 0 and 90 degrees.
std::vector<fields::Direction> mie_directions();
/// RMS over mie_directions() of the total cross-section against the series [dB], for a wave that arrives from
/// -z with E along x.
double error_db(const SphereCase& c, const fields::FarField& far);

}  // namespace curlew::test
