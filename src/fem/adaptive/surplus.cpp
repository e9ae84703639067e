// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/surplus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/wavenumber.hpp"
#include "fem/adaptive/fourth_level.hpp"
#include "fem/adaptive/star_corrections.hpp"
#include "fem/adaptive/tested_functions.hpp"
#include "fem/assembly.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/model/shared_rims.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fields/pattern_error.hpp"

namespace curlew::fem {
namespace {

/// The functions of a space with one more order, and those of level 4 that cells of order 3 would get. Edges
/// and faces of such cells have them in all cells around them.
class NextFunctions {
 public:
  NextFunctions(const NedelecSpace& space, const Model& model)
      : space_(make_model_space(model, *space.mesh, *space.topology, one_more(space))) {
    const mesh::Topology& topology = *space.topology;
    edge_first_.assign(topology.edges.size(), -1);
    face_first_.assign(topology.faces.size(), -1);
    cell_first_.assign(std::size_t(space.mesh->num_cells()), -1);
    for (Index c = 0; c < space.mesh->num_cells(); ++c) {
      if (space.cell_order(c) < max_order) continue;
      for (const Index e : topology.cell_edges[std::size_t(c)]) {
        const Index place = space_.edge_number[std::size_t(e)];
        add(edge_first_[std::size_t(e)], place < 0 ? -1 : space_.edge_dof(1, place), 1);
      }
      for (const Index f : topology.cell_faces[std::size_t(c)]) {
        const Index place = space_.face_number[std::size_t(f)];
        add(face_first_[std::size_t(f)], place < 0 ? -1 : space_.face_dof(2, place), fourth_face_functions);
      }
      add(cell_first_[std::size_t(c)], space_.cell_dof(3, c), fourth_cell_functions);
    }
  }

  const NedelecSpace& space() const { return space_; }
  const mesh::Mesh& mesh() const { return *space_.mesh; }
  int level() const { return kin_.empty() ? space_.order : 4; }
  std::size_t size() const { return std::size_t(space_.num_dofs()) + kin_.size(); }
  /// Of the functions of level 4, numbered after those of the space: a lower one of the same edge, face or
  /// cell.
  const std::vector<Index>& kin() const { return kin_; }

  /// @param[out] functions [nedelec_dim(level())] their numbers, -1 where there is none
  void of_cell(Index cell, Index* functions) const {
    space_.cell_dofs(cell, functions);
    if (level() < 4) return;
    functions += nedelec_dim(3);
    const auto append = [&](Index first, int count) {
      for (int i = 0; i < count; ++i) *functions++ = first < 0 ? -1 : first + i;
    };
    const mesh::Topology& topology = *space_.topology;
    for (const Index e : topology.cell_edges[std::size_t(cell)]) append(edge_first_[std::size_t(e)], 1);
    for (const Index f : topology.cell_faces[std::size_t(cell)])
      append(face_first_[std::size_t(f)], fourth_face_functions);
    append(cell_first_[std::size_t(cell)], fourth_cell_functions);
  }

 private:
  static CellOrders one_more(const NedelecSpace& space) {
    CellOrders orders(std::size_t(space.mesh->num_cells()));
    for (std::size_t c = 0; c < orders.size(); ++c)
      orders[c] = std::int8_t(std::min(space.cell_order(Index(c)) + 1, max_order));
    return orders;
  }
  void add(Index& first, Index kin, int count) {
    if (first >= 0 || kin < 0) return;
    first = Index(size());
    kin_.insert(kin_.end(), std::size_t(count), kin);
  }

