// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Boundary conditions as admittances of faces, grouped by condition and adjacent medium.

#include <array>
#include <functional>
#include <vector>

#include "fem/boundary_terms.hpp"
#include "fem/model/model.hpp"

namespace curlew::fem {

/// Terms of faces in the system at a frequency: self ∫ W·E on each, transfer ∫ W·E' with E' of the other
/// side. [1/m], jk0 Z0 times the surface's admittance.
struct FaceAdmittance {
  Complex self;
  Complex transfer = 0;  ///< of pairs only

  /// Admittance for equal fields on both sides.
  Complex even() const { return self + transfer; }
};

/// Faces of one boundary with the same law and the same adjacent medium. Frequencies [Hz] are complex for
/// decaying modes.
struct FacePart {
  std::vector<Index> triangles;
  std::vector<std::array<Index, 2>> pairs{};  ///< with a layer between them, both also among the triangles
  std::function<FaceAdmittance(Complex)> admittance;
  /// Factor of the curl and divergence terms of a second-order condition [m]; empty without.
  std::function<Complex(Complex)> curl_factor{};
  /// The only direction in which current flows; empty: all.
  FaceDirection along{};
  std::size_t boundary = 0;  ///< place in model.boundaries
};

/// @throws InputError for surfaces that cannot have their condition
std::vector<FacePart> face_parts(const Model& model, const NedelecSpace& space);

}  // namespace curlew::fem
