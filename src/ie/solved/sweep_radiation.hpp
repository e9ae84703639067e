// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Radiated fields of the dipoles and ports of a sweep on one mesh.

#include <mutex>
#include <optional>
#include <vector>

#include "ie/results/band_far_fields.hpp"
#include "ie/solved/surface_solve.hpp"

namespace curlew::ie {

/// Threads may call its functions at the same time.
class SweepRadiation {
 public:
  /// @param config outlives this object
  explicit SweepRadiation(const SurfaceConfig& config) : config_(config) {}
  /// Takes the columns of a full solution of an adaptive sweep, of which all its solutions are sums.
  /// @pre of() was not called
  void take(const std::vector<Complex>& columns);
  /// Fields of the dipoles together, of each port driven by 1 W, and of all at once where requested.
  RadiatedFields of(const SurfaceSolution& solution, Device device);

 private:
  const SurfaceConfig& config_;
  std::mutex mutex_;
  std::vector<Complex> sampled_;  // [any, unknowns]
  bool is_decided_ = false;
  std::optional<BandFarFields> band_;
};

}  // namespace curlew::ie
