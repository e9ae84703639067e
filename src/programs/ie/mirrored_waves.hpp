// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Waves that are mirror images of each other in a plane of symmetry of the surfaces: one of them is solved.
// Whatever divides, compresses or keeps right-hand sides sees those that are solved; whatever looks at
// currents sees all.

#include "ie/surface/mirror.hpp"
#include "programs/ie/surface_solve.hpp"

namespace curlew::programs {

class MirroredWaves {
 public:
  /// Pairs the waves; none with solver.expert.mirror_waves = false, or ports, whose loads are no part of the
  /// surfaces.
  MirroredWaves(const SurfaceConfig& config, const ie::System& system);

  /// Numbers of the waves that are solved, ascending.
  const std::vector<Index>& solved() const { return solved_; }
  bool has_images() const { return solved_.size() < waves_.size(); }
  /// The config with the waves that are solved alone.
  SurfaceConfig solved_part(const SurfaceConfig& config) const;
  /// How many are solved, and why, in the log and the results; nothing if all are.
  void state(run::Run& run) const;

  /// From solutions of the waves that are solved, and others behind them, to those of all waves and the
  /// others.
  void expand(SurfaceSolution& solution) const;
  /// Waves, ascending, that are those with the numbers solved()[first, last) or their images.
  std::vector<Index> waves_of(Index first, Index last) const;
  /// Currents of such waves. @param x [last - first, unknowns] @returns [waves_of(first, last), unknowns]
  std::vector<Complex> currents_of(Index first, Index last, std::vector<Complex> x) const;

 private:
  std::vector<ie::MirrorPlane> planes_;
  std::vector<ie::MirroredWave> waves_;
  std::vector<Index> solved_, place_;  ///< place_: of each wave that is solved, in solved_
};

}  // namespace curlew::programs