  NedelecSpace space_;
  std::vector<Index> edge_first_, face_first_, cell_first_, kin_;
};

/// Functions that periodic faces tie to each other make one unknown.
struct Tied {
  std::vector<Index> unknown;   ///< [functions], -1: none
  std::vector<Complex> factor;  ///< [functions] of the solutions
  std::vector<double> members;  ///< [unknowns] functions of each
};

/// Ties functions of level 4 as their kin are tied. @returns how many unknowns there are
Index tie_fourth_level(const std::vector<Index>& kin, Index count, Tied& tied) {
  std::vector<Index> first(std::size_t(count), -1);  // of those of a kin
  for (std::size_t i = 0, begin = 0; i < kin.size(); ++i) {
    if (kin[i] != kin[begin]) begin = i;
    const Index u = tied.unknown[std::size_t(kin[i])], place = Index(i - begin);
    if (u >= 0 && place == 0 && first[std::size_t(u)] < 0) {
      first[std::size_t(u)] = count;
      count += Index(
          std::find_if(kin.begin() + std::ptrdiff_t(i), kin.end(), [&](Index k) { return k != kin[i]; }) -
          (kin.begin() + std::ptrdiff_t(i)));
    }
    tied.unknown.push_back(u < 0 ? -1 : first[std::size_t(u)] + place);
    tied.factor.push_back(tied.factor[std::size_t(kin[i])]);
  }
  return count;
}

Tied tie(const NextFunctions& next, const Model& model, double frequency) {
  const auto in_space = std::size_t(next.space().num_dofs());
  Tied tied{std::vector<Index>(in_space), std::vector<Complex>(in_space, 1.0), {}};
  Index count = next.space().num_dofs();
  if (model.periodicity.empty()) {
    std::iota(tied.unknown.begin(), tied.unknown.end(), 0);
  } else {
    const BlochReduction bloch(next.space(), model.periodicity.pairs);
    tied.unknown = bloch.unknowns();
    tied.factor = bloch.factors(bloch_phases(model, next.space(), frequency));
    count = bloch.num_unknowns();
  }
  tied.members.resize(std::size_t(tie_fourth_level(next.kin(), count, tied)));
  for (const Index u : tied.unknown)
    if (u >= 0) ++tied.members[std::size_t(u)];
  return tied;
}

/// Functions at surfaces with terms of their own.
std::vector<char> functions_left_out(const NextFunctions& next, const Model& model,
                                     const std::vector<Index>& truncation) {
  const NedelecSpace& space = next.space();
  std::vector<char> out(next.size(), 0);
  const auto leave_out = [&](std::span<const Index> triangles) {
    for (const Index d : surface_dofs(space, triangles)) out[std::size_t(d)] = 1;
  };
  for (const FacePart& part : face_parts(model, space)) leave_out(part.triangles);
  for (const PortModel& port : model.ports) leave_out(surface_triangles(*space.mesh, port.region));
  leave_out(truncation);
  for (std::size_t i = 0; i < next.kin().size(); ++i)
    out[std::size_t(space.num_dofs()) + i] = out[std::size_t(next.kin()[i])];
  return out;
}

/// Amplitudes of the functions, and the form's diagonal for them.
struct Surplus {
  std::vector<Complex> diagonal;  ///< [functions]
  Eigen::MatrixXcd amplitudes;    ///< [functions, columns]
};

/// Unknown of the space of the solutions that each function is, -1: it is added [functions].
std::vector<Index> own_unknowns(const NedelecSpace& space, const NextFunctions& next) {
  std::vector<Index> own(next.size(), -1);
  Index a[max_cell_dim], b[fourth_cell_dim];
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    space.cell_dofs(c, a), next.of_cell(c, b);
    for (int i = 0; i < nedelec_dim(space.order); ++i)
      if (a[i] >= 0 && b[i] >= 0) own[std::size_t(b[i])] = a[i];  // given values on metal are no function
  }
  return own;
}

/// True where the solutions have values on metal, as scattered fields do; the form of the next space has no
/// rows and columns for them.
bool has_given_values(const NedelecSpace& space, const NextFunctions& next) {
  Index a[max_cell_dim], b[fourth_cell_dim];
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    space.cell_dofs(c, a), next.of_cell(c, b);
    for (int i = 0; i < nedelec_dim(space.order); ++i)
      if (a[i] >= 0 && b[i] < 0) return true;
  }
  return false;
}

/// [unknowns] whether the solutions have them. @param own unknown of each function, -1: it is added
std::vector<char> which_are_own(const std::vector<Index>& own, const Tied& tied) {
  std::vector<char> is_own(tied.members.size(), 0);
  for (std::size_t d = 0; d < own.size(); ++d)
    if (own[d] >= 0 && tied.unknown[d] >= 0) is_own[std::size_t(tied.unknown[d])] = 1;
  return is_own;
}

