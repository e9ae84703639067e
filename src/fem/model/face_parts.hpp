// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The faces of impedance and absorbing boundaries, sorted by what they ask of the field: the one place that
// turns boundary conditions into admittances of faces.

#include <array>
#include <vector>

#include "fem/model/model.hpp"

namespace curlew::fem {

/// Faces of one boundary with one law on each of them and one medium beside them.
struct FacePart {
  enum class Kind {
    wall,      ///< a face on the outside, or one of the two of a surface whose sides are apart
    joined,    ///< a face inside the mesh that both sides share
    coupled,   ///< pairs of faces with a layer between them
    absorbing  ///< a face on the outside, beside a medium
  };
  Kind kind = Kind::wall;
  std::size_t boundary = 0;  ///< place in model.boundaries
  Index material = -1;       ///< place in model.materials of the medium beside an absorbing face
  std::vector<Index> triangles;
  std::vector<std::array<Index, 2>> pairs{};  ///< coupled: the two sides, both also among the triangles
};

/// @throws InputError for an absorbing boundary beside a tensor, or of order 2 beside several media
std::vector<FacePart> face_parts(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology);

/// What the faces of a part add to the system at a frequency: self ∫ W·E on each, transfer ∫ W·E' of the
/// other side's E'. [1/m], jk0 Z0 times the surface's admittance.
struct FaceAdmittance {
  Complex self;
  Complex transfer = 0;  ///< coupled only

  /// Of equal fields on both sides: what a field that knows nothing of the surface meets.
  Complex even() const { return self + transfer; }
};
/// @param frequency [Hz], complex for decaying modes
FaceAdmittance face_admittance(const Model& model, const FacePart& part, Complex frequency);

/// k [rad/m] and mu_r of the isotropic medium beside an absorbing part.
struct PartMedium {
  Complex k;
  Complex mu_r;
};
PartMedium medium_beside(const RegionMaterial& material, Complex frequency);

}  // namespace curlew::fem
