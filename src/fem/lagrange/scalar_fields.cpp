// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_fields.hpp"

#include "fem/geometry.hpp"
#include "fem/mat3.hpp"

namespace curlew::fem {

ScalarEvaluator::ScalarEvaluator(const LagrangeSpace& space, const std::vector<Vec3<double>>& points)
    : space_(space), table_(scalar_table(space.order, points, std::vector<double>(points.size(), 0.0))) {}

void ScalarEvaluator::evaluate(Index cell, const Complex* x, Complex* value, Vec3<Complex>* gradient) const {
  evaluate(cell, 0, table_.points.size(), x, value, gradient);
}

void ScalarEvaluator::evaluate_at(Index cell, int point, const Complex* x, Complex* value,
                                  Vec3<Complex>* gradient) const {
  evaluate(cell, std::size_t(point), std::size_t(point) + 1, x, value, gradient);
}

void ScalarEvaluator::evaluate(Index cell, std::size_t from, std::size_t to, const Complex* x, Complex* value,
                               Vec3<Complex>* gradient) const {
  Index nodes[max_lagrange_dim];
  Complex local[max_lagrange_dim];
  space_.cell_nodes(cell, nodes);
  const int n = table_.dim;
  for (int a = 0; a < n; ++a) local[a] = x[nodes[a]];
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const auto sum = [&](const double* row) {
    double re = 0, im = 0;
    for (int a = 0; a < n; ++a) re += row[a] * local[a].real(), im += row[a] * local[a].imag();
    return Complex(re, im);
  };
  for (std::size_t q = from; q < to; ++q) {
    if (value != nullptr) *value++ = sum(&table_.values[q * std::size_t(n)]);
    if (gradient == nullptr) continue;
    Vec3<Complex> d{};
    for (int i = 0; i < 3; ++i) d[i] = sum(&table_.gradients[(3 * q + std::size_t(i)) * std::size_t(n)]);
    const Mat3<double> J = jacobian(geometry, table_.points[q]);
    *gradient++ = (1 / determinant(J)) * (transpose(adjugate(J)) * d);
  }
}

}  // namespace curlew::fem
