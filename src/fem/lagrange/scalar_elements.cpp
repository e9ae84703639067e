// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_elements.hpp"

#include <algorithm>

#include "fem/mat3.hpp"
#include "fem/mirror.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

/// v J^-1 J^-T as 00, 11, 22, 01, 02, 12, v = |det J|; J and v may be those of complex coordinates.
template <class T>
struct Metric {
  T g[6];
  T volume;  // v
};

/// @param sign of det J where coordinates are real
template <class T>
Metric<T> metric(const Mat3<T>& J, double sign) {
  const Mat3<T> adj = adjugate(J);
  Metric<T> result;
  result.volume = sign * determinant(J);
  constexpr int m[6] = {0, 1, 2, 0, 0, 1}, n[6] = {0, 1, 2, 1, 2, 2};
  for (int t = 0; t < 6; ++t) {
    T sum = 0;
    for (int i = 0; i < 3; ++i) sum += adj(m[t], i) * adj(n[t], i);
    result.g[t] = sum / result.volume;
  }
  return result;
}

Metric<double> metric(const Mat3<double>& J) {
  return metric(J, determinant(J) < 0 ? -1 : 1);
}

/// Sums of the rule. @param metric_at(q) at its points @param product work space [3 dim]
template <class T, class MetricAt>
void integrate(const ScalarTable& table, const MetricAt& metric_at, T* stiffness, T* mass, T* product) {
  const int n = table.dim;
  std::fill_n(stiffness, n * n, T(0));
  std::fill_n(mass, n * n, T(0));
  for (std::size_t q = 0; q < table.points.size(); ++q) {
    const Metric<T> m = metric_at(q);
    const double w = table.weights[q];
    const double* value = &table.values[q * std::size_t(n)];
    const double* d = &table.gradients[q * std::size_t(3 * n)];
    for (int b = 0; b < n; ++b) {  // product = w G grad phi_b
      const double x = w * d[b], y = w * d[n + b], z = w * d[2 * n + b];
      product[b] = m.g[0] * x + m.g[3] * y + m.g[4] * z;
      product[n + b] = m.g[3] * x + m.g[1] * y + m.g[5] * z;
      product[2 * n + b] = m.g[4] * x + m.g[5] * y + m.g[2] * z;
    }
    for (int a = 0; a < n; ++a) {
      const T va = w * m.volume * value[a];
      for (int b = 0; b < n; ++b) {
        stiffness[a * n + b] +=
            d[a] * product[b] + d[n + a] * product[n + b] + d[2 * n + a] * product[2 * n + b];
        mass[a * n + b] += va * value[b];
      }
    }
  }
  mirror(n, stiffness);
  mirror(n, mass);
}

ScalarTensors make_tensors(int order) {
  const auto rule = quadrature::tetrahedron_rule(2 * order);
  const ScalarTable table = scalar_table(order, rule.points, rule.weights);
  const int n = table.dim;
  ScalarTensors tensors;
  tensors.mass.assign(std::size_t(n * n), 0);
  tensors.stiffness.assign(std::size_t(6 * n * n), 0);
  constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
  for (std::size_t q = 0; q < table.weights.size(); ++q) {
    const double w = table.weights[q];
    const double* value = &table.values[q * std::size_t(n)];
    const double* gradient = &table.gradients[q * std::size_t(3 * n)];
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        tensors.mass[std::size_t(a * n + b)] += w * value[a] * value[b];
        for (int t = 0; t < 6; ++t) {
          const double* da = gradient + first[t] * n;
          const double* db = gradient + second[t] * n;
          const double product = t < 3 ? da[a] * db[b] : da[a] * db[b] + db[a] * da[b];
          tensors.stiffness[std::size_t((t * n + a) * n + b)] += w * product;
        }
      }
  }
  mirror(n, tensors.mass.data());
  for (int t = 0; t < 6; ++t) mirror(n, tensors.stiffness.data() + t * n * n);
  return tensors;
}

}  // namespace

ScalarTable scalar_table(int order, const std::vector<Vec3<double>>& points,
                         const std::vector<double>& weights) {
  ScalarTable table;
  table.dim = lagrange_dim(order);
  table.points = points;
  table.weights = weights;
  table.values.resize(points.size() * std::size_t(table.dim));
  table.gradients.resize(3 * table.values.size());
  for (std::size_t q = 0; q < points.size(); ++q) {
    const auto& x = points[q];
    const double l[4] = {1 - x.x - x.y - x.z, x.x, x.y, x.z};
    double value[max_lagrange_dim], slope[max_lagrange_dim][4];
    lagrange_cell_basis(order, l, value, slope);
    for (int a = 0; a < table.dim; ++a) {
      table.values[q * std::size_t(table.dim) + std::size_t(a)] = value[a];
      for (int i = 0; i < 3; ++i)
        table.gradients[(3 * q + std::size_t(i)) * std::size_t(table.dim) + std::size_t(a)] =
            slope[a][i + 1] - slope[a][0];
    }
  }
  return table;
}

ScalarTable curved_scalar_table(int order) {
  const auto rule = quadrature::tetrahedron_rule(2 * order + 3);
  return scalar_table(order, rule.points, rule.weights);
}

const ScalarTensors& scalar_tensors(int order) {
  static const ScalarTensors tensors[3] = {make_tensors(1), make_tensors(2), make_tensors(3)};
  return tensors[order - 1];
}

ScalarElements::ScalarElements(int order, const ScalarTable* curved)
    : dim_(lagrange_dim(order)),
      tensors_(scalar_tensors(order)),
      curved_(curved),
      stiffness_(std::size_t(dim_ * dim_)),
      mass_(std::size_t(dim_ * dim_)),
      product_(std::size_t(3 * dim_)) {}

void ScalarElements::compute(const CellGeometry& geometry, bool is_curved) {
  if (is_curved)
    compute_curved(geometry);
  else
    compute_straight(geometry);
}

void ScalarElements::compute_straight(const CellGeometry& geometry) {
  const Metric<double> m = metric(jacobian(geometry, {0.25, 0.25, 0.25}));
  const int size = dim_ * dim_;
  const double* t = tensors_.stiffness.data();
  for (int i = 0; i < size; ++i) {
    stiffness_[std::size_t(i)] = m.g[0] * t[i] + m.g[1] * t[size + i] + m.g[2] * t[2 * size + i] +
                                 m.g[3] * t[3 * size + i] + m.g[4] * t[4 * size + i] +
                                 m.g[5] * t[5 * size + i];
    mass_[std::size_t(i)] = m.volume * tensors_.mass[std::size_t(i)];
  }
}

void ScalarElements::compute_curved(const CellGeometry& geometry) {
  integrate(
      *curved_, [&](std::size_t q) { return metric(jacobian(geometry, curved_->points[q])); },
      stiffness_.data(), mass_.data(), product_.data());
}

void stretched_matrices(const ScalarTable& table, const CellGeometry& geometry,
                        const std::function<Mat3<Complex>(Vec3<double>)>& F, Complex* stiffness,
                        Complex* mass) {
  std::vector<Complex> product(std::size_t(3 * table.dim));
  const auto metric_at = [&](std::size_t q) {
    const Mat3<double> J = jacobian(geometry, table.points[q]);
    return metric(F(map_point(geometry, table.points[q])) * J, determinant(J) < 0 ? -1 : 1);
  };
  integrate(table, metric_at, stiffness, mass, product.data());
}

}  // namespace curlew::fem
