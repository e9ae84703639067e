// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The inner face of the layers around an open fluid, through which sound leaves and waves arrive. Inside of
// it the pressure is the total one, p; inside the layers the unknown is the scattered pressure u = p - w, w
// the incident wave.
//
// The flux 1/rho du/dn, n outward, is the flux that the discretisation conserves: the function of the face's
// space with
//   int flux phi_a dS = -a_layer(u, phi_a) for all phi_a on the face,
// a_layer the form over the layer's cells: powers balance to rounding errors, and far fields converge with
// twice the order. So that this also holds with a wave, its trace on the face is its L2 projection. Source:
// Carey, Chow and Seager (1985), Computer Methods in Applied Mechanics and Engineering 50; Monk and Suli
// (1998), SIAM Journal on Numerical Analysis 36(1).

#include <memory>
#include <span>
#include <vector>

#include "fem/acoustics/acoustic_model.hpp"
#include "fem/lagrange/lagrange_space.hpp"

namespace curlew::fem {

/// Plane wave p = amplitude exp(-jk d.r) in the fluid outside.
struct SoundWave {
  Vec3<double> direction;  ///< d of travel, unit
  double k;                ///< [1/m]
  double amplitude = 1;    ///< [Pa], peak

  Complex pressure(Vec3<double> x) const;
  /// dp/dn [Pa/m]
  Complex slope(Vec3<double> x, Vec3<double> normal) const;
};

class SoundExterior {
 public:
  /// @param space, model with layers; outlive this object
  SoundExterior(const LagrangeSpace& space, const AcousticModel& model);
  ~SoundExterior();
  SoundExterior(SoundExterior&&) noexcept;

  const std::vector<Index>& triangles() const { return triangles_; }  ///< of the face
  const std::vector<int>& sides() const { return sides_; }            ///< outward, +-1
  double density() const { return density_; }                         ///< of the fluid outside [kg/m^3]
  double speed() const { return speed_; }                             ///< of sound outside [m/s]
  double wavenumber(double frequency) const;
  /// The incident wave of the model. @throws InputError if it has none
  SoundWave wave(double frequency) const;

  /// w at the nodes: its projection on the face, its values in the layer, 0 inside. [num_nodes] [Pa]
  std::vector<Complex> trace(const SoundWave& wave) const;
  /// int 1/rho dw/dn phi_a dS over the face, w the wave. [num_nodes]
  std::vector<Complex> slope_load(const SoundWave& wave) const;
  /// int flux phi_a dS of u, at free nodes of the face, elsewhere 0. @param u [num_nodes]
  std::vector<Complex> flux_load(const std::vector<Complex>& u, double frequency) const;
  /// The load l of which lᵀ u is the far field of u, u r exp(jkr) for r -> infinity (acoustic_radiation.hpp),
  /// in the direction from which `wave`, of amplitude 1, comes. [num_nodes]
  std::vector<Complex> far_load(const SoundWave& wave) const;
  /// The load l of which Im(lᵀ v) is the change of Im(u^H flux_load(u)) by a small v in u. @param u, @return
  /// [num_nodes]
  std::vector<Complex> power_load(const std::vector<Complex>& u, double frequency) const;
  /// The function of the face with this load [m/s^2]. @param load, @return [num_nodes], 0 off the face
  std::vector<Complex> flux(const std::vector<Complex>& load) const;

 private:
  struct Mass;  // factors of the mass matrix of the face
  /// -a_layer(u, phi_a) over the layer's cells at the face. @param u, @return [num_nodes]
  std::vector<Complex> beside_face(const std::vector<Complex>& u, double frequency) const;
  /// Values at free nodes of the face, elsewhere 0.
  std::vector<Complex> on_face(const std::vector<Complex>& u) const;

  const LagrangeSpace& space_;
  const AcousticModel& model_;
  ScalarCoefficients coefficients_;
  std::vector<Index> triangles_, beside_;  // cells of layers at the face
  std::vector<int> sides_;
  std::vector<Index> nodes_;  // free nodes of the face
  double density_, speed_;
  std::unique_ptr<Mass> mass_;
};

}  // namespace curlew::fem
