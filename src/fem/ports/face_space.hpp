// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two-dimensional spaces of a port face: the tangential traces of the Nédélec space on it (transverse
// field) and the scalars whose gradients these traces contain (longitudinal field, potentials), so that modes
// are exactly representable in the three-dimensional space.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// Scalars are numbered: free ones first, then one constant per conductor (its potential). A conductor is a
/// connected set of edges of the face on which the tangential field is zero.
struct FaceSpace {
  const NedelecSpace* space = nullptr;
  std::vector<Index> triangles;
  std::vector<Index> dofs;  ///< unknowns of the space with a trace on the face, ascending
  Index num_free = 0;
  Index num_conductors = 0;
  Index ground = -1;  ///< the conductor with the longest outline, the first of equal ones; -1: none
  /// [mesh nodes on the face, see vertex_nodes] scalar of each vertex
  std::vector<Index> vertex_nodes;    ///< nodes of the face's vertices, ascending
  std::vector<Index> vertex_scalars;  ///< [vertex_nodes]
  std::vector<Index> edges;           ///< the face's edges, ascending
  std::vector<Index> edge_scalars;    ///< [edges] first scalar of an edge (order - 1 of them), -1 without
  std::vector<Index> face_scalars;    ///< [triangles] order 3 only, -1 on faces of a lower order
  linalg::Csr<double> gradient;       ///< [dofs, num_scalars()] ∇ of the scalars in the traces

  Index num_scalars() const { return num_free + num_conductors; }
  /// Index in dofs. @pre the unknown is one of the face
  Index place(Index dof) const;
  /// Scalars of triangle t of triangles: 3 vertices, 3 edges of level 2, 3 of level 3 and the face.
  /// @param[out] scalars [max_scalars] -1 where there is none
  static constexpr int max_scalars = 10;
  void triangle_scalars(std::size_t t, Index* scalars) const;
  /// Scalars of one of the edges, the two vertices first; -1 beyond.
  std::array<Index, 4> edge_scalar_numbers(Index edge) const;
};

FaceSpace make_face_space(const NedelecSpace& space, std::vector<Index> triangles);

/// Potential [scalars] with some given values and ∫ ∇w·∇φ dS = 0 for all scalars w without one.
/// @param stiffness ∫ ∇w·∇w dS [scalars, scalars] @param given [scalars] at least one
std::vector<double> static_potential(const linalg::Csr<double>& stiffness,
                                     const std::vector<std::optional<double>>& given);

/// ε_r and μ_r⁻¹ behind a triangle, by its index in triangles.
using FaceMedium = std::function<Material(std::size_t)>;
/// A wall of the cross-section that is an impedance: edges of the face and k0 Z0/Zs j [1/m].
struct FaceWall {
  std::vector<Index> edges;
  Complex admittance;
  std::vector<std::array<Index, 2>> pairs{};  ///< edges on both sides of a layer
  Complex transfer = 0;                       ///< coupling between the two sides [1/m]
};

/// Matrices of the transverse-longitudinal problem. In-plane tensors of μ_r⁻¹ are those that act on n × a.
struct FaceMatrices {
  linalg::Csr<Complex> curl;        ///< ∫ μnn⁻¹ (∇×W)(∇×W) dS
  linalg::Csr<Complex> mass_mu;     ///< ∫ (n×W)·μ⁻¹(n×W) dS
  linalg::Csr<Complex> mass_eps;    ///< ∫ W·ε W dS
  linalg::Csr<Complex> scalar_eps;  ///< [num_scalars]² ∫ εnn w w dS
};

/// @param medium epsilon_r and mu_r (not inverted)
/// @throws InputError if a tensor couples the normal of the face with its plane
FaceMatrices face_matrices(const FaceSpace& face, const FaceMedium& medium);
/// Adds admittance ∫ (W·τ)(W·τ) dl to the first and admittance ∫ w w dl to the second matrix: entries are
/// appended, so the results have new patterns.
void add_wall(const FaceSpace& face, const FaceWall& wall, linalg::Csr<Complex>& transverse,
              linalg::Csr<Complex>& scalar);

}  // namespace curlew::fem
