// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/csr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "linalg/csr_product.hpp"
#include "linalg/csr_rows.hpp"

namespace curlew::linalg {
namespace {

template <class T>
bool is_finite(T value) {
  return std::isfinite(value);
}
template <class T>
bool is_finite(std::complex<T> value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

/// Turns the counts of rows, stored at index row + 1, into offsets of rows.
void accumulate_counts(std::vector<Offset>& offsets) {
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
}

/// Sorts every row by column and sums entries of equal row and column.
template <class T>
void sort_and_merge_rows(Csr<T>& a) {
  std::vector<RowEntry<T>> row;
  Offset out = 0;
  for (Index i = 0; i < a.num_rows; ++i) {
    const Offset begin = a.row_offsets[i], end = a.row_offsets[i + 1];
    row.clear();
    for (Offset k = begin; k < end; ++k) row.emplace_back(a.columns[k], a.values[k]);
    sort_and_merge(row);
    a.row_offsets[i] = out;
    for (const auto& [column, value] : row) {
      a.columns[out] = column;
      a.values[out++] = value;
    }
  }
  a.row_offsets[a.num_rows] = out;
  a.columns.resize(out);
  a.values.resize(out);
}

}  // namespace

template <class T>
Csr<T> to_csr(const Coo<T>& coo) {
  Csr<T> a{coo.num_rows, coo.num_cols, std::vector<Offset>(std::size_t(coo.num_rows) + 1, 0), {}, {}};
  for (std::size_t k = 0; k < coo.rows.size(); ++k) {
    if (coo.rows[k] < 0 || coo.rows[k] >= coo.num_rows || coo.columns[k] < 0 ||
        coo.columns[k] >= coo.num_cols)
      throw InputError(fmt::format("entry {}: row {}, column {} is outside the {} x {} matrix", k,
                                   coo.rows[k], coo.columns[k], coo.num_rows, coo.num_cols));
    ++a.row_offsets[coo.rows[k] + 1];
  }
  accumulate_counts(a.row_offsets);
  std::vector<Offset> next(a.row_offsets.begin(), a.row_offsets.end() - 1);
  a.columns.resize(coo.rows.size());
  a.values.resize(coo.rows.size());
  for (std::size_t k = 0; k < coo.rows.size(); ++k) {
    const Offset out = next[coo.rows[k]]++;
    a.columns[out] = coo.columns[k];
    a.values[out] = coo.values[k];
  }
  sort_and_merge_rows(a);
  return a;
}

template <class T>
Csr<T> identity(Index n) {
  Csr<T> a{n, n, std::vector<Offset>(n + 1), std::vector<Index>(n), std::vector<T>(n, T(1))};
  std::iota(a.row_offsets.begin(), a.row_offsets.end(), Offset(0));
  std::iota(a.columns.begin(), a.columns.end(), Index(0));
  return a;
}

template <class T>
void check_structure(const Csr<T>& a, const char* what) {
  if (a.num_rows < 0 || a.num_cols < 0 || a.row_offsets.size() != std::size_t(a.num_rows) + 1 ||
      a.row_offsets.front() != 0 || !std::is_sorted(a.row_offsets.begin(), a.row_offsets.end()))
    throw InputError(fmt::format("{}: row offsets must be {} numbers that ascend from 0", what,
                                 std::size_t(a.num_rows) + 1));
  if (a.columns.size() != std::size_t(a.nnz()) || a.values.size() != std::size_t(a.nnz()))
    throw InputError(fmt::format("{}: {} columns and {} values for {} nonzeros", what, a.columns.size(),
                                 a.values.size(), a.nnz()));
  for (Index i = 0; i < a.num_rows; ++i) {
    Index last = -1;
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; last = a.columns[k++]) {
      if (a.columns[k] <= last || a.columns[k] >= a.num_cols)
        throw InputError(fmt::format("{}: column {} of row {} does not ascend or is not below {}", what,
                                     a.columns[k], i, a.num_cols));
    }
  }
}

template <class T>
void check_finite(const Csr<T>& a, const char* what) {
  bool all = true;
#pragma omp parallel for schedule(static) reduction(&& : all)
  for (Offset k = 0; k < a.nnz(); ++k) all = all && is_finite(a.values[k]);
  if (all) return;
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (!is_finite(a.values[k]))
        throw NumericalError(
            fmt::format("{}: the entry in row {}, column {} is not a finite number", what, i, a.columns[k]));
    }
  }
}

