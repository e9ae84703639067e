// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/system_matrix.hpp"

#include <algorithm>

#include "base/wavenumber.hpp"
#include "fem/system/boundary_conditions.hpp"

namespace curlew::fem {

SystemMatrix::SystemMatrix(const NedelecSpace& space, const Model& model, RowShare share)
    : space_(space), model_(model), assembler_(space, {.share = share}), divergence_(space, model) {
  if (!share.is_all() && !divergence_.is_empty())
    divergence_.keep_rows_of(assembler_.create_matrix<Complex>());
  if (model.periodicity.empty()) return;
  require_first_order(model, "periodic faces");
  bloch_.emplace(space, model.periodicity.pairs);
  full_ = assembler_.create_matrix<Complex>();
}

bool has_symmetric_matrix(const Model& model) {
  return model.periodicity.is_real() &&
         std::all_of(model.materials.begin(), model.materials.end(), [](const RegionMaterial& m) {
           return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
         });
}

linalg::Csr<Complex> SystemMatrix::create() const {
  if (bloch_) return bloch_->reduce(full_, std::vector<Complex>(std::size_t(space_.num_dofs()), 1.0));
  auto a = assembler_.create_matrix<Complex>();
  divergence_.widen(a);
  return a;
}

void SystemMatrix::assemble(Complex frequency, const std::vector<Complex>& factors, linalg::Csr<Complex>& a,
                            const std::function<void(linalg::Csr<Complex>&)>& more) const {
  linalg::Csr<Complex> copy;
  if (bloch_)
    copy = full_;
  else if (!divergence_.is_empty() || a.nnz() != assembler_.nnz())
    a = assembler_.create_matrix<Complex>();
  linalg::Csr<Complex>& full = bloch_ ? copy : a;
  const Complex k0 = wavenumber(frequency);
  assembler_.assemble<Complex>(materials_at(model_, *space_.mesh, frequency), 1.0, -k0 * k0,
                               full.values.data());
  add_boundary_conditions(model_, space_, frequency, full);
  if (more) more(full);
  if (bloch_) a = bloch_->reduce(full, factors);
  divergence_.add(k0, a);
}

}  // namespace curlew::fem
