// SPDX-License-Identifier: BSD-3-Clause
#include "fem/element_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "fem/mirror.hpp"
#include "fem/simd.hpp"

namespace curlew::fem {
namespace {

constexpr int lanes = ElementMatrices::lanes;

/// out[lane][i] = sum_t coefficients[lane][t] tensors[t][i]. Each tensor entry is loaded once for all lanes;
/// the 4 Terms coefficients stay in registers.
template <int Terms>
void contract_terms(const double (*coefficients)[num_terms], const double* tensors, int size, double* out) {
  double c[lanes][Terms];
  for (int lane = 0; lane < lanes; ++lane)
    for (int t = 0; t < Terms; ++t) c[lane][t] = coefficients[lane][t];
  for (int i = 0; i < size; i += simd_width) {
    Doubles tensor[Terms];
    for (int t = 0; t < Terms; ++t) load(tensors + t * size + i, &tensor[t]);
    for (int lane = 0; lane < lanes; ++lane) {
      Doubles sum = c[lane][0] * tensor[0];
      for (int t = 1; t < Terms; ++t) sum += c[lane][t] * tensor[t];
      store(&sum, out + lane * size + i);
    }
  }
}

/// The most vectors whose sums with four rows stay in registers, of the divisors of `vectors`.
constexpr int in_registers(int vectors) {
  int most = (vector_registers - 1) / 5;  // four sums and a factor each
  while (vectors % most != 0) --most;
  return most;
}

/// out[a][b] = sum_k v[k][a] w[k][b] for a, b < n. @param v, w [depth, Stride], zero past n
template <int Stride>
void multiply_tables(int n, int depth, const double* v, const double* w, double* out) {
  constexpr int vectors = in_registers(Stride / simd_width), width = vectors * simd_width;
  for (int a = 0; a < n; a += 4) {
    for (int first = 0; first < n; first += width) {
      Doubles sum[4][vectors] = {};
      for (int k = 0; k < depth; ++k) {
        Doubles row[vectors];
        for (int j = 0; j < vectors; ++j) load(w + k * Stride + first + j * simd_width, &row[j]);
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < vectors; ++j) sum[i][j] += v[k * Stride + a + i] * row[j];
      }
      for (int i = 0; i < 4 && a + i < n; ++i) {
        double line[width];
        for (int j = 0; j < vectors; ++j) store(&sum[i][j], line + j * simd_width);
        std::copy_n(line, std::min(width, n - first), out + (a + i) * n + first);
      }
    }
  }
}

void multiply_tables(int n, int stride, int depth, const double* v, const double* w, double* out) {
  if (stride == 8) return multiply_tables<8>(n, depth, v, w, out);
  if (stride == 16) return multiply_tables<16>(n, depth, v, w, out);
  if (stride == 24) return multiply_tables<24>(n, depth, v, w, out);
  if (stride == 32) return multiply_tables<32>(n, depth, v, w, out);
  return multiply_tables<48>(n, depth, v, w, out);
}

Mat3<double> part(const Mat3<Complex>& c, bool imaginary) {
  Mat3<double> p;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) p(i, j) = imaginary ? c(i, j).imag() : c(i, j).real();
  return p;
}

/// scale * left * c * right, for real and imaginary parts of c.
PulledBack sandwich(const Mat3<double>& left, const Mat3<Complex>* c, const Mat3<double>& right,
                    double scale) {
  PulledBack g;
  g.re = c == nullptr ? left * right : left * part(*c, false) * right;
  if (c != nullptr) g.im = left * part(*c, true) * right;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) g.re(i, j) *= scale, g.im(i, j) *= scale;
  return g;
}

/// @param symmetric omit antisymmetric terms, which are rounding errors
void to_terms(const Mat3<double>& g, bool symmetric, double* terms) {
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 3; ++i) {
    const auto [m, k] = pairs[i];
    terms[i] = g(i, i);
    terms[3 + i] = 0.5 * (g(m, k) + g(k, m));
    terms[6 + i] = symmetric ? 0 : 0.5 * (g(m, k) - g(k, m));
  }
}

/// products[q][m][:] = sum_k g_mk table[q][k][:].
void apply_tensor(const Mat3<double>& g, const double* table, int stride, double* products) {
  for (int m = 0; m < 3; ++m)
    for (int b = 0; b < stride; ++b)
      products[m * stride + b] =
          g(m, 0) * table[b] + g(m, 1) * table[stride + b] + g(m, 2) * table[2 * stride + b];
}

}  // namespace

PulledBack pull_back_mass(const PiolaMap<double>& map, const Mat3<Complex>* c) {
  return sandwich(map.adj, c, transpose(map.adj), 1 / std::abs(map.det));
}

PulledBack pull_back_stiffness(const PiolaMap<double>& map, const Mat3<Complex>* c) {
  return sandwich(transpose(map.J), c, map.J, 1 / std::abs(map.det));
}

ElementMatrices::ElementMatrices(const ReferenceTensors& tensors, const ReferenceTable* table)
    : tensors_(tensors), table_(table), mass_(make_term(true)), stiffness_(make_term(false)) {}

