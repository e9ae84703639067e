// SPDX-License-Identifier: BSD-3-Clause
// The blocked factorisation follows Kurzak and Dongarra (2007), LNCS 4699: while the tensor cores update the
// trailing matrix, the next panel is factored at the same time.
#include "base/cuda_event.hpp"
#include "linalg/dense/device_single_lu.cuh"

namespace curlew::linalg {
namespace {

/// Limited by memory at 24 bytes per entry.
__global__ void to_single(const Z* a, Offset n, C* out) {
  const Offset stride = Offset(gridDim.x) * blockDim.x;
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = {float(a[i].re), float(a[i].im)};
}

/// out = column/norm in single precision; a zero column stays zero.
__global__ void scale_down(const Z* b, Offset n, const double* squares, C* out) {
  const double square = squares[blockIdx.y], factor = square > 0 ? rsqrt(square) : 0;
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += Offset(gridDim.x) * blockDim.x) {
    const Z v = b[Offset(blockIdx.y) * n + i];
    out[Offset(blockIdx.y) * n + i] = {float(factor * v.re), float(factor * v.im)};
  }
}
/// x = norm v or x += norm v.
__global__ void scale_up(const C* v, Offset n, const double* squares, bool add, Z* x) {
  const double factor = ::sqrt(squares[blockIdx.y]);
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += Offset(gridDim.x) * blockDim.x) {
    const Offset k = Offset(blockIdx.y) * n + i;
    const Z value(factor * v[k].re, factor * v[k].im);
    x[k] = add ? x[k] + value : value;
  }
}

/// One thread: pivots of a panel become global row numbers, and map[i] is the row that moves to row i.
__global__ void permutation_of(int* pivots, int first, int count, int* map) {
  for (int i = 0; i < count; ++i) {
    const int p = pivots[i] + first;  // from 1 within the panel to 1 in the matrix
    pivots[i] = p;
    const int keep = map[first + i];
    map[first + i] = map[p - 1];
    map[p - 1] = keep;
  }
}
/// Exchanges rows of the columns outside [skip, skip + count); one column per block at a time, one pivot per
/// thread.
__global__ void permute_rows(C* a, Offset n, const int* pivots, int first, int count, const int* map,
                             int columns) {
  const int t = threadIdx.x, place = first + t, other = t < count ? pivots[t] - 1 : 0;
  for (int j = blockIdx.x; j < columns; j += gridDim.x) {
    C* column = a + Offset(j < first ? j : j + count) * n;
    C upper, lower;
    if (t < count) upper = column[map[place]], lower = column[map[other]];
    __syncthreads();
    if (t < count) {
      column[place] = upper;
      if (other >= first + count) column[other] = lower;
    }
    __syncthreads();
  }
}
__global__ void reset_map(const int* pivots, int first, int count, int* map) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < count) map[first + t] = first + t, map[pivots[t] - 1] = pivots[t] - 1;
}
__global__ void number_rows(int* map, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) map[i] = i;
}

constexpr int panel_width = 512;

}  // namespace

SingleLu::SingleLu(DenseHandles& handles, Offset n, int num_rhs)
    : handles_(handles),
      n_(n),
      factors_(std::size_t(n) * std::size_t(n)),
      right_(std::size_t(n) * std::size_t(num_rhs)),
      pivots_(std::size_t(n)),
      info_(1),
      map_(std::size_t(n)),
      sums_(std::size_t(num_rhs)) {
  int length = 0;
  check(cusolverDnCgetrf_bufferSize(handles_.solver, int(n), int(n), cu(factors_.data()), int(n), &length),
        "cgetrf_bufferSize");
  work_ = cuda::Buffer<C>(std::size_t(length));
}

bool SingleLu::is_sound() const {
  int first_zero_pivot = 0;
  info_.download(&first_zero_pivot);
  return first_zero_pivot == 0;
}

bool SingleLu::factor(const Z* a, bool tensor) {
  to_single<<<grid_of(n_ * n_, 256), 256>>>(a, n_ * n_, factors_.data());
  CURLEW_CHECK_LAUNCH("to_single");
  if (tensor) return factor_blocked();
  check(cusolverDnSetStream(handles_.solver, nullptr), "set stream");
  check(cusolverDnCgetrf(handles_.solver, int(n_), int(n_), cu(factors_.data()), int(n_), cu(work_.data()),
                         pivots_.data(), info_.data()),
        "cgetrf");
  return is_sound();
}

