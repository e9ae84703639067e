// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_cells.hpp"

#include <algorithm>

#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

std::vector<double> mass_of_face(int order) {
  const int n = lagrange_face_dim(order);
  const auto rule = quadrature::triangle_rule(2 * order);
  std::vector<double> mass(std::size_t(n * n));
  for (std::size_t q = 0; q < rule.weights.size(); ++q) {
    const double l[3] = {1 - rule.points[q].u - rule.points[q].v, rule.points[q].u, rule.points[q].v};
    double value[max_lagrange_face_dim];
    lagrange_face_basis(order, l, value);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) mass[std::size_t(i * n + j)] += rule.weights[q] * value[i] * value[j];
  }
  return mass;
}

/// Fixed nodes are no unknowns.
void mark_fixed(const LagrangeSpace& space, std::vector<Index>& rows) {
  std::ranges::replace_if(
      rows, [&](Index row) { return row >= space.num_free; }, -1);
}

}  // namespace

ScalarCells::ScalarCells(const LagrangeSpace& space, const ScalarCoefficients& coefficients, double omega)
    : space_(space),
      coefficients_(coefficients),
      omega_(omega),
      table_(curved_scalar_table(space.order)),
      face_mass_(mass_of_face(space.order)) {}

void ScalarCells::rows_of(Index cell, std::vector<Index>& rows) const {
  rows.resize(std::size_t(lagrange_dim(space_.order)));
  space_.cell_nodes(cell, rows.data());
  mark_fixed(space_, rows);
}

linalg::DenseTerm ScalarCells::matrix_of(Index cell) const {
  linalg::DenseTerm term;
  rows_of(cell, term.rows);
  ScalarCellMatrix<Complex> matrix(space_, coefficients_, table_);
  matrix.compute(cell, 1.0, -omega_ * omega_);
  term.entries.assign(matrix.entries(), matrix.entries() + term.rows.size() * term.rows.size());
  return term;
}

linalg::DenseTerm ScalarCells::impedance_of(Index face, Index beyond) const {
  linalg::DenseTerm term;
  term.rows.resize(std::size_t(lagrange_face_dim(space_.order)));
  space_.face_nodes(face, term.rows.data());
  mark_fixed(space_, term.rows);
  Vec3<double> x[3];
  for (int i = 0; i < 3; ++i)
    x[i] = space_.mesh->nodes[std::size_t(space_.topology->faces[std::size_t(face)][std::size_t(i)])];
  const double scale = norm(cross(x[1] - x[0], x[2] - x[0]));
  const std::size_t material = coefficients_.material_of(beyond);
  const Complex admittance =
      Complex(0, omega_) * std::sqrt(coefficients_.diffusion[material] * coefficients_.reaction[material]);
  for (const double mass : face_mass_) term.entries.push_back(admittance * (scale * mass));
  return term;
}

}  // namespace curlew::fem
