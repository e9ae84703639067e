// SPDX-License-Identifier: BSD-3-Clause
#include "fem/nedelec_cells.hpp"

#include <cmath>

#include "fem/assembly.hpp"
#include "fem/element_matrices.hpp"
#include "fem/geometry.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// adds factor * matrix, whose places are those of reference_tensors.hpp, to entries of the basis' order.
void add_term(const ReferenceTensors& tensors, const ElementTerm& matrix, int n, Complex factor,
              linalg::DenseTerm& term) {
  const std::size_t dim = term.rows.size();
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      const int from = a * n + b;
      const Complex value(matrix.re[from], matrix.im == nullptr ? 0 : matrix.im[from]);
      term.entries[std::size_t(tensors.function[std::size_t(a)]) * dim +
                   std::size_t(tensors.function[std::size_t(b)])] += factor * matrix.factor * value;
    }
}

}  // namespace

NedelecCells::NedelecCells(const NedelecSpace& space, CellMaterials materials, double k0)
    : space_(space), materials_(std::move(materials)), k0_(k0) {
  for (const Material& material : materials_.materials) inverse_mu_.push_back(material.mu_r.inverse());
  if (materials_.is_stretched())
    table_ = reference_table(space.order, stretched_degree(space.order));
  else if (space.mesh->geometry_order == 2)
    table_ = reference_table(space.order, curved_degree(space.order));
}

void NedelecCells::rows_of(Index cell, std::vector<Index>& rows) const {
  rows.resize(std::size_t(nedelec_dim(space_.order)));
  space_.cell_dofs(cell, rows.data());
}

linalg::DenseTerm NedelecCells::matrix_of(Index cell) const {
  linalg::DenseTerm term;
  rows_of(cell, term.rows);
  const auto dim = int(term.rows.size());
  term.entries.resize(std::size_t(dim) * std::size_t(dim));
  const Material& material = materials_.of(cell);
  const auto place = std::size_t(&material - materials_.materials.data());
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const Stretching* const stretching = material.stretching.get();
  const ElementMatrices::Cell one{geometry, !is_straight(geometry) || stretching != nullptr,
                                  &material.epsilon_r, &inverse_mu_[place], stretching};
  const ReferenceTensors& tensors = reference_tensors(space_.order);
  ElementMatrices elements(tensors, table_.points.empty() ? nullptr : &table_);
  elements.compute(&one, 1);
  add_term(tensors, elements.stiffness(0), num_rotational(space_.order), 1, term);
  add_term(tensors, elements.mass(0), dim, -k0_ * k0_, term);
  return term;
}

linalg::DenseTerm NedelecCells::impedance_of(Index face, Index beyond) const {
  const int n = nedelec_face_dim(space_.order);
  linalg::DenseTerm term;
  term.rows.resize(std::size_t(n));
  term.entries.resize(std::size_t(n) * std::size_t(n));
  space_.trace_dofs(face, term.rows.data());
  Vec3<double> x[3];
  for (int i = 0; i < 3; ++i)
    x[i] = space_.mesh->nodes[std::size_t(space_.topology->faces[std::size_t(face)][std::size_t(i)])];
  const Vec3<double> du = x[1] - x[0], dv = x[2] - x[0], area = cross(du, dv);
  const Vec3<double> gu = (1 / dot(area, area)) * cross(dv, area),
                     gv = (1 / dot(area, area)) * cross(area, du);
  const Vec3<double> g[3] = {-(gu + gv), gu, gv};
  const Material& medium = materials_.of(beyond);
  const Complex gamma =
      Complex(0, k0_) * std::sqrt(medium.epsilon_r.as_tensor()(0, 0) / medium.mu_r.as_tensor()(0, 0));
  const auto rule = quadrature::triangle_rule(2 * space_.order);
  BasisValue<double> basis[max_face_dim];
  for (std::size_t q = 0; q < rule.weights.size(); ++q) {
    const double l[3] = {1 - rule.points[q].u - rule.points[q].v, rule.points[q].u, rule.points[q].v};
    nedelec_face_basis(space_.order, l, g, basis);
    const Complex weight = gamma * (rule.weights[q] * norm(area));
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        term.entries[std::size_t(a * n + b)] += weight * dot(basis[a].value, basis[b].value);
  }
  return term;
}

}  // namespace curlew::fem
