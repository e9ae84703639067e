// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cell matrices of K - k0^2 M (assembly.hpp), for preconditioners that divide it into subdomains.

#include <vector>

#include "fem/materials.hpp"
#include "fem/reference_tensors.hpp"
#include "fem/space.hpp"
#include "linalg/krylov/cell_matrices.hpp"

namespace curlew::fem {

/// A face is closed by j k0 (eps_r / mu_r)^1/2 int (n x W_a) . (n x W_b) dS, a first-order absorbing
/// boundary.
class NedelecCells final : public linalg::CellMatrices {
 public:
  /// @param space must outlive it @param k0 [1/m]
  NedelecCells(const NedelecSpace& space, CellMaterials materials, double k0);
  Index num_cells() const override { return space_.mesh->num_cells(); }
  Index num_faces() const override { return space_.topology->num_faces(); }
  void rows_of(Index cell, std::vector<Index>& rows) const override;
  linalg::DenseTerm matrix_of(Index cell) const override;
  std::array<Index, 2> cells_beside(Index face) const override {
    return space_.topology->face_cells[std::size_t(face)];
  }
  /// Computed for a flat face; approximate on a curved one. Of tensors the first entry is used.
  linalg::DenseTerm impedance_of(Index face, Index beyond) const override;

 private:
  const NedelecSpace& space_;
  CellMaterials materials_;
  std::vector<Coefficient> inverse_mu_;  // [materials]
  double k0_;
  ReferenceTable table_;  // of curved and stretched cells
};

}  // namespace curlew::fem
