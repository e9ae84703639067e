// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pressures at points and on surfaces, as numbers and as levels.

#include <span>
#include <string>
#include <vector>

#include "fem/acoustics/acoustic_model.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_fields.hpp"
#include "fem/point_location.hpp"

namespace curlew::fem {

/// Level of a pressure phasor, or of several by their mean square [dB re 20 uPa]: 10 log10(|p|^2 / 2 / (20
/// uPa)^2). About -400 for silence, never infinite. @param square |p|^2, or its mean [Pa^2]
double sound_pressure_level(double square);

struct ProbeReading {
  Complex pressure;  ///< [Pa] at the point; the mean over the surface
  double level_db;   ///< of the point; of the mean square over the surface
};

class ProbeSet {
 public:
  /// @throws InputError for a point outside the mesh
  ProbeSet(const LagrangeSpace& space, std::vector<AcousticProbe> probes);
  const std::vector<AcousticProbe>& probes() const { return probes_; }
  /// @param x [num_nodes] [Pa] @return [probes]
  std::vector<ProbeReading> read(std::span<const Complex> x) const;
  /// Vectors l that give the pressure of each probe as lᵀx of the nodal values. @return [num_nodes, probes],
  /// column-major
  std::vector<Complex> loads() const;

 private:
  const LagrangeSpace& space_;
  std::vector<AcousticProbe> probes_;
  std::vector<PointPlace> where_;              // of points, [probes]
  std::vector<std::vector<Index>> triangles_;  // of surfaces, [probes]
};

}  // namespace curlew::fem
