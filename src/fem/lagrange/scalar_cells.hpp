// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cell matrices of K - w^2 M (scalar_assembly.hpp), for preconditioners that divide it into subdomains.

#include <vector>

#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_assembly.hpp"
#include "fem/lagrange/scalar_elements.hpp"
#include "linalg/krylov/cell_matrices.hpp"

namespace curlew::fem {

/// d grad u . grad v - w^2 r u v on cells. A wave that leaves through a face along its normal, exp(-jkn),
/// k = w (r / d)^1/2, has -d du/dn = jw (d r)^1/2 u there: the admittance of that face.
class ScalarCells final : public linalg::CellMatrices {
 public:
  /// Space and coefficients must outlive it. @param omega [rad/s]
  ScalarCells(const LagrangeSpace& space, const ScalarCoefficients& coefficients, double omega);
  Index num_cells() const override { return space_.mesh->num_cells(); }
  Index num_faces() const override { return space_.topology->num_faces(); }
  void rows_of(Index cell, std::vector<Index>& rows) const override;
  linalg::DenseTerm matrix_of(Index cell) const override;
  std::array<Index, 2> cells_beside(Index face) const override {
    return space_.topology->face_cells[std::size_t(face)];
  }
  /// Computed for a flat face; approximate on a curved one.
  linalg::DenseTerm impedance_of(Index face, Index beyond) const override;

 private:
  const LagrangeSpace& space_;
  const ScalarCoefficients& coefficients_;
  double omega_;
  ScalarTable table_;              // of curved cells
  std::vector<double> face_mass_;  // of a face of area 1/2 [dim, dim]
};

}  // namespace curlew::fem