ElementMatrices::Term ElementMatrices::make_term(bool is_mass) const {
  Term term{};
  term.is_mass = is_mass;
  term.n = is_mass ? nedelec_dim(tensors_.order) : num_rotational(tensors_.order);
  term.size = padded(term.n * term.n);
  term.stride = padded(term.n);
  term.tensors = is_mass ? tensors_.mass.data() : tensors_.stiffness.data();
  if (table_ != nullptr) {
    const auto& table = is_mass ? table_->values : table_->curls;
    term.table = table.data();
    term.product_re.resize(table.size());
    term.product_im.resize(table.size());
  }
  term.re.resize(std::size_t(lanes) * term.size);
  term.im.resize(std::size_t(lanes) * term.size);
  return term;
}

void ElementMatrices::prepare_straight(Term& term, const Coefficient& c, int lane,
                                       const PiolaMap<double>& map) const {
  const Mat3<Complex>* tensor = c.is_scalar ? nullptr : &c.tensor;
  const PulledBack g = term.is_mass ? pull_back_mass(map, tensor) : pull_back_stiffness(map, tensor);
  const bool symmetric = c.is_symmetric();
  to_terms(g.re, symmetric, term.coefficients_re[lane]);
  to_terms(g.im, symmetric, term.coefficients_im[lane]);
  const bool has_im = !c.is_scalar && !c.is_real();
  term.results[lane] = {c.is_scalar ? c.scalar : 1.0, &term.re[std::size_t(lane) * term.size],
                        has_im ? &term.im[std::size_t(lane) * term.size] : nullptr};
}

void ElementMatrices::contract(Term& term) const {
  bool antisymmetric = false, imaginary = false;
  for (int lane = 0; lane < lanes; ++lane) {
    imaginary = imaginary || term.results[lane].im != nullptr;
    for (int t = num_symmetric_terms; t < num_terms; ++t)
      antisymmetric =
          antisymmetric || term.coefficients_re[lane][t] != 0 || term.coefficients_im[lane][t] != 0;
  }
  const auto run = antisymmetric ? contract_terms<num_terms> : contract_terms<num_symmetric_terms>;
  run(term.coefficients_re, term.tensors, term.size, term.re.data());
  if (imaginary) run(term.coefficients_im, term.tensors, term.size, term.im.data());
}

void ElementMatrices::apply_material(Term& term, const PiolaMap<double>& map, const Coefficient& c,
                                     int point) const {
  const Mat3<Complex>* tensor = c.is_scalar ? nullptr : &c.tensor;
  PulledBack g = term.is_mass ? pull_back_mass(map, tensor) : pull_back_stiffness(map, tensor);
  const double weight = table_->weights[std::size_t(point)];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) g.re(i, j) *= weight, g.im(i, j) *= weight;
  const int at = point * 3 * term.stride;
  apply_tensor(g.re, term.table + at, term.stride, &term.product_re[std::size_t(at)]);
  if (tensor != nullptr) apply_tensor(g.im, term.table + at, term.stride, &term.product_im[std::size_t(at)]);
}

void ElementMatrices::integrate_curved(const Cell& cell, int lane) {
  const int num_points = int(table_->points.size());
  for (int q = 0; q < num_points; ++q) {
    const Vec3<double> point = table_->points[std::size_t(q)];
    const auto map = piola_map(jacobian(cell.geometry, point));
    if (cell.stretching != nullptr) {
      const Mat3<Complex> F = cell.stretching->gradient(map_point(cell.geometry, point));
      apply_material(mass_, map, stretched(F, *cell.epsilon_r), q);
      apply_material(stiffness_, map, stretched_inverse(F, *cell.inverse_mu_r), q);
    } else {
      apply_material(mass_, map, *cell.epsilon_r, q);
      apply_material(stiffness_, map, *cell.inverse_mu_r, q);
    }
  }
  for (Term* term : {&mass_, &stiffness_}) {
    const Coefficient& c = term->is_mass ? *cell.epsilon_r : *cell.inverse_mu_r;
    const bool is_scalar = c.is_scalar && cell.stretching == nullptr;
    const bool has_im = cell.stretching != nullptr || (!c.is_scalar && !c.is_real());
    double* re = &term->re[std::size_t(lane) * term->size];
    double* im = &term->im[std::size_t(lane) * term->size];
    multiply_tables(term->n, term->stride, 3 * num_points, term->table, term->product_re.data(), re);
    if (has_im)
      multiply_tables(term->n, term->stride, 3 * num_points, term->table, term->product_im.data(), im);
    if (c.is_symmetric()) {
      mirror(term->n, re);
      if (has_im) mirror(term->n, im);
    }
    term->results[lane] = {is_scalar ? c.scalar : 1.0, re, has_im ? im : nullptr};
  }
}

void ElementMatrices::compute(const Cell* cells, int count) {
  bool any_straight = false;
  for (int lane = 0; lane < lanes; ++lane) {
    const bool straight = lane < count && !cells[lane].curved;
    any_straight = any_straight || straight;
    if (!straight) {
      for (Term* term : {&mass_, &stiffness_}) {
        term->results[lane].im = nullptr;
        std::fill_n(term->coefficients_re[lane], num_terms, 0.0);
        std::fill_n(term->coefficients_im[lane], num_terms, 0.0);
      }
      continue;
    }
    const auto map = piola_map(jacobian(cells[lane].geometry, {0.25, 0.25, 0.25}));
    prepare_straight(mass_, *cells[lane].epsilon_r, lane, map);
    prepare_straight(stiffness_, *cells[lane].inverse_mu_r, lane, map);
  }
  if (any_straight) contract(mass_), contract(stiffness_);
  for (int lane = 0; lane < count; ++lane) {
    if (cells[lane].curved) integrate_curved(cells[lane], lane);
  }
}

}  // namespace curlew::fem
