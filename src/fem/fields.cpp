// SPDX-License-Identifier: BSD-3-Clause
#include "fem/fields.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "fem/geometry.hpp"
#include "fem/piola.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

double norm_squared(const Vec3<Complex>& v) {
  return std::norm(v.x) + std::norm(v.y) + std::norm(v.z);
}

}  // namespace

FieldEvaluator::FieldEvaluator(const NedelecSpace& space, std::vector<Vec3<double>> points)
    : space_(space), points_(std::move(points)) {
  BasisValue<double> basis[max_cell_dim];
  for (const auto& point : points_) {
    reference_basis(space.order, point, basis);
    for (int a = 0; a < nedelec_dim(space.order); ++a) {
      values_.push_back(basis[a].value);
      curls_.push_back(basis[a].curl);
    }
  }
}

void FieldEvaluator::evaluate(Index cell, const Complex* x, Vec3<Complex>* e, Vec3<Complex>* curl,
                              Vec3<double>* where) const {
  const int dim = nedelec_dim(space_.order);
  Index dofs[max_cell_dim];
  space_.cell_dofs(cell, dofs);
  Complex coefficients[max_cell_dim];
  for (int a = 0; a < dim; ++a) coefficients[a] = dofs[a] < 0 ? 0.0 : x[dofs[a]];
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  for (std::size_t q = 0; q < points_.size(); ++q) {
    Vec3<Complex> value, rotation;
    for (int a = 0; a < dim; ++a) {
      if (e != nullptr) value += coefficients[a] * values_[q * std::size_t(dim) + std::size_t(a)];
      if (curl != nullptr) rotation += coefficients[a] * curls_[q * std::size_t(dim) + std::size_t(a)];
    }
    const auto map = piola_map(jacobian(geometry, points_[q]));
    if (e != nullptr) e[q] = covariant(map, value);
    if (curl != nullptr) curl[q] = contravariant(map, rotation);
    if (where != nullptr) where[q] = map_point(geometry, points_[q]);
  }
}

Vec3<Complex> magnetic_field(Vec3<Complex> curl_e, const Coefficient& inverse_mu_r, double omega) {
  return Complex(0, 1 / (omega * vacuum_permeability)) * (inverse_mu_r * curl_e);
}

FieldNorms field_error(const NedelecSpace& space, const Complex* x, const VectorField& field,
                       const VectorField& curl, int degree) {
  const auto rule = quadrature::tetrahedron_rule(degree);
  const FieldEvaluator evaluator(space, rule.points);
  const auto count = std::size_t(rule.size());
  std::vector<Vec3<Complex>> e(count), c(count);
  std::vector<Vec3<double>> where(count);
  FieldNorms sums{0, 0, 0, 0};
  for (Index cell = 0; cell < space.mesh->num_cells(); ++cell) {
    evaluator.evaluate(cell, x, e.data(), c.data(), where.data());
    const CellGeometry geometry = cell_geometry(*space.mesh, cell);
    for (std::size_t q = 0; q < count; ++q) {
      const double weight = rule.weights[q] * std::abs(determinant(jacobian(geometry, rule.points[q])));
      const Vec3<Complex> exact = field(where[q]), exact_curl = curl(where[q]);
      sums.error_l2 += weight * norm_squared(e[q] - exact);
      sums.error_curl += weight * norm_squared(c[q] - exact_curl);
      sums.norm_l2 += weight * norm_squared(exact);
      sums.norm_curl += weight * norm_squared(exact_curl);
    }
  }
  return {std::sqrt(sums.error_l2), std::sqrt(sums.error_curl), std::sqrt(sums.norm_l2),
          std::sqrt(sums.norm_curl)};
}

}  // namespace curlew::fem
