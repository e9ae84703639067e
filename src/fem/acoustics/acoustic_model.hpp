// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The acoustic problem of a config, by region name: media, boundary conditions, probes.
//
// Under exp(+jwt) the pressure p [Pa] of a fluid obeys div(1/rho grad p) + w^2/kappa p = 0 with the density
// rho and the bulk modulus kappa = rho c^2; the velocity is v = j/(w rho) grad p. Normals n point out of the
// fluid, v_n is the velocity along n. Source: Pierce (2019), Acoustics, ch. 1 and 3 (there with exp(-iwt)).

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/lagrange/scalar_assembly.hpp"
#include "fem/open/pml.hpp"
#include "fem/open/symmetry.hpp"
#include "fields/far_field.hpp"
#include "green/plane_wave.hpp"
#include "mesh/topology.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

struct AcousticMedium {
  std::vector<std::string> regions;
  Complex density = 1.2041;        ///< [kg/m^3] Im <= 0
  Complex speed_of_sound = 343.2;  ///< [m/s] Im >= 0: exp(-jwx/c) then decays
  double loss_factor = 0;          ///< eta >= 0 of the bulk modulus, rho c^2 (1 + j eta)

  Complex bulk_modulus() const { return density * speed_of_sound * speed_of_sound * Complex(1, loss_factor); }
};

enum class AcousticBoundaryType {
  rigid,      ///< v_n = 0, the natural condition
  neumann,    ///< v_n given: dp/dn = -jw rho v_n
  impedance,  ///< p = Z (v_n - v_wall): a lined wall, which may vibrate
  absorbing,  ///< Z = rho c of the medium: plane waves at normal incidence leave
  robin,      ///< dp/dn + alpha p = g
  dirichlet   ///< p given
};

struct AcousticBoundary {
  std::vector<std::string> regions;
  AcousticBoundaryType type = AcousticBoundaryType::rigid;
  Complex pressure = 0;                    ///< dirichlet [Pa]
  Complex normal_velocity = 0;             ///< neumann, impedance (v_wall) [m/s]
  std::optional<Vec3<double>> velocity{};  ///< neumann: of a rigid moving body, v_n = v.n [m/s]
  Complex impedance = 0;                   ///< Z [Pa s/m], Re >= 0, not zero
  Complex alpha = 0;                       ///< robin [1/m]
  Complex value = 0;                       ///< robin g [Pa/m]

  /// True if it drives the field.
  bool is_source() const { return pressure != 0.0 || normal_velocity != 0.0 || velocity || value != 0.0; }
};

/// Where the pressure is evaluated: at a point, or on surfaces.
struct AcousticProbe {
  std::string name;
  std::optional<Vec3<double>> point{};  ///< [m]
  std::vector<std::string> regions{};   ///< used if there is no point
};

/// Directions of a far field: all pairs.
struct SoundDirections {
  std::vector<double> theta_deg, phi_deg;
  std::vector<fields::Direction> directions() const;
};

struct AcousticModel {
  int order = 2;  ///< of the Lagrange elements
  std::vector<AcousticMedium> media;
  std::vector<AcousticBoundary> boundaries;
  std::vector<AcousticProbe> probes;
  std::vector<PmlModel> pml{};                ///< around an open fluid
  std::string layer_face{};                   ///< surface of the mesh: inner face of the layers
  std::optional<green::ArrivingWave> wave{};  ///< plane wave with its pressure [Pa]
  std::optional<SoundDirections> far_field{};
  Symmetry symmetry{};

  /// True if media and boundaries dissipate nothing, and no sound leaves.
  bool is_lossless() const;
};

/// Reads [space], [[material]], [[boundary]] and [[probe]], and checks every name against the mesh: each
/// volume has one medium, no surface has two conditions, every outer face has one. With [[pml]] the inner
/// face of the layers becomes a surface of mesh and topology.
/// @throws InputError with file, line and the existing names
AcousticModel read_acoustic_model(const io::Config& config, mesh::Mesh& mesh, mesh::Topology& topology);
/// Reads [[pml]], [excitation], [[symmetry]] and output.far_field of an open fluid; call it after media and
/// boundaries are read.
void read_open_sound(const io::Config& config, mesh::Mesh& mesh, mesh::Topology& topology,
                     AcousticModel& model);

/// 1/rho as diffusion and 1/kappa as reaction: K - w^2 M is ScalarAssembler's with alpha = 1, beta = -w^2.
/// @throws InputError for a cell in two media or in none
ScalarCoefficients acoustic_coefficients(const AcousticModel& model, const mesh::Mesh& mesh);

/// Coordinate stretching of the PML at a frequency [Hz]; the coefficients of acoustic_coefficients apply with
/// it.
std::vector<Stretching> acoustic_layers(const AcousticModel& model, const ScalarCoefficients& coefficients,
                                        double frequency);

/// Triangles where the pressure is prescribed.
std::vector<Index> dirichlet_triangles(const AcousticModel& model, const mesh::Mesh& mesh);

/// A condition as terms of A p = b: A += stiffness + jw damping, b += load - jw velocity, times int phi_a
/// phi_b dS and int phi_a dS on its triangles.
struct AcousticSurface {
  std::size_t boundary = 0;  ///< of the model
  std::vector<Index> triangles{};
  std::vector<Complex> stiffness{};  ///< [triangles] alpha / rho, or empty
  std::vector<Complex> damping{};    ///< [triangles] 1/Z, or empty
  std::vector<Complex> velocity{};   ///< [triangles] v_n, or empty
  std::vector<int> sides{};          ///< [triangles] +-1: normal out of the fluid, of moving bodies; or empty
  std::vector<Complex> load{};       ///< [triangles] g / rho, or empty
};
/// All conditions but rigid and dirichlet.
std::vector<AcousticSurface> acoustic_surfaces(const AcousticModel& model, const mesh::Mesh& mesh,
                                               const mesh::Topology& topology);

}  // namespace curlew::fem
