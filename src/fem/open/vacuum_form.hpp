// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two integrals of the wave equation in one cell of unit permittivity and permeability, from which fluxes
// through surfaces are computed: int (curl W_a).(curl W_b) dV and int W_a.W_b dV.

#include <optional>

#include "fem/element_matrices.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

class VacuumForm {
 public:
  explicit VacuumForm(const NedelecSpace& space);
  /// Computes straight and curved cells with the rules of the assembly.
  void compute(Index cell);
  /// Entry of the cell's functions a, b, numbered as by NedelecSpace::cell_dofs; after compute.
  double curl_curl(int a, int b) const;
  double mass(int a, int b) const;

 private:
  const NedelecSpace& space_;
  const ReferenceTensors& tensors_;
  std::optional<ReferenceTable> table_;
  ElementMatrices elements_;
  int row_[max_cell_dim];  ///< of each function in the element matrices
};

}  // namespace curlew::fem
