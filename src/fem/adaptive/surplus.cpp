// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/surplus.hpp"

#include <algorithm>
#include <cmath>

#include "base/wavenumber.hpp"
#include "fem/adaptive/next_order.hpp"
#include "fem/adaptive/star_corrections.hpp"
#include "fields/pattern_error.hpp"
#include "linalg/dense/tall_products.hpp"

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
  const bool by_stars = next.is_corrected_by_stars(model), has_fourth = next.level() > max_order;
  Surplus surplus;
  Columns<Complex> residuals, corrections;
  const auto loads = context.loads ? context.loads(next.space()) : std::vector<Complex>();
  const auto test = [&](Surplus functions) {
    surplus = amplitudes_of(std::move(functions), tied, left_out, own, both, x.cols(), loads,
                            next.space().num_dofs());
  };
  const bool is_symmetric = materials.is_symmetric();
  const auto test_by_cells = [&] {
    auto functions = sum_over_cells(space, next, materials, k0, both);
    if (!is_symmetric)
      functions.amplitudes.rightCols(dual.cols()) =
          sum_over_cells(space, next, transposed(materials), k0, dual).amplitudes;
    test(std::move(functions));
  };
  const auto test_by_form = [&](const auto& form) {
    has_fourth || has_given_values(space, next) || !is_symmetric ? test_by_cells()
                                                                 : test(by_form(form, own, both));
    if (!by_stars) return;
    residuals = residuals_of(surplus, is_own);
    const Eigen::Index n = next.space().num_dofs();
    corrections = fourth_over_stars * surplus.amplitudes;
    corrections.topRows(n) =
        star_corrections(next.space(), form, left_out, Columns<Complex>(residuals.topRows(n)));
  };
  if (!by_stars && has_fourth)
    test_by_cells();
  else if (const auto of_form = symmetric_part(materials); of_form.is_real())
    test_by_form(form_of<double>(next.space(), of_form, k0));
  else
    test_by_form(form_of<Complex>(next.space(), of_form, k0));
  // A change of an unknown u by the diagonal is c_u e_uᵀ e_u, of stars (r_uᵀ e_u + e_uᵀ r_u) / 2.
  const Eigen::Index first_dual = has_dual ? x.cols() : 0;
  const auto by_diagonal = [&](Eigen::Index u, Eigen::Index i, Eigen::Index j) {
    return surplus.diagonal[std::size_t(u)] * surplus.amplitudes(u, first_dual + i) *
           surplus.amplitudes(u, j);
  };
  const auto by_solves = [&](Eigen::Index u, Eigen::Index i, Eigen::Index j) {
    return 0.5 * (residuals(u, first_dual + i) * corrections(u, j) +
                  corrections(u, first_dual + i) * residuals(u, j));
  };
  const auto sizes = [&](const auto& change) {
    std::vector<double> of_unknowns(count);
    if ((weights.array() == 0).all()) return of_unknowns;
#pragma omp parallel for schedule(static)
    for (std::size_t u = 0; u < count; ++u)
      for (Eigen::Index j = 0; j < weights.cols(); ++j)
        for (Eigen::Index i = 0; i < weights.rows(); ++i)
          if (weights(i, j) != 0) of_unknowns[u] += weights(i, j) * std::abs(change(Eigen::Index(u), i, j));
    return of_unknowns;
  };
  const auto shares = sizes(by_diagonal), added = by_stars ? sizes(by_solves) : shares;
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
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < num_cells; ++c)
    each_member(next, tied, Index(c), [&](const Member& m) {
      const int around = cells_around[m.unknown];
      (m.level == 2 ? errors.second : m.level == 3 ? errors.third : fourth)[c] += shares[m.unknown] / around;
      if (!is_own[m.unknown]) errors.cells[c] += added[m.unknown] / around;
    });
  const auto sum = [&](bool is_gradient) -> Eigen::MatrixXcd {
    std::vector<Eigen::Index> of_kind;
    for (std::size_t u = 0; u < count; ++u)
      if (!is_own[u] && (is_gradient_unknown[u] != 0) == is_gradient) of_kind.push_back(Eigen::Index(u));
    if (by_stars) {
      const Eigen::MatrixXcd half =
          0.5 * linalg::tall_product(residuals(of_kind, Eigen::all), corrections(of_kind, Eigen::all));
      return (half + half.transpose()).middleRows(first_dual, x.cols()).leftCols(x.cols());
    }
    const Eigen::MatrixXcd e = surplus.amplitudes(of_kind, Eigen::all);
    const Eigen::Map<const Eigen::VectorXcd> all(surplus.diagonal.data(), Eigen::Index(count));
    const Eigen::VectorXcd diagonal = all(of_kind);
    return linalg::tall_product(e.middleCols(first_dual, has_dual ? dual.cols() : x.cols()),
                                diagonal.asDiagonal() * e.leftCols(x.cols()));
  };
  errors.gradients = sum(true), errors.others = sum(false);
  return errors;
}

}  // namespace curlew::fem
