// SPDX-License-Identifier: BSD-3-Clause
#include "fem/reference_tensors.hpp"

#include "fem/mirror.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {
namespace {

std::array<int, max_cell_dim> rotational_first(int order) {
  std::array<int, max_cell_dim> function{};
  int place = 0;
  for (const bool gradients : {false, true})
    for (int level = 1; level <= order; ++level)
      for (int a = level_begin(level); a < nedelec_dim(level); ++a)
        if (is_gradient(a) == gradients) function[std::size_t(place++)] = a;
  return function;
}

/// Adds weight x_m y_n to the terms, for row vector component x and column component y of one point.
/// @param x, y [3, stride] components of the functions @param tensors [num_terms, padded(n * n)]
void add_products(int n, int stride, double weight, const double* x, double* tensors) {
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  const std::size_t size = std::size_t(padded(n * n));
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      double* entry = tensors + a * n + b;
      const auto product = [&](int m, int k) { return weight * x[m * stride + a] * x[k * stride + b]; };
      for (int m = 0; m < 3; ++m) entry[std::size_t(m) * size] += product(m, m);
      for (int i = 0; i < 3; ++i) {
        const auto [m, k] = pairs[i];
        entry[std::size_t(3 + i) * size] += product(m, k) + product(k, m);
        entry[std::size_t(6 + i) * size] += product(m, k) - product(k, m);
      }
    }
}

/// Makes the tensors of the symmetric terms exactly equal to their transposes, and those of the antisymmetric
/// ones to minus that: matrices of symmetric media are then exactly symmetric and stored as such.
void mirror_terms(int n, double* tensors) {
  for (int t = 0; t < num_terms; ++t) {
    mirror(n, tensors + std::size_t(t) * std::size_t(padded(n * n)), t < num_symmetric_terms ? 1 : -1);
  }
}

}  // namespace

ReferenceTable reference_table(int order, int degree) {
  const auto rule = quadrature::tetrahedron_rule(degree);
  const auto function = rotational_first(order);
  const int dim = nedelec_dim(order), stride = padded(dim), curl_stride = padded(num_rotational(order));
  ReferenceTable table{order, rule.points, rule.weights, {}, {}};
  table.values.assign(std::size_t(rule.size()) * 3 * stride, 0.0);
  table.curls.assign(std::size_t(rule.size()) * 3 * curl_stride, 0.0);
  BasisValue<double> basis[max_cell_dim];
  for (int q = 0; q < rule.size(); ++q) {
    reference_basis(order, rule.points[std::size_t(q)], basis);
    for (int m = 0; m < 3; ++m) {
      double* values = &table.values[std::size_t(q * 3 + m) * stride];
      double* curls = &table.curls[std::size_t(q * 3 + m) * curl_stride];
      for (int a = 0; a < dim; ++a) values[a] = basis[function[std::size_t(a)]].value[m];
      for (int a = 0; a < num_rotational(order); ++a) curls[a] = basis[function[std::size_t(a)]].curl[m];
    }
  }
  return table;
}

const ReferenceTensors& reference_tensors(int order) {
  static const auto make = [](int p) {
    const auto table = reference_table(p, 2 * p);
    const int dim = nedelec_dim(p), rotational = num_rotational(p);
    ReferenceTensors tensors{p, rotational_first(p), {}, {}};
    tensors.mass.assign(std::size_t(num_terms) * padded(dim * dim), 0.0);
    tensors.stiffness.assign(std::size_t(num_terms) * padded(rotational * rotational), 0.0);
    for (std::size_t q = 0; q < table.weights.size(); ++q) {
      const int stride = padded(dim), curl_stride = padded(rotational);
      add_products(dim, stride, table.weights[q], &table.values[q * 3 * stride], tensors.mass.data());
      add_products(rotational, curl_stride, table.weights[q], &table.curls[q * 3 * curl_stride],
                   tensors.stiffness.data());
    }
    mirror_terms(dim, tensors.mass.data());
    mirror_terms(rotational, tensors.stiffness.data());
    return tensors;
  };
  static const std::array<ReferenceTensors, max_order> all{make(1), make(2), make(3)};
  return all[std::size_t(order - 1)];
}

}  // namespace curlew::fem
