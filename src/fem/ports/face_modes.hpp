// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes of a cross-section of any shape on the unknowns of its mesh.
//
// One isotropic medium: TE by ∫ (∇×W)(∇×e) = kc² ∫ W·e on the traces without gradients, TM as gradients of
// ∫ ∇w·∇φ = kc² ∫ w φ, TEM as gradients of potentials of the conductors; all exactly orthogonal and
// independent of frequency. Several media or lossy walls: e and E_z = γφ of the vector-scalar problem
//   ∫ μ⁻¹(∇×W)(∇×e) - k0² W·εe = γ² ∫ μ⁻¹ W·(e + ∇φ),   ∫ μ⁻¹∇w·(e + ∇φ) - k0² w εφ = 0.
// Source: Lee, Sun, Cendes (1991), IEEE Trans. MTT 39(8), full-wave analysis of dielectric waveguides using
// tangential vector finite elements; Jin (2014), The Finite Element Method in Electromagnetics, section 8.4.
// φ is eliminated, so that its null space never enters: S e = ∫ μ⁻¹ W·(e + ∇φ(e)).

#include <optional>
#include <vector>

#include "base/types.hpp"
#include "fem/ports/face_space.hpp"
#include "fem/ports/mode_history.hpp"
#include "fem/ports/port_mode.hpp"

namespace curlew::fem {

struct HomogeneousModes {
  std::vector<PortMode> modes;  ///< TEM, then by cut-off
  std::vector<double> loads;    ///< [modes, dofs] ∫ W·e dS at ∫ e·e dS = 1
};

/// The first `count` modes, fewer if the face has no more unknowns. Signs follow the global axes; for a
/// degenerate pair the first has all of the mean field along the first axis.
/// @throws NumericalError if the iteration does not converge
/// @param polarization replaces the first axis
HomogeneousModes homogeneous_modes(const FaceSpace& face, int count,
                                   const std::optional<Vec3<double>>& polarization = {});

/// Modes at one frequency, scaled to ∫ e·e dS = 1 (no conjugation); reported ones first.
struct HybridModes {
  std::vector<Complex> gammas;       ///< [1/m]
  std::vector<Complex> admittances;  ///< c = γ eᵀSe [1/m]: jωμ0 ∫ (e × h)·z dS
  std::vector<Complex> voltages;  ///< ∫ e·dl from conductor to ground, 0 unless there are two conductors
  std::vector<Complex> currents;  ///< jωμ0 times the conductor's current, 0 as for voltages
  std::vector<Complex> loads;     ///< [modes, dofs] f with fᵀe = 1 and 0 for all other modes
  std::vector<Complex> shapes;    ///< [modes, dofs] ∫ W·e dS
  std::vector<Complex> powers;    ///< γ eᴴSe [1/m]: its conjugate over (jωμ0)* is ∫ (e × h*)·z dS
  std::vector<Complex> gram;      ///< [modes, modes] ∫ e_m·e_n dS
  HistoryEntry entry;             ///< of the reported modes
  double continuity = 1;          ///< least overlap of a mode with that of the earlier frequency
};

/// Arguments of hybrid_modes.
struct HybridRequest {
  int count = 1;                          ///< number of modes, including the reported ones
  int reported = 1;                       ///< number of modes that continue earlier ones
  const Eigen::MatrixXd* functionals;     ///< [dofs, functionals] direction_functionals
  const HistoryEntry* earlier = nullptr;  ///< modes at a nearby frequency, or null
};

/// Propagating modes come first, unless reported ones continue earlier ones.
/// @param k0 free-space wavenumber [rad/m]
/// @throws NumericalError if the iteration does not converge; InputError for tensors that couple the normal
HybridModes hybrid_modes(const FaceSpace& face, const FaceMedium& medium, const std::vector<FaceWall>& walls,
                         double k0, const HybridRequest& request);

/// Functionals ∫ W·g dS of fields g that determine the orientation of a mode: the two axes of the plane, then
/// fields that increase from the face's centre. [functionals, dofs], each with ∫ g·g dS = 1.
/// @param polarization takes the place of the first axis
std::vector<double> direction_functionals(const FaceSpace& face,
                                          const std::optional<Vec3<double>>& polarization = {});

}  // namespace curlew::fem
