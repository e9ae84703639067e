// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/cell_fields.hpp"

#include "base/constants.hpp"

namespace curlew::fem {

CellFields::CellFields(const CellMaterials& materials, Complex omega, const IncidentField& known)
    : materials_(materials), known_(known), scale_(Complex(0, 1) / (omega * vacuum_permeability)) {
  for (const Material& m : materials.materials) inverse_mu_r_.push_back(m.mu_r.inverse());
}

void CellFields::evaluate(const FieldEvaluator& evaluator, Index cell, const Complex* x, Vec3<Complex>* e,
                          Vec3<Complex>* h) const {
  const auto n = std::size_t(evaluator.num_points());
  const bool adds_known = known_ && !materials_.of(cell).stretching;
  std::vector<Vec3<double>> where(adds_known ? n : 0);
  evaluator.evaluate(cell, x, e, h, adds_known ? where.data() : nullptr);
  for (std::size_t i = 0; i < where.size(); ++i) {
    const KnownField field = known_(where[i]);
    e[i] += field.e;
    h[i] += field.curl;
  }
  const std::size_t material =
      materials_.cell_material.empty() ? 0 : std::size_t(materials_.cell_material[std::size_t(cell)]);
  for (std::size_t i = 0; i < n; ++i) h[i] = scale_ * (inverse_mu_r_[material] * h[i]);
}

}  // namespace curlew::fem