void SingleLu::factor_panel(int k, int width) {
  check(cusolverDnCgetrf(handles_.solver, int(n_) - k, width, cu(at(k, k)), int(n_), cu(work_.data()),
                         pivots_.data() + k, info_.data()),
        "cgetrf");
  permutation_of<<<1, 1, 0, panel_stream_.get()>>>(pivots_.data() + k, k, width, map_.data());
  CURLEW_CHECK_LAUNCH("permutation_of");
}

/// Trailing columns [from, to) -= L21 U12 of the panel at k.
void SingleLu::update(int k, int width, int from, int to) {
  const int rows = int(n_) - k - width;
  if (to <= from || rows <= 0) return;
  const cuComplex minus{-1, 0}, one{1, 0};
  check(
      cublasGemmEx(handles_.blas, CUBLAS_OP_N, CUBLAS_OP_N, rows, to - from, width, &minus, at(k + width, k),
                   CUDA_C_32F, int(n_), at(k, from), CUDA_C_32F, int(n_), &one, at(k + width, from),
                   CUDA_C_32F, int(n_), CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT),
      "gemm");
}

bool SingleLu::factor_blocked() {
  cuda::Event panel_done, columns_ready;
  number_rows<<<int((n_ + 255) / 256), 256>>>(map_.data(), int(n_));
  CURLEW_CHECK_LAUNCH("number_rows");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  check(cublasSetStream(handles_.blas, main_stream_.get()), "set stream");
  check(cusolverDnSetStream(handles_.solver, panel_stream_.get()), "set stream");
  const int size = int(n_);
  factor_panel(0, std::min(panel_width, size));
  panel_done.after(panel_stream_.get());
  for (int k = 0; k < size; k += panel_width) {
    const int width = std::min(panel_width, size - k), next = k + width,
              after = std::min(next + panel_width, size);
    panel_done.before(main_stream_.get());
    if (size > width) {
      permute_rows<<<std::min(size - width, 132 * 4), panel_width, 0, main_stream_.get()>>>(
          factors_.data(), n_, pivots_.data() + k, k, width, map_.data(), size - width);
      CURLEW_CHECK_LAUNCH("permute_rows");
    }
    reset_map<<<(width + 127) / 128, 128, 0, main_stream_.get()>>>(pivots_.data() + k, k, width, map_.data());
    CURLEW_CHECK_LAUNCH("reset_map");
    if (next >= size) break;
    const cuComplex one{1, 0};
    check(cublasCtrsm(handles_.blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT,
                      width, size - next, &one, cu(at(k, k)), size, cu(at(k, next)), size),
          "trsm");
    update(k, width, next, after);
    columns_ready.after(main_stream_.get());
    columns_ready.before(panel_stream_.get());
    factor_panel(next, after - next);
    panel_done.after(panel_stream_.get());
    update(k, width, after, size);
  }
  CURLEW_CUDA_CALL(cudaStreamSynchronize(panel_stream_.get()));
  CURLEW_CUDA_CALL(cudaStreamSynchronize(main_stream_.get()));
  check(cublasSetStream(handles_.blas, nullptr), "set stream");
  check(cusolverDnSetStream(handles_.solver, nullptr), "set stream");
  return is_sound();
}

void SingleLu::solve(const Z* b, Z* x, int columns, bool add, cublasOperation_t op) {
  const dim3 grid(unsigned((n_ + 255) / 256), unsigned(columns));
  sum_columns(b, n_, columns, 2, sums_.data());
  scale_down<<<grid, 256>>>(b, n_, sums_.data(), right_.data());
  CURLEW_CHECK_LAUNCH("scale_down");
  check(cusolverDnCgetrs(handles_.solver, op, int(n_), columns, cu(factors_.data()), int(n_), pivots_.data(),
                         cu(right_.data()), int(n_), info_.data()),
        "cgetrs");
  scale_up<<<grid, 256>>>(right_.data(), n_, sums_.data(), add, x);
  CURLEW_CHECK_LAUNCH("scale_up");
}

}  // namespace curlew::linalg
