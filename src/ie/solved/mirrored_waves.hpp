// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Waves that are mirror images of each other in a plane of symmetry of the surfaces: only one of them is
// solved. Code that divides, compresses or saves right-hand sides uses those that are solved; code that uses
// currents gets all.

#include "ie/solved/surface_solve.hpp"
#include "ie/surface/mirror.hpp"

namespace curlew::ie {

class MirroredWaves {
 public:
  /// Pairs the waves; none with ports, whose loads are no part of the surfaces.
  MirroredWaves(const SurfaceConfig& config, const System& system);

  /// Numbers of the waves that are solved, ascending.
  const std::vector<Index>& solved() const { return solved_; }
  bool has_images() const { return solved_.size() < waves_.size(); }
  /// The config with only the waves that are solved.
  SurfaceConfig solved_part(const SurfaceConfig& config) const;
  /// Reports in log and results how many are solved, and why; nothing if all are.
  void state(run::Run& run) const;

  /// Replaces the solutions of the solved waves by those of all waves; solutions that follow them stay.
  void expand(SurfaceSolution& solution) const;
  /// Indices, ascending, of the waves solved()[first, last) and of their images.
  std::vector<Index> waves_of(Index first, Index last) const;
  /// Currents of such waves. @param x [last - first, unknowns] @returns [waves_of(first, last), unknowns]
  std::vector<Complex> currents_of(Index first, Index last, std::vector<Complex> x) const;

 private:
  std::vector<MirrorPlane> planes_;
  std::vector<MirroredWave> waves_;
  std::vector<Index> solved_, place_;  ///< place_: index in solved_ of each wave
};

}  // namespace curlew::ie
