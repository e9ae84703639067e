// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// E and H of the elements at points of one cell.

#include <vector>

#include "base/types.hpp"
#include "fem/fields.hpp"
#include "fem/materials.hpp"
#include "fem/open/known_field.hpp"

namespace curlew::fem {

class CellFields {
 public:
  /// @param materials, known outlive this object; omega [rad/s], complex for a decaying mode
  /// @param known is added outside of PML; may be empty
  CellFields(const CellMaterials& materials, Complex omega, const IncidentField& known);

  /// @param x unknowns [num_dofs]
  /// @param[out] e [V/m], h [A/m] at the evaluator's points
  void evaluate(const FieldEvaluator& evaluator, Index cell, const Complex* x, Vec3<Complex>* e,
                Vec3<Complex>* h) const;

 private:
  const CellMaterials& materials_;
  const IncidentField& known_;
  std::vector<Coefficient> inverse_mu_r_;
  Complex scale_;  // H = j/(ωμ0) μr⁻¹ curl E
};

}  // namespace curlew::fem