/// Sums of the cells in their order, whatever the threads.
Surplus sum_over_cells(const TestedFunctions& added, const NextFunctions& next, const Eigen::MatrixXcd& x) {
  const auto n = std::size_t(added.size()), columns = std::size_t(x.cols()), per_cell = n * (columns + 1);
  const Index num_cells = next.mesh().num_cells(), batch = 4096;
  Surplus surplus{std::vector<Complex>(next.size()),
                  Eigen::MatrixXcd::Zero(Eigen::Index(next.size()), x.cols())};
  std::vector<Complex> parts(std::size_t(std::min(batch, num_cells)) * per_cell);
  for (Index begin = 0; begin < num_cells; begin += batch) {
    const Index end = std::min(begin + batch, num_cells);
#pragma omp parallel for schedule(dynamic, 64)
    for (Index c = begin; c < end; ++c) {
      Complex* part = &parts[std::size_t(c - begin) * per_cell];
      added.test(c, x, part, part + n);
    }
    for (Index c = begin; c < end; ++c) {
      const Complex* part = &parts[std::size_t(c - begin) * per_cell];
      Index dofs[fourth_cell_dim];
      next.of_cell(c, dofs);
      for (std::size_t a = 0; a < n; ++a) {
        const Index d = dofs[added.begin() + int(a)];
        if (d < 0) continue;
        surplus.diagonal[std::size_t(d)] += part[a];
        for (std::size_t j = 0; j < columns; ++j)
          surplus.amplitudes(d, Eigen::Index(j)) += part[n * (j + 1) + a];
      }
    }
  }
  return surplus;
}

/// The same by the form of a space with one more order.
template <class T>
Surplus by_form(const linalg::Csr<T>& form, const std::vector<Index>& own, const Eigen::MatrixXcd& x) {
  Surplus surplus{std::vector<Complex>(own.size()),
                  Eigen::MatrixXcd::Zero(Eigen::Index(own.size()), x.cols())};
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < form.num_rows; ++row)
    for (Offset k = form.row_offsets[std::size_t(row)]; k < form.row_offsets[std::size_t(row) + 1]; ++k) {
      const Index column = form.columns[std::size_t(k)];
      const T value = form.values[std::size_t(k)];
      if (column == row) surplus.diagonal[std::size_t(row)] = value;
      if (const Index u = own[std::size_t(column)]; u >= 0) surplus.amplitudes.row(row) -= value * x.row(u);
    }
  return surplus;
}

/// The same of unknowns. Solutions are tested with functions of the opposite phase, their duals, the columns
/// from `first_dual` on, with those of the solutions.
Surplus gather(const Surplus& functions, const Tied& tied, Eigen::Index first_dual) {
  const auto count = tied.members.size();
  const Eigen::Index columns = functions.amplitudes.cols();
  Surplus surplus{std::vector<Complex>(count), Eigen::MatrixXcd::Zero(Eigen::Index(count), columns)};
  for (std::size_t d = 0; d < tied.unknown.size(); ++d) {
    if (tied.unknown[d] < 0) continue;
    const auto u = std::size_t(tied.unknown[d]);
    surplus.diagonal[u] += functions.diagonal[d];
    const auto row = functions.amplitudes.row(Eigen::Index(d));
    auto sum = surplus.amplitudes.row(Eigen::Index(u));
    sum.head(first_dual) += std::conj(tied.factor[d]) * row.head(first_dual);
    sum.tail(columns - first_dual) += tied.factor[d] * row.tail(columns - first_dual);
  }
  return surplus;
}

