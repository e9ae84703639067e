// SPDX-License-Identifier: BSD-3-Clause
#include "fem/adaptive/tested_functions.hpp"

#include <algorithm>
#include <cmath>

#include "fem/adaptive/fourth_level.hpp"
#include "fem/assembly.hpp"
#include "fem/piola.hpp"

namespace curlew::fem {
namespace {

using Field = std::vector<Vec3<Complex>>;

Complex product(const Vec3<double>& a, const Vec3<Complex>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vec3<Complex> as_complex(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

TestedFunctions::TestedFunctions(const NedelecSpace& space, int level, const CellMaterials& materials,
                                 double k0)
    : space_(space),
      end_(nedelec_dim(level)),
      materials_(materials),
      k0_squared_(k0 * k0),
      rule_(quadrature::tetrahedron_rule(materials.is_stretched() ? stretched_degree(level) : 2 * level)),
      fields_(space, rule_.points) {
  for (const Material& m : materials.materials) inverse_mu_.push_back(m.mu_r.inverse());
  for (const auto& point : rule_.points) {
    BasisValue<double> basis[fourth_cell_dim];
    if (level == 4)
      fourth_basis(point, basis);
    else
      reference_basis(level, point, basis);
    basis_.insert(basis_.end(), basis + begin(), basis + end());
  }
}

void TestedFunctions::test(Index cell, const Eigen::MatrixXcd& x, Complex* diagonal,
                           Complex* residuals) const {
  const auto n = std::size_t(size()), points = std::size_t(rule_.size()), columns = std::size_t(x.cols());
  Field e(points * columns), curl(points * columns);
  for (std::size_t j = 0; j < columns; ++j)
    fields_.evaluate(cell, x.col(Eigen::Index(j)).data(), &e[j * points], &curl[j * points]);
  std::fill_n(diagonal, n, Complex(0));
  std::fill_n(residuals, n * columns, Complex(0));
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  for (std::size_t q = 0; q < points; ++q) {
    const auto map = piola_map(jacobian(geometry, rule_.points[q]));
    const double weight = rule_.weights[q] * std::abs(map.det);
    const auto [epsilon, inverse_mu] = constants(cell, geometry, rule_.points[q]);
    for (std::size_t j = 0; j < columns; ++j) {
      e[j * points + q] = weight * k0_squared_ * (epsilon * e[j * points + q]);
      curl[j * points + q] = weight * (inverse_mu * curl[j * points + q]);
    }
    for (std::size_t a = 0; a < n; ++a) {
      const auto& w = basis_[q * n + a];
      const Vec3<double> value = covariant(map, w.value), rotation = contravariant(map, w.curl);
      diagonal[a] += weight * (product(rotation, inverse_mu * as_complex(rotation)) -
                               k0_squared_ * product(value, epsilon * as_complex(value)));
      for (std::size_t j = 0; j < columns; ++j)
        residuals[j * n + a] += product(value, e[j * points + q]) - product(rotation, curl[j * points + q]);
    }
  }
}

TestedFunctions::Constants TestedFunctions::constants(Index cell, const CellGeometry& geometry,
                                                      Vec3<double> point) const {
  const auto m =
      materials_.cell_material.empty() ? 0 : std::size_t(materials_.cell_material[std::size_t(cell)]);
  const Material& material = materials_.materials[m];
  if (!material.stretching) return {material.epsilon_r, inverse_mu_[m]};
  const Mat3<Complex> f = material.stretching->gradient(map_point(geometry, point));
  return {stretched(f, material.epsilon_r), stretched_inverse(f, inverse_mu_[m])};
}

}  // namespace curlew::fem
