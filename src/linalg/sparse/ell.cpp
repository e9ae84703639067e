// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/ell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"
#include "linalg/sparse/row_order.hpp"

namespace curlew::linalg {
namespace {

bool is_sliced(EllKind kind) {
  return kind == EllKind::sliced_ell || kind == EllKind::sliced_ellr_t;
}
bool is_threaded(EllKind kind) {
  return kind == EllKind::ellr_t || kind == EllKind::sliced_ellr_t;
}

template <class I>
I round_up(I n, I multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

void check(const EllOptions& o) {
  const auto threads = unsigned(o.threads_per_row);
  if (o.threads_per_row < 1 || threads > 32 || !std::has_single_bit(threads)) {
    throw InputError(fmt::format("threads per row {}: must be 1, 2, 4, 8, 16 or 32", o.threads_per_row));
  }
  if (o.slice_height < 1) throw InputError(fmt::format("slice height {}: must be positive", o.slice_height));
  if (o.row_alignment < 1 || o.alignment < 1) throw InputError("alignment: must be positive");
  if (o.sort_window < -1)
    throw InputError(fmt::format("sort window {}: must be -1, 0 or more", o.sort_window));
}

/// Offsets of the slices: each is as wide as its longest row, rounded up to T entries.
template <class T>
void lay_out(Ell<T>& e, Index alignment) {
  const Index num_slices = Index(e.row_lengths.size()) / e.slice_height;
  e.slice_offsets.assign(1, 0);
  for (Index s = 0; s < num_slices; ++s) {
    const auto first = e.row_lengths.begin() + Offset(s) * e.slice_height;
    const Index longest = *std::max_element(first, first + e.slice_height);
    const Offset width = round_up(longest, Index(e.threads_per_row));
    e.slice_offsets.push_back(round_up(e.slice_offsets.back() + width * e.slice_height, Offset(alignment)));
  }
}

template <class T>
Offset position_of(const Ell<T>& e, Index p, Index k) {
  const Index s = p / e.slice_height, r = p % e.slice_height, t = e.threads_per_row;
  return e.slice_offsets[s] + Offset(k / t) * e.slice_height * t + Offset(r) * t + k % t;
}

}  // namespace

const char* name_of(EllKind kind) {
  switch (kind) {
    case EllKind::ell_r:
      return "ELL-R";
    case EllKind::sliced_ell:
      return "Sliced ELL";
    case EllKind::ellr_t:
      return "ELLR-T";
    default:
      return "Sliced ELLR-T";
  }
}

template <class T>
Ell<T> to_ell(const Csr<T>& a, const EllOptions& options) {
  check(options);
  Ell<T> e;
  e.num_rows = a.num_rows, e.num_cols = a.num_cols, e.nnz = a.nnz();
  e.threads_per_row = is_threaded(options.kind) ? options.threads_per_row : 1;
  e.slice_height = is_sliced(options.kind) ? options.slice_height
                                           : std::max<Index>(round_up(a.num_rows, options.row_alignment), 1);
  if (options.sort_window != 0) e.row_of = rows_by_length(a.row_offsets, options.sort_window);

  e.row_lengths.assign(round_up(std::max<Index>(a.num_rows, 1), e.slice_height), 0);
  for (Index p = 0; p < a.num_rows; ++p) {
    const Index row = e.row_of.empty() ? p : e.row_of[p];
    e.row_lengths[p] = Index(a.row_offsets[row + 1] - a.row_offsets[row]);
  }
  lay_out(e, Index(options.alignment));
  e.columns.assign(e.slice_offsets.back(), 0);
  e.values.assign(e.slice_offsets.back(), T(0));
#pragma omp parallel for schedule(static)
  for (Index p = 0; p < a.num_rows; ++p) {
    const Index row = e.row_of.empty() ? p : e.row_of[p];
    for (Index k = 0; k < e.row_lengths[p]; ++k) {
      const Offset to = position_of(e, p, k), from = a.row_offsets[row] + k;
      e.columns[to] = a.columns[from];
      e.values[to] = a.values[from];
    }
  }
  return e;
}

template <class T>
Csr<T> to_csr(const Ell<T>& e) {
  Csr<T> a;
  a.num_rows = e.num_rows, a.num_cols = e.num_cols;
  a.row_offsets.assign(e.num_rows + 1, 0);
  for (Index p = 0; p < e.num_rows; ++p) {
    a.row_offsets[(e.row_of.empty() ? p : e.row_of[p]) + 1] = e.row_lengths[p];
  }
  std::partial_sum(a.row_offsets.begin(), a.row_offsets.end(), a.row_offsets.begin());
  a.columns.resize(a.nnz());
  a.values.resize(a.nnz());
  for (Index p = 0; p < e.num_rows; ++p) {
    const Offset to = a.row_offsets[e.row_of.empty() ? p : e.row_of[p]];
    for (Index k = 0; k < e.row_lengths[p]; ++k) {
      const Offset from = position_of(e, p, k);
      a.columns[to + k] = e.columns[from];
      a.values[to + k] = e.values[from];
    }
  }
  return a;
}

template Ell<Complex> to_ell(const Csr<Complex>&, const EllOptions&);
template Ell<ComplexF> to_ell(const Csr<ComplexF>&, const EllOptions&);
template Csr<Complex> to_csr(const Ell<Complex>&);
template Csr<ComplexF> to_csr(const Ell<ComplexF>&);

}  // namespace curlew::linalg