template <class T>
std::uint64_t pattern_hash(const Csr<T>& a) {
  const auto mix = [](std::uint64_t hash, std::uint64_t value) {
    return (hash ^ (value + 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull + (hash >> 29);
  };
  // Fixed blocks of rows: threads share the work, and the result does not depend on their number.
  constexpr Index rows_of_block = 1024;
  const Index blocks = (a.num_rows + rows_of_block - 1) / rows_of_block;
  std::vector<std::uint64_t> hashes(std::size_t(blocks), 0);
#pragma omp parallel for schedule(static)
  for (Index b = 0; b < blocks; ++b) {
    const Index begin = b * rows_of_block, end = std::min(a.num_rows, begin + rows_of_block);
    std::uint64_t hash = 0;
    for (Index i = begin; i < end; ++i) hash = mix(hash, std::uint64_t(a.row_offsets[i + 1]));
    for (Offset k = a.row_offsets[begin]; k < a.row_offsets[end]; ++k)
      hash = mix(hash, std::uint64_t(a.columns[k]));
    hashes[b] = hash;
  }
  std::uint64_t hash = mix(mix(0, std::uint64_t(a.num_rows)), std::uint64_t(a.num_cols));
  for (const std::uint64_t of_block : hashes) hash = mix(hash, of_block);
  return hash;
}

template <class T>
Csr<T> transpose(const Csr<T>& a) {
  Csr<T> t{a.num_cols, a.num_rows, std::vector<Offset>(a.num_cols + 1, 0), {}, {}};
  for (const Index j : a.columns) ++t.row_offsets[j + 1];
  accumulate_counts(t.row_offsets);
  std::vector<Offset> next(t.row_offsets.begin(), t.row_offsets.end() - 1);
  t.columns.resize(a.nnz());
  t.values.resize(a.nnz());
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const Offset out = next[a.columns[k]]++;
      t.columns[out] = i;
      t.values[out] = a.values[k];
    }
  }
  return t;
}

template <class T>
Csr<T> add(T alpha, const Csr<T>& a, T beta, const Csr<T>& b) {
  if (a.num_rows != b.num_rows || a.num_cols != b.num_cols)
    throw InputError(
        fmt::format("sum of a {} x {} and a {} x {} matrix", a.num_rows, a.num_cols, b.num_rows, b.num_cols));
  Csr<T> c{a.num_rows, a.num_cols, {}, {}, {}};
  if (a.row_offsets == b.row_offsets && a.columns == b.columns) {  // one pattern: the usual case, threaded
    c.row_offsets = a.row_offsets;
    c.columns = a.columns;
    c.values.resize(a.nnz());
#pragma omp parallel for
    for (Offset k = 0; k < a.nnz(); ++k) c.values[k] = alpha * a.values[k] + beta * b.values[k];
    return c;
  }
  c.row_offsets.assign(std::size_t(a.num_rows) + 1, 0);
  c.columns.reserve(std::max(a.nnz(), b.nnz()));
  c.values.reserve(std::max(a.nnz(), b.nnz()));
  for (Index i = 0; i < a.num_rows; ++i) {
    Offset p = a.row_offsets[i], q = b.row_offsets[i];
    while (p < a.row_offsets[i + 1] || q < b.row_offsets[i + 1]) {
      const Index ja = p < a.row_offsets[i + 1] ? a.columns[p] : a.num_cols;
      const Index jb = q < b.row_offsets[i + 1] ? b.columns[q] : a.num_cols;
      T value = 0;
      if (ja <= jb) value += alpha * a.values[p++];
      if (jb <= ja) value += beta * b.values[q++];
      c.columns.push_back(std::min(ja, jb));
      c.values.push_back(value);
    }
    c.row_offsets[i + 1] = Offset(c.columns.size());
  }
  return c;
}

namespace {

template <class P, class T>
void multiply_one(const Csr<P>& a, const T* values, const T* x, T* y) {
  // There may be thousands of small ones (modes of a port): waking threads would take longer than the
  // product.
#pragma omp parallel for schedule(static) if (a.row_offsets[a.num_rows] > 20000)
  for (Index i = 0; i < a.num_rows; ++i) {
    T sum = 0;
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) sum += values[k] * x[a.columns[k]];
    y[i] = sum;
  }
}

