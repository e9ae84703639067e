// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/next_order.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>

#include "fem/adaptive/tested_functions.hpp"
#include "fem/assembly.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/model/shared_rims.hpp"
#include "fem/periodic/bloch_reduction.hpp"

namespace curlew::fem {
namespace {

CellOrders one_more(const NedelecSpace& space) {
  CellOrders orders(std::size_t(space.mesh->num_cells()));
  for (std::size_t c = 0; c < orders.size(); ++c)
    orders[c] = std::int8_t(std::min(space.cell_order(Index(c)) + 1, max_order));
  return orders;
}

Coefficient transposed(Coefficient c) {
  c.tensor = transpose(c.tensor);
  return c;
}

Coefficient symmetric_part(const Coefficient& c) {
  if (c.is_symmetric()) return c;
  Mat3<Complex> mean;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) mean(i, j) = 0.5 * (c.tensor(i, j) + c.tensor(j, i));
  return mean;
}

/// Ties functions of level 4 like those on the same entity. @returns the number of unknowns
Index tie_fourth_level(const std::vector<Index>& kin, Index count, Tied& tied) {
  std::vector<Index> first(std::size_t(count), -1);  // first unknown of those in a group of kin
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

}  // namespace

NextFunctions::NextFunctions(const NedelecSpace& space, const Model& model)
    : space_(make_model_space(model, *space.mesh, *space.topology, one_more(space))) {
  const mesh::Topology& topology = *space.topology;
  const auto cells = std::views::iota(Index(0), space.mesh->num_cells());
  has_order_two_ = std::ranges::any_of(cells, [&](Index c) { return space.cell_order(c) == 2; });
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

void NextFunctions::of_cell(Index cell, Index* functions) const {
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

void NextFunctions::add(Index& first, Index kin, int count) {
  if (first >= 0 || kin < 0) return;
  first = Index(size());
  kin_.insert(kin_.end(), std::size_t(count), kin);
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

std::vector<Index> own_unknowns(const NedelecSpace& space, const NextFunctions& next) {
  std::vector<Index> own(next.size(), -1);
  Index a[max_cell_dim], b[fourth_cell_dim];
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    space.cell_dofs(c, a), next.of_cell(c, b);
    for (int i = 0; i < nedelec_dim(space.order); ++i)
      if (a[i] >= 0 && b[i] >= 0) own[std::size_t(b[i])] = a[i];  // metal has no functions
  }
  return own;
}

bool has_given_values(const NedelecSpace& space, const NextFunctions& next) {
  Index a[max_cell_dim], b[fourth_cell_dim];
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    space.cell_dofs(c, a), next.of_cell(c, b);
    for (int i = 0; i < nedelec_dim(space.order); ++i)
      if (a[i] >= 0 && b[i] < 0) return true;
  }
  return false;
}

std::vector<char> which_are_own(const std::vector<Index>& own, const Tied& tied) {
  std::vector<char> is_own(tied.members.size(), 0);
  for (std::size_t d = 0; d < own.size(); ++d)
    if (own[d] >= 0 && tied.unknown[d] >= 0) is_own[std::size_t(tied.unknown[d])] = 1;
  return is_own;
}

Surplus sum_over_cells(const NedelecSpace& space, const NextFunctions& next, const CellMaterials& materials,
                       double k0, const Eigen::MatrixXcd& x) {
  const TestedFunctions added(space, next.level(), materials, k0);
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

CellMaterials transposed(CellMaterials materials) {
  for (Material& m : materials.materials) m.epsilon_r = transposed(m.epsilon_r), m.mu_r = transposed(m.mu_r);
  return materials;
}

CellMaterials symmetric_part(CellMaterials materials) {
  for (Material& m : materials.materials) {
    m.epsilon_r = symmetric_part(m.epsilon_r);
    if (!m.mu_r.is_symmetric()) m.mu_r = symmetric_part(m.mu_r.inverse()).inverse();
  }
  return materials;
}

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

Eigen::MatrixXcd residuals_of(const Surplus& surplus, const std::vector<char>& is_own) {
  Eigen::MatrixXcd residuals = surplus.amplitudes;
  for (std::size_t u = 0; u < is_own.size(); ++u)
    residuals.row(Eigen::Index(u)) *= is_own[u] ? Complex(0) : surplus.diagonal[u];
  return residuals;
}

template <class T>
linalg::Csr<T> form_of(const NedelecSpace& space, const CellMaterials& materials, double k0) {
  const Assembler assembler(space);
  auto form = assembler.create_matrix<T>();
  assembler.assemble(materials, T(1), T(-k0 * k0), form.values.data());
  return form;
}

template Surplus by_form(const linalg::Csr<double>&, const std::vector<Index>&, const Eigen::MatrixXcd&);
template Surplus by_form(const linalg::Csr<Complex>&, const std::vector<Index>&, const Eigen::MatrixXcd&);
template linalg::Csr<double> form_of(const NedelecSpace&, const CellMaterials&, double);
template linalg::Csr<Complex> form_of(const NedelecSpace&, const CellMaterials&, double);

}  // namespace curlew::fem
