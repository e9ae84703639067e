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

/// Pressure and velocity. Above order 1 they are written in Lagrange cells with separate points, which
/// represent the elements' fields exactly. Linear cells have points at the mesh's vertices, and at the
/// middles of edges above order 1 or on curved cells; there velocities of the cells around a point are
/// averaged within one medium. At an interface of two media each has separate points, so that the jump of the
/// tangential velocity stays visible.
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
  /// Evaluates pressures and gradients at the points of all cells, and at those of the grid. @param gradients
  /// may be null
  std::vector<Complex> at_points(const std::vector<Complex>& x, Vec3<Complex>* gradients) const;
  void number_own_points();
  void number_shared_points();
  io::VtkGrid linear_grid() const;
  /// Evaluator for the order of a Lagrange cell; linear cells use the first.
  const ScalarEvaluator& evaluator_of(Index cell) const;
  std::size_t first_slot(Index cell) const;
  std::vector<double> by_cell(double (*value)(const AcousticMedium&)) const;

  const LagrangeSpace& space_;
  const AcousticModel& model_;
  ScalarCoefficients coefficients_;
  std::unique_ptr<LagrangeGrid> lagrange_;                    // null: linear cells
  std::vector<std::unique_ptr<ScalarEvaluator>> evaluators_;  // null if no cell has this order
  std::vector<Offset> point_;                                 // [points of all cells, cell by cell]
  std::vector<double> share_;                                 // [points] 1 / number of cells around
  std::unique_ptr<io::VtkHdfWriter> writer_;
};

}  // namespace curlew::fem
