// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Acoustic fields for ParaView.

#include <memory>
#include <string>
#include <vector>

#include "fem/acoustics/acoustic_model.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_fields.hpp"
#include "fem/output/field_cells.hpp"
#include "fem/output/lagrange_grid.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

/// Pressure and velocity. Above order 1 they are written in Lagrange cells, which represent the elements'
/// pressure exactly. Linear cells have points at the mesh's vertices, and at the middles of edges above order
/// 1 or on curved cells. Cells of one medium share points, at which the velocities of the cells around are
/// averaged. At an interface of two media each has separate points, so that the jump of the tangential
/// velocity stays visible.
class AcousticFieldFile {
 public:
  AcousticFieldFile(const LagrangeSpace& space, const AcousticModel& model, const FieldCells& cells,
                    const std::string& path, const io::Provenance& provenance);
  /// A step with arrays p [Pa], v [m/s] and level [dB re 20 uPa].
  /// @param value of the step: frequency [Hz] or number of the mode
  /// @param omega [rad/s], complex for a decaying mode @param x [num_nodes]
  void add(double value, Complex omega, const std::vector<Complex>& x);
  /// A further pressure of the step. @param x [num_nodes] [Pa]
  void add_pressure(const std::string& name, const std::string& meaning, const std::vector<Complex>& x);
  void close();

 private:
  /// At a point: the pressure, and j omega times the velocity. @param flow may be null
  Complex evaluate(std::size_t point, const std::vector<Complex>& x, Vec3<Complex>* flow) const;
  std::vector<int> media() const;
  io::VtkGrid linear_grid() const;
  std::vector<double> by_cell(double (*value)(const AcousticMedium&)) const;
  const CellSlots& slots() const { return lagrange_ ? lagrange_->slots() : slots_; }
  const SharedPoints& points() const { return lagrange_ ? lagrange_->shared() : points_; }

  const LagrangeSpace& space_;
  const AcousticModel& model_;
  ScalarCoefficients coefficients_;
  std::unique_ptr<LagrangeGrid> lagrange_;  // null: linear cells
  CellSlots slots_;                         // of linear cells, as points_
  SharedPoints points_;
  std::vector<std::unique_ptr<ScalarEvaluator>> evaluators_;  // by order; null if no cell has it
  std::unique_ptr<io::VtkHdfWriter> writer_;
};

}  // namespace curlew::fem