/// w columns at once: the matrix, which is most of the bytes, is read once for all of them.
template <Index w, class P, class T>
void multiply_block(const Csr<P>& a, const T* values, const T* x, T* y, std::vector<T>& packed) {
  if (packed.size() < std::size_t(a.num_cols) * w) resize_huge(packed, std::size_t(a.num_cols) * w);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (Index j = 0; j < a.num_cols; ++j)
      for (Index c = 0; c < w; ++c) packed[std::size_t(j) * w + c] = x[Offset(c) * a.num_cols + j];
#pragma omp for schedule(static)
    for (Index i = 0; i < a.num_rows; ++i) {
      T sum[w] = {};
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
        const T value = values[k];
        const T* at = &packed[std::size_t(a.columns[k]) * w];
        for (Index c = 0; c < w; ++c) sum[c] += value * at[c];
      }
      for (Index c = 0; c < w; ++c) y[Offset(c) * a.num_rows + i] = sum[c];
    }
  }
}

}  // namespace

template <class T>
void multiply(const Csr<T>& a, const T* x, T* y) {
  multiply_one(a, a.values.data(), x, y);
}

template <class T>
void multiply(const Csr<T>& a, const T* x, T* y, Index n) {
  multiply(a, a.values.data(), x, y, n);
}

template <class P, class T>
void multiply(const Csr<P>& a, const T* values, const T* x, T* y, Index n) {
  std::vector<T> packed;
  Index c = 0;
  const auto take = [&]<Index w>(std::integral_constant<Index, w>) {
    for (; c + w <= n; c += w)
      multiply_block<w>(a, values, x + Offset(c) * a.num_cols, y + Offset(c) * a.num_rows, packed);
  };
  take(std::integral_constant<Index, 8>{});
  take(std::integral_constant<Index, 4>{});
  take(std::integral_constant<Index, 2>{});
  if (c < n) multiply_one(a, values, x + Offset(c) * a.num_cols, y + Offset(c) * a.num_rows);
}

Csr<double> real_part(const Csr<Complex>& a) {
  Csr<double> b{a.num_rows, a.num_cols, a.row_offsets, a.columns, std::vector<double>(a.values.size())};
  std::transform(a.values.begin(), a.values.end(), b.values.begin(), [](Complex v) { return v.real(); });
  return b;
}

bool is_real(const Csr<Complex>& a) {
  return std::all_of(a.values.begin(), a.values.end(), [](Complex v) { return v.imag() == 0; });
}

template <class T>
double relative_residual(const Csr<T>& a, const T* x, const T* b, Index n) {
  std::vector<T> ax(a.num_rows);
  double worst = 0;
  for (Index c = 0; c < n; ++c) {
    multiply(a, x + Offset(c) * a.num_cols, ax.data());
    const T* rhs = b + Offset(c) * a.num_rows;
    double difference = 0, size = 0;
    for (Index i = 0; i < a.num_rows; ++i) {
      difference += double(std::norm(rhs[i] - ax[i]));
      size += double(std::norm(rhs[i]));
    }
    const double relative = std::sqrt(size > 0 ? difference / size : difference);
    worst = std::isnan(relative) ? relative : std::max(worst, relative);
    if (std::isnan(worst)) break;
  }
  return worst;
}

#define CURLEW_INSTANTIATE_CSR(T)                             \
  template Csr<T> to_csr(const Coo<T>&);                      \
  template Csr<T> identity(Index);                            \
  template void check_structure(const Csr<T>&, const char*);  \
  template void check_finite(const Csr<T>&, const char*);     \
  template std::uint64_t pattern_hash(const Csr<T>&);         \
  template Csr<T> transpose(const Csr<T>&);                   \
  template Csr<T> add(T, const Csr<T>&, T, const Csr<T>&);    \
  template void multiply(const Csr<T>&, const T*, T*);        \
  template void multiply(const Csr<T>&, const T*, T*, Index); \
  template double relative_residual(const Csr<T>&, const T*, const T*, Index);
CURLEW_INSTANTIATE_CSR(Complex)
CURLEW_INSTANTIATE_CSR(ComplexF)
CURLEW_INSTANTIATE_CSR(double)
CURLEW_INSTANTIATE_CSR(float)
template void multiply(const Csr<Complex>&, const double*, const double*, double*, Index);

}  // namespace curlew::linalg
