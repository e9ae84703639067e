// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Acoustic fields for ParaView.

#include <memory>
#include <string>
#include <vector>

#include "fem/acoustics/acoustic_model.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_fields.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

/// Pressure and velocity at the mesh's vertices, and at the middles of edges above order 1 or on curved
/// cells. Velocities of the cells around a point are averaged within one medium: at an interface of two media
/// each has points of its own, so that the jump of the tangential velocity stays visible.
class AcousticFieldFile {
 public:
  AcousticFieldFile(const LagrangeSpace& space, const AcousticModel& model, const std::string& path,
                    const io::Provenance& provenance);
  /// A step with arrays p [Pa], v [m/s] and level [dB re 20 uPa].
  /// @param value of the step: frequency [Hz] or number of the mode
  /// @param omega [rad/s], complex for a decaying mode @param x [num_nodes]
  void add(double value, Complex omega, const std::vector<Complex>& x);
  void close();

 private:
  void number_points();
  io::VtkGrid make_grid() const;
  std::vector<double> by_cell(double (*value)(const AcousticMedium&)) const;

  const LagrangeSpace& space_;
  const AcousticModel& model_;
  ScalarCoefficients coefficients_;
  ScalarEvaluator evaluator_;
  std::vector<Index> point_;   // [num_cells, points of a cell]
  std::vector<double> share_;  // [points] 1 / number of cells around
  std::unique_ptr<io::VtkHdfWriter> writer_;
};

}  // namespace curlew::fem