/// Residuals of the added functions of all cells, and the solutions' own parts of the others, over what makes
/// them amplitudes; nothing where terms are left out.
/// @param functions residuals of them all, without loads @param own unknowns of the solutions, -1 for added
/// ones
/// @param loads right-hand sides of the first columns [num_dofs, columns]; may be empty
/// @param num_dofs functions of the space, before those of level 4
Surplus amplitudes_of(Surplus functions, const Tied& tied, const std::vector<char>& out,
                      const std::vector<Index>& own, const Eigen::MatrixXcd& x, Eigen::Index first_dual,
                      const std::vector<Complex>& loads, Index num_dofs) {
  if (!loads.empty()) {
    const auto n = Eigen::Index(num_dofs), columns = Eigen::Index(loads.size()) / n;
    functions.amplitudes.topLeftCorner(n, columns) +=
        Eigen::Map<const Eigen::MatrixXcd>(loads.data(), n, columns);
  }
  for (std::size_t d = 0; d < own.size(); ++d)
    if (own[d] >= 0) functions.amplitudes.row(Eigen::Index(d)) = x.row(own[d]);
  const auto is_own = which_are_own(own, tied);
  Surplus surplus = gather(functions, tied, first_dual);
  for (std::size_t d = 0; d < out.size(); ++d)
    if (out[d] && tied.unknown[d] >= 0) surplus.diagonal[std::size_t(tied.unknown[d])] = 0;
  for (std::size_t u = 0; u < surplus.diagonal.size(); ++u) {
    auto row = surplus.amplitudes.row(Eigen::Index(u));
    const Complex c = surplus.diagonal[u];
    if (c == 0.0)
      row.setZero();
    else
      row /= is_own[u] ? Complex(tied.members[u]) : c;
  }
  return surplus;
}

/// curl w · μ⁻¹ curl w - k0² w · ε w.
template <class T>
linalg::Csr<T> form_of(const NedelecSpace& space, const CellMaterials& materials, double k0) {
  const Assembler assembler(space);
  auto form = assembler.create_matrix<T>();
  assembler.assemble(materials, T(1), T(-k0 * k0), form.values.data());
  return form;
}

/// Residuals of the added functions [functions, columns], zero of the others.
Eigen::MatrixXcd residuals_of(const Surplus& surplus, const std::vector<Index>& own) {
  Eigen::MatrixXcd residuals = surplus.amplitudes;
  for (std::size_t u = 0; u < own.size(); ++u)
    residuals.row(Eigen::Index(u)) *= own[u] < 0 ? surplus.diagonal[u] : Complex(0);
  return residuals;
}

/// A function in a cell.
struct Member {
  std::size_t cell, unknown;
  int level;
  bool gradient;
};

/// Calls visit for every tested function of every cell that has an unknown.
template <class Visit>
void each_member(const NextFunctions& next, const Tied& tied, const Visit& visit) {
  for (Index c = 0; c < next.mesh().num_cells(); ++c) {
    Index functions[fourth_cell_dim];
    next.of_cell(c, functions);
    for (int level = 2; level <= next.level(); ++level)
      for (int a = nedelec_dim(level - 1); a < nedelec_dim(level); ++a) {
        const Index u = functions[a] < 0 ? -1 : tied.unknown[std::size_t(functions[a])];
        if (u >= 0) visit(Member{std::size_t(c), std::size_t(u), level, is_gradient_of_fourth(a)});
      }
  }
}

}  // namespace

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
  const auto left_out = functions_left_out(next, model, context.truncation);
  const auto num_cells = std::size_t(space.mesh->num_cells()), count = tied.members.size();
  const bool by_stars = model.periodicity.empty() && next.level() == 3;
  Surplus surplus;
  Eigen::MatrixXcd residuals, corrections;
  const auto loads = context.loads ? context.loads(next.space()) : std::vector<Complex>();
  const auto test = [&](Surplus functions) {
    surplus = amplitudes_of(std::move(functions), tied, left_out, own, both, x.cols(), loads,
                            next.space().num_dofs());
  };
  const auto test_by_cells = [&] { test(sum_over_cells({space, next.level(), materials, k0}, next, both)); };
  const auto test_by_form = [&](const auto& form) {
    has_given_values(space, next) ? test_by_cells() : test(by_form(form, own, both));
    if (!by_stars) return;
    residuals = residuals_of(surplus, own);
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
  const auto is_own = which_are_own(own, tied);
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
