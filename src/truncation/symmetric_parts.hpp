// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A body with planes of symmetry, with excitations without symmetry: waves from any direction, dipoles and
// currents. Every excitation is the sum of 2^n parts, each symmetric in all planes, with the signs of
// electric or magnetic ones. Each part is solved in the modelled part of the body, and the solutions are
// added.

#include <vector>

#include "truncation/truncated_problem.hpp"

namespace curlew::truncation {

/// The part of a wave with the symmetry of the planes, as plane waves: the mean of its images. In an electric
/// plane the image of E(r) is -R E(R r), R the reflection; in a magnetic one the sign is opposite.
std::vector<green::PlaneWave> symmetric_part(const green::PlaneWave& wave,
                                             const std::vector<fields::SymmetryPlane>& planes);

/// The part of dipoles and currents with the symmetry of the planes, within the modelled part: half of a
/// dipole for each plane, or of its image if it lies beyond. A current in a region of the model also flows in
/// the images of the region. Empty lists: no such part.
/// @param sides [planes] +1 if the model lies above the plane's position, -1 below
fem::Excitation symmetric_part(const fem::Excitation& source,
                               const std::vector<fields::SymmetryPlane>& planes,
                               const std::vector<int>& sides);

/// The model with PEC (bit set) or PMC on the planes. @param electric bit p for names.symmetry[p]
fem::Model with_planes(fem::Model model, const SurfaceNames& names, unsigned electric);

class SymmetricParts {
 public:
  /// @param model has no condition on the planes of options.names.symmetry
  /// @param mesh, topology outlive this
  SymmetricParts(const mesh::Mesh& mesh, const mesh::Topology& topology, fem::Model model,
                 TruncationOptions options)
      : mesh_(mesh), topology_(topology), model_(std::move(model)), options_(std::move(options)) {}

  /// @param magnetic the analysed problem with PMC on all planes: the result is in its space
  /// @param start interfaces of the parts in sequence, those that are known
  /// @returns sums of the parts; `interface` as `start`, iterations of all parts
  TruncationResult solve(TruncatedProblem& magnetic, double frequency, std::vector<Excitation> excitations,
                         const std::vector<Complex>& start = {},
                         const IterationObserver& observer = {}) const;

 private:
  const mesh::Mesh& mesh_;
  const mesh::Topology& topology_;
  fem::Model model_;
  TruncationOptions options_;
};

}  // namespace curlew::truncation
