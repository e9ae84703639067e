// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The faces of boundary conditions, sorted by what they ask of the field: boundary conditions as admittances
// of faces.

#include <array>
#include <functional>
#include <vector>

#include "fem/boundary_terms.hpp"
#include "fem/model/model.hpp"

namespace curlew::fem {

/// What faces add to the system at a frequency: self ∫ W·E on each, transfer ∫ W·E' of the other side's E'.
/// [1/m], jk0 Z0 times the surface's admittance.
struct FaceAdmittance {
  Complex self;
  Complex transfer = 0;  ///< of pairs only

  /// Admittance that equal fields on both sides meet: of a field that does not see the surface.
  Complex even() const { return self + transfer; }
};

/// Faces of one boundary with one law on each of them and one medium beside them. Frequencies [Hz] are
/// complex for decaying modes.
struct FacePart {
  std::vector<Index> triangles;
  std::vector<std::array<Index, 2>> pairs{};  ///< with a layer between them, both also among the triangles
  std::function<FaceAdmittance(Complex)> admittance;
  /// Factor of the curl and divergence terms of a second-order condition [m]; empty without.
  std::function<Complex(Complex)> curl_factor{};
  /// The one direction that current flows along; empty: all.
  FaceDirection along{};
  std::size_t boundary = 0;  ///< place in model.boundaries
};

/// @throws InputError for surfaces that cannot have their condition
std::vector<FacePart> face_parts(const Model& model, const NedelecSpace& space);

}  // namespace curlew::fem
