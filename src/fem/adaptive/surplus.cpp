// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/surplus.hpp"

#include <algorithm>
#include <cmath>

#include "base/wavenumber.hpp"
#include "fem/adaptive/next_order.hpp"
#include "fem/adaptive/star_corrections.hpp"
#include "fields/pattern_error.hpp"

namespace curlew::fem {
double surplus_bar(Complex gradients, Complex others, Missing missing) {
  return std::max({missing.both * std::abs(gradients + others), std::abs(missing.one * gradients + others),
                   std::abs(gradients + missing.one * others)});
}

Missing missing_at_edges(bool by_stars, int order, double least) {
  const double both = fields::order_safety / (1 - fields::left_by_next_order(order, least));
  return by_stars ? Missing{both, both} : Missing{both / 0.7, both};
}

SurplusErrors surplus_errors(const NedelecSpace& space, const Model& model, double frequency,
                             const Eigen::MatrixXcd& x, const Eigen::MatrixXd& weights,
                             const SurplusContext& context) {
  const Eigen::MatrixXcd& dual = context.dual;
  const bool has_dual = dual.cols() > 0;
  const NextFunctions next(space, model);
  const CellMaterials materials = materials_at(model, *space.mesh, frequency);
  const double k0 = wavenumber(frequency);
  const Tied tied = tie(next, model, frequency);
  Eigen::MatrixXcd both(x.rows(), x.cols() + dual.cols());
  both.leftCols(x.cols()) = x;
  if (has_dual) both.rightCols(dual.cols()) = dual;
  const auto own = own_unknowns(space, next);
  const auto is_own = which_are_own(own, tied);
  const auto left_out = functions_left_out(next, model, context.truncation);
  const auto num_cells = std::size_t(space.mesh->num_cells()), count = tied.members.size();
  const bool by_stars = model.periodicity.empty() && next.level() == 3;
  Surplus surplus;
  Columns<Complex> residuals, corrections;
  const auto loads = context.loads ? context.loads(next.space()) : std::vector<Complex>();
  const auto test = [&](Surplus functions) {
    surplus = amplitudes_of(std::move(functions), tied, left_out, own, both, x.cols(), loads,
                            next.space().num_dofs());
  };
  const auto test_by_cells = [&] { test(sum_over_cells(space, next, materials, k0, both)); };
  const auto test_by_form = [&](const auto& form) {
    has_given_values(space, next) ? test_by_cells() : test(by_form(form, own, both));
    if (!by_stars) return;
    residuals = residuals_of(surplus, is_own);
    corrections = star_corrections(next.space(), form, left_out, residuals);
  };
  if (next.level() > max_order)
    test_by_cells();
  else if (materials.is_real())
    test_by_form(form_of<double>(next.space(), materials, k0));
  else
    test_by_form(form_of<Complex>(next.space(), materials, k0));
  const auto by_diagonal = [&](std::size_t u) -> Eigen::MatrixXcd {
    const Eigen::RowVectorXcd row = surplus.amplitudes.row(Eigen::Index(u)), e = row.head(x.cols());
    const Eigen::RowVectorXcd e_dual = has_dual ? Eigen::RowVectorXcd(row.tail(dual.cols())) : e;
    return surplus.diagonal[u] * (e_dual.transpose() * e);
  };
  const auto change_of = [&](std::size_t u) -> Eigen::MatrixXcd {
    if (!by_stars) return by_diagonal(u);
    const Eigen::RowVectorXcd r = residuals.row(Eigen::Index(u)), e = corrections.row(Eigen::Index(u));
    return 0.5 * (r.transpose() * e + e.transpose() * r);
  };
  const auto size = [&](const Eigen::MatrixXcd& change) {
    return change.cwiseAbs().cwiseProduct(weights).sum();
  };
  std::vector<double> shares(count);
  for (std::size_t u = 0; u < count; ++u) shares[u] = size(by_diagonal(u));
  // Each unknown's kind, and whether the solution has it.
  std::vector<int> cells_around(count);
  std::vector<char> is_gradient_unknown(count);
  each_member(next, tied, [&](const Member& m) {
    ++cells_around[m.unknown];
    is_gradient_unknown[m.unknown] = m.gradient;
  });
  const Eigen::MatrixXcd zero = Eigen::MatrixXcd::Zero(x.cols(), x.cols());
  const std::vector<double> none(num_cells);
  SurplusErrors errors{none, none, none, zero, zero, by_stars};
  std::vector<double> fourth(num_cells);
  each_member(next, tied, [&](const Member& m) {
    const double share = shares[m.unknown] / cells_around[m.unknown];
    (m.level == 2 ? errors.second : m.level == 3 ? errors.third : fourth)[m.cell] += share;
    if (!is_own[m.unknown])
      errors.cells[m.cell] += by_stars ? size(change_of(m.unknown)) / cells_around[m.unknown] : share;
  });
  for (std::size_t u = 0; u < count; ++u)
    if (!is_own[u]) (is_gradient_unknown[u] ? errors.gradients : errors.others) += change_of(u);
  return errors;
}

}  // namespace curlew::fem
