// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/matrix_sum.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

#include "base/huge_pages.hpp"
#include "linalg/csr_product.hpp"
#include "linalg/direct/term_product.hpp"

namespace curlew::linalg {
namespace {

constexpr Offset whole_from = 4;           // a term with fewer than 1/4 of the entries is stored as a list
constexpr Offset entries_together = 1024;  // they stay in the L1 cache while all terms are added

struct Count {
  Offset entries = 0;
  bool is_real = true;
};

Count count_nonzeros(const std::vector<Complex>& values) {
  Offset entries = 0;
  bool is_real = true;
#pragma omp parallel for schedule(static) reduction(+ : entries) reduction(&& : is_real)
  for (const Complex& value : values) {
    if (value != 0.0) ++entries;
    is_real = is_real && value.imag() == 0;
  }
  return {entries, is_real};
}

MatrixTerm whole_term(const std::vector<Complex>& values, bool is_real) {
  MatrixTerm term;
  term.re = huge_vector<double>(values.size());
  if (!is_real) term.im = huge_vector<double>(values.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < values.size(); ++k) {
    term.re[k] = values[k].real();
    if (!is_real) term.im[k] = values[k].imag();
  }
  return term;
}

MatrixTerm list_term(const Csr<Complex>& a, const Csr<Complex>& t, bool is_real) {
  MatrixTerm term;
  term.has_all_places = false;
  for (std::size_t i = 0; i < std::size_t(t.num_rows); ++i) {
    const Offset shift = a.row_offsets[i] - t.row_offsets[i];
    for (Offset k = t.row_offsets[i]; k < t.row_offsets[i + 1]; ++k) {
      const Complex value = t.values[std::size_t(k)];
      if (value == 0.0) continue;
      term.places.push_back(k + shift);
      term.re.push_back(value.real());
      if (!is_real) term.im.push_back(value.imag());
    }
  }
  return term;
}

/// values[k] += g (re[k] + j im[k]) @param im null: zeros
void add_entries(Complex g, const double* re, const double* im, Offset n, Complex* values) {
  auto* out = reinterpret_cast<double*>(values);
  const double a = g.real(), b = g.imag();
  if (im == nullptr) {
    for (Offset k = 0; k < n; ++k) out[2 * k] += a * re[k], out[2 * k + 1] += b * re[k];
  } else {
    for (Offset k = 0; k < n; ++k)
      out[2 * k] += a * re[k] - b * im[k], out[2 * k + 1] += a * im[k] + b * re[k];
  }
}

}  // namespace

MatrixSum::MatrixSum(Csr<Complex>& a) : a_(a) {
  static std::atomic<std::uint64_t> made{0};
  number_ = ++made;
}

void MatrixSum::add_term(const Csr<Complex>& t) {
  const Count count = count_nonzeros(t.values);
  const bool is_whole = t.nnz() == a_.nnz() && count.entries * whole_from > a_.nnz();
  terms_.push_back(is_whole ? whole_term(t.values, count.is_real) : list_term(a_, t, count.is_real));
}

void MatrixSum::set_factors(std::vector<Complex> factors) {
  assert(factors.size() == terms_.size());
  factors_ = std::move(factors);
  is_added_ = false;
}

const Csr<Complex>& MatrixSum::matrix() const {
  if (std::exchange(is_added_, true)) return a_;
  Complex* values = a_.values.data();
  const Offset n = a_.nnz();
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (Offset first = 0; first < n; first += entries_together) {
      const Offset count = std::min(entries_together, n - first);
      std::fill_n(values + first, count, Complex(0));
      for (std::size_t t = 0; t < terms_.size(); ++t) {
        const MatrixTerm& term = terms_[t];
        if (!term.has_all_places) continue;
        const double* im = term.im.empty() ? nullptr : term.im.data() + first;
        add_entries(factors_[t], term.re.data() + first, im, count, values + first);
      }
    }
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const MatrixTerm& term = terms_[t];
#pragma omp for schedule(static)
      for (std::size_t k = 0; k < term.places.size(); ++k)
        add_entries(factors_[t], &term.re[k], term.im.empty() ? nullptr : &term.im[k], 1,
                    values + term.places[k]);
    }
  }
  return a_;
}

void multiply(const MatrixSum& sum, const MatrixTerm& term, const std::vector<double>& part, const double* x,
              double* y, Index n) {
  const Csr<Complex>& a = sum.pattern();
  if (term.has_all_places) return multiply(a, part.data(), x, y, n);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < n; ++c) {
    const double* from = x + Offset(c) * a.num_cols;
    double* to = y + Offset(c) * a.num_rows;
    std::fill_n(to, a.num_rows, 0.0);
    std::size_t row = 0;
    for (std::size_t k = 0; k < term.places.size(); ++k) {
      const Offset place = term.places[k];
      while (a.row_offsets[row + 1] <= place) ++row;
      to[row] += part[k] * from[a.columns[std::size_t(place)]];
    }
  }
}

}  // namespace curlew::linalg
