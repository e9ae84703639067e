// SPDX-License-Identifier: BSD-3-Clause
// LU on the GPU. The blocked factorisation in single precision follows Kurzak and Dongarra (2007), LNCS 4699:
// while the tensor cores update the trailing matrix, the next panel is factored beside it. Refinement: Carson
// and Higham (2018), SIAM J. Sci. Comput. 40, A817 (GMRES with the factors as preconditioner where plain
// refinement stalls).
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/cuda_event.hpp"
#include "base/error.hpp"
#include "base/timer.hpp"
#include "linalg/dense/condition.hpp"
#include "linalg/dense/device_lu.hpp"

namespace curlew::linalg {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw NumericalError(std::string("cuBLAS: ") + what + " failed with status " +
                         std::to_string(int(status)));
}
void check(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw NumericalError(std::string("cuSOLVER: ") + what + " failed with status " +
                         std::to_string(int(status)));
}

using Z = complex<double>;
using C = complex<float>;
cuDoubleComplex* cu(Z* p) {
  return reinterpret_cast<cuDoubleComplex*>(p);
}
const cuDoubleComplex* cu(const Z* p) {
  return reinterpret_cast<const cuDoubleComplex*>(p);
}
cuComplex* cu(C* p) {
  return reinterpret_cast<cuComplex*>(p);
}

int grid_of(Offset n, int threads) {
  return int(std::min<Offset>((n + threads - 1) / threads, 132 * 64));
}

/// 24 bytes per entry, bound by them.
__global__ void to_single(const Z* a, Offset n, C* out) {
  const Offset stride = Offset(gridDim.x) * blockDim.x;
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = {float(a[i].re), float(a[i].im)};
}

/// Sums over a block; the result is in thread 0.
__device__ double block_sum(double v) {
  __shared__ double part[8];
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < 8 ? part[threadIdx.x] : 0;
  for (int step = 4; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  __syncthreads();
  return v;
}

/// One block of 256 per column: sum of moduli (power 1) or of their squares (power 2).
__global__ __launch_bounds__(256) void column_sums(const Z* a, Offset n, int power, double* sums) {
  const Z* column = a + Offset(blockIdx.x) * n;
  double sum = 0;
  for (Offset i = threadIdx.x; i < n; i += blockDim.x) {
    const double square = norm2(column[i]);
    sum += power == 1 ? ::sqrt(square) : square;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// out = column/norm in single precision; a zero column stays zero.
__global__ void scale_down(const Z* b, Offset n, const double* squares, C* out) {
  const double square = squares[blockIdx.y], factor = square > 0 ? rsqrt(square) : 0;
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += Offset(gridDim.x) * blockDim.x) {
    const Z v = b[Offset(blockIdx.y) * n + i];
    out[Offset(blockIdx.y) * n + i] = {float(factor * v.re), float(factor * v.im)};
  }
}
/// x = norm v, added to what is there or not.
__global__ void scale_up(const C* v, Offset n, const double* squares, bool add, Z* x) {
  const double factor = ::sqrt(squares[blockIdx.y]);
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += Offset(gridDim.x) * blockDim.x) {
    const Offset k = Offset(blockIdx.y) * n + i;
    const Z value(factor * v[k].re, factor * v[k].im);
    x[k] = add ? x[k] + value : value;
  }
}

/// One thread: pivots of a panel become global row numbers, and `map` says which row comes to which place.
__global__ void permutation_of(int* pivots, int first, int count, int* map) {
  for (int i = 0; i < count; ++i) {
    const int p = pivots[i] + first;  // from 1 within the panel to 1 in the matrix
    pivots[i] = p;
    const int keep = map[first + i];
    map[first + i] = map[p - 1];
    map[p - 1] = keep;
  }
}
/// Exchanges rows of the columns outside [skip, skip + count); a block takes a column at a time, a thread a
/// pivot.
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

/// Every (n/rows)-th row of a [n, columns] matrix.
__global__ void sample_rows(const Z* a, Offset n, int rows, Offset columns, Z* out) {
  const Offset stride = Offset(gridDim.x) * blockDim.x;
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns; i += stride) {
    out[i] = a[(i % rows) * n / rows + i / rows * n];
  }
}

constexpr int panel_width = 512;
constexpr int sampled_rows = 64;

}  // namespace

struct DeviceLu::State {
  Offset n;
  int num_rhs;
  LuPrecision precision;
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cudaStream_t panel_stream = nullptr, main_stream = nullptr;
  cuda::Buffer<int> pivots, info, map;
  cuda::Buffer<Z> work_z, right, trial;
  cuda::Buffer<C> work_c, single, rhs_c;
  cuda::Buffer<double> sums;

  /// Below tensor_from the panels bound both precisions alike, and refinement would only add to it.
  static bool is_mixed(Offset n, LuPrecision p) {
    return p == LuPrecision::mixed || (p == LuPrecision::automatic && n >= tensor_from);
  }
  bool mixed() const { return is_mixed(n, precision); }

  State(Offset size, int rhs, LuPrecision p) : n(size), num_rhs(rhs), precision(p) {
    check(cublasCreate(&blas), "create");
    check(cusolverDnCreate(&solver), "create");
    CURLEW_CUDA_CALL(cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking));
    int least = 0, greatest = 0;
    CURLEW_CUDA_CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CURLEW_CUDA_CALL(cudaStreamCreateWithPriority(&panel_stream, cudaStreamNonBlocking, greatest));
    const auto entries = std::size_t(n) * std::size_t(n), all = std::size_t(n) * std::size_t(num_rhs);
    pivots = cuda::Buffer<int>(std::size_t(n));
    map = cuda::Buffer<int>(std::size_t(n));
    info = cuda::Buffer<int>(1);
    sums = cuda::Buffer<double>(std::max(std::size_t(n), std::size_t(num_rhs)));
    right = cuda::Buffer<Z>(all);
    trial = cuda::Buffer<Z>(all);
    if (mixed()) {
      single = cuda::Buffer<C>(entries);
      rhs_c = cuda::Buffer<C>(all);
      int length = 0;
      check(cusolverDnCgetrf_bufferSize(solver, int(n), int(n), cu(single.data()), int(n), &length),
            "cgetrf_bufferSize");
      work_c = cuda::Buffer<C>(std::size_t(length));
    }
    if (!mixed()) take_double_workspace();
  }
  ~State() {
    cublasDestroy(blas);
    cusolverDnDestroy(solver);
    cudaStreamDestroy(main_stream);
    cudaStreamDestroy(panel_stream);
  }
  void take_double_workspace() {
    if (work_z.size() > 0) return;
    int length = 0;
    check(cusolverDnZgetrf_bufferSize(solver, int(n), int(n), nullptr, int(n), &length), "zgetrf_bufferSize");
    work_z = cuda::Buffer<Z>(std::size_t(length));
  }

  std::vector<double> column_norms(const Z* a, int columns, int power) {
    column_sums<<<columns, 256>>>(a, n, power, sums.data());
    CURLEW_CHECK_LAUNCH("column_sums");
    std::vector<double> host(static_cast<std::size_t>(columns));
    CURLEW_CUDA_CALL(cudaMemcpy(host.data(), sums.data(), host.size() * sizeof(double), cudaMemcpyDefault));
    return host;
  }
  double norm1(const Z* a) {
    double largest = 0;
    for (const double sum : column_norms(a, int(n), 1)) {
      if (!std::isfinite(sum)) throw NumericalError("the dense matrix holds values that are not finite");
      largest = std::max(largest, sum);
    }
    return largest;
  }
  int host_info() {
    int value = 0;
    info.download(&value);
    return value;
  }

  /// Factors of the copy in single precision. @returns false if a pivot is zero
  bool factor_single(const Z* a, bool tensor) {
    to_single<<<grid_of(n * n, 256), 256>>>(a, n * n, single.data());
    CURLEW_CHECK_LAUNCH("to_single");
    if (tensor) return factor_blocked();
    check(cusolverDnSetStream(solver, nullptr), "set stream");
    check(cusolverDnCgetrf(solver, int(n), int(n), cu(single.data()), int(n), cu(work_c.data()),
                           pivots.data(), info.data()),
          "cgetrf");
    return host_info() == 0;
  }

  void factor_panel(int k, int width) {
    check(cusolverDnCgetrf(solver, int(n) - k, width, cu(at(k, k)), int(n), cu(work_c.data()),
                           pivots.data() + k, info.data()),
          "cgetrf");
    permutation_of<<<1, 1, 0, panel_stream>>>(pivots.data() + k, k, width, map.data());
    CURLEW_CHECK_LAUNCH("permutation_of");
  }
  C* at(Offset i, Offset j) { return single.data() + i + j * n; }

  /// Trailing columns [from, to) -= L21 U12 of the panel at k.
  void update(int k, int width, int from, int to) {
    const int rows = int(n) - k - width;
    if (to <= from || rows <= 0) return;
    const cuComplex minus{-1, 0}, one{1, 0};
    check(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, rows, to - from, width, &minus, at(k + width, k),
                       CUDA_C_32F, int(n), at(k, from), CUDA_C_32F, int(n), &one, at(k + width, from),
                       CUDA_C_32F, int(n), CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT),
          "gemm");
  }

  bool factor_blocked() {
    cuda::Event panel_done, columns_ready;
    number_rows<<<int((n + 255) / 256), 256>>>(map.data(), int(n));
    CURLEW_CHECK_LAUNCH("number_rows");
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    check(cublasSetStream(blas, main_stream), "set stream");
    check(cusolverDnSetStream(solver, panel_stream), "set stream");
    const int size = int(n);
    factor_panel(0, std::min(panel_width, size));
    panel_done.after(panel_stream);
    for (int k = 0; k < size; k += panel_width) {
      const int width = std::min(panel_width, size - k), next = k + width,
                after = std::min(next + panel_width, size);
      panel_done.before(main_stream);
      if (size > width) {
        permute_rows<<<std::min(size - width, 132 * 4), panel_width, 0, main_stream>>>(
            single.data(), n, pivots.data() + k, k, width, map.data(), size - width);
        CURLEW_CHECK_LAUNCH("permute_rows");
      }
      reset_map<<<(width + 127) / 128, 128, 0, main_stream>>>(pivots.data() + k, k, width, map.data());
      CURLEW_CHECK_LAUNCH("reset_map");
      if (next >= size) break;
      const cuComplex one{1, 0};
      check(cublasCtrsm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, width,
                        size - next, &one, cu(at(k, k)), size, cu(at(k, next)), size),
            "trsm");
      update(k, width, next, after);
      columns_ready.after(main_stream);
      columns_ready.before(panel_stream);
      factor_panel(next, after - next);
      panel_done.after(panel_stream);
      update(k, width, after, size);
    }
    CURLEW_CUDA_CALL(cudaStreamSynchronize(panel_stream));
    CURLEW_CUDA_CALL(cudaStreamSynchronize(main_stream));
    check(cublasSetStream(blas, nullptr), "set stream");
    check(cusolverDnSetStream(solver, nullptr), "set stream");
    return host_info() == 0;
  }

  /// x (+)= A^-1 b by the single-precision factors, each column scaled to 1. x may be b.
  void solve_single(const Z* b, Z* x, int columns, bool add, cublasOperation_t op = CUBLAS_OP_N) {
    const dim3 grid(unsigned((n + 255) / 256), unsigned(columns));
    column_sums<<<columns, 256>>>(b, n, 2, sums.data());
    scale_down<<<grid, 256>>>(b, n, sums.data(), rhs_c.data());
    CURLEW_CHECK_LAUNCH("scale_down");
    check(cusolverDnCgetrs(solver, op, int(n), columns, cu(single.data()), int(n), pivots.data(),
                           cu(rhs_c.data()), int(n), info.data()),
          "cgetrs");
    scale_up<<<grid, 256>>>(rhs_c.data(), n, sums.data(), add, x);
    CURLEW_CHECK_LAUNCH("scale_up");
  }

  /// y = beta y + alpha A x
  void multiply(const Z* a, const Z* x, Z* y, int columns, double alpha, double beta) {
    const cuDoubleComplex al{alpha, 0}, be{beta, 0};
    const int size = int(n);
    if (columns == 1) {
      check(cublasZgemv(blas, CUBLAS_OP_N, size, size, &al, cu(a), size, cu(x), 1, &be, cu(y), 1), "gemv");
    } else {
      check(cublasZgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, size, columns, size, &al, cu(a), size, cu(x), size,
                        &be, cu(y), size),
            "gemm");
    }
  }

  /// trial = right - A x; the largest norm relative to that of `right`.
  double residual(const Z* a, const Z* x, int columns, const std::vector<double>& squares) {
    CURLEW_CUDA_CALL(cudaMemcpyAsync(trial.data(), right.data(),
                                     std::size_t(n) * std::size_t(columns) * sizeof(Z), cudaMemcpyDefault));
    multiply(a, x, trial.data(), columns, -1, 1);
    const auto rest = column_norms(trial.data(), columns, 2);
    double worst = 0;
    for (std::size_t c = 0; c < rest.size(); ++c) {
      const double ratio = squares[c] > 0 ? std::sqrt(rest[c] / squares[c]) : (rest[c] > 0 ? HUGE_VAL : 0);
      worst = std::isfinite(ratio) ? std::max(worst, ratio) : HUGE_VAL;
    }
    return worst;
  }

  /// Plain refinement of all columns of x. @returns whether refined_residual is reached; right holds b
  bool refine(const Z* a, Z* x, int columns, const std::vector<double>& squares, LuReport& report) {
    solve_single(right.data(), x, columns, false);
    double last = HUGE_VAL;
    for (int step = 0; step < 40; ++step) {
      const double now = residual(a, x, columns, squares);
      report.residual = now;
      if (now < 1e-14 || (now < refined_residual && now > 0.2 * last)) return true;
      if (now > 0.3 * last) return now <= refined_residual;
      last = now;
      solve_single(trial.data(), x, columns, true);
      report.refinements = step + 1;
    }
    return report.residual <= refined_residual;
  }

  Z dot(const Z* x, const Z* y) {
    Z value;
    check(cublasZdotc(blas, int(n), cu(x), 1, cu(y), 1, cu(&value)), "dotc");
    return value;
  }
  double norm(const Z* x) {
    double value = 0;
    check(cublasDznrm2(blas, int(n), cu(x), 1, &value), "nrm2");
    return value;
  }
  void axpy(Z alpha, const Z* x, Z* y) {
    check(cublasZaxpy(blas, int(n), cu(&alpha), cu(x), 1, cu(y), 1), "axpy");
  }

  /// Flexible GMRES for one column, the factors as right preconditioner; starts from the x there is.
  bool gmres(const Z* a, const Z* b, Z* x, LuReport& report) {
    constexpr int most = 40;
    const double size = norm(b);
    if (size == 0) return true;
    cuda::Buffer<Z> v(std::size_t(n) * (most + 1)), z(std::size_t(n) * most);
    for (int cycle = 0; cycle < 3; ++cycle) {
      Z* first = v.data();
      CURLEW_CUDA_CALL(cudaMemcpyAsync(first, b, std::size_t(n) * sizeof(Z), cudaMemcpyDefault));
      multiply(a, x, first, 1, -1, 1);
      const double beta = norm(first);
      report.residual = std::max(cycle == 0 ? 0.0 : report.residual, beta / size);
      if (beta <= 0.3 * refined_residual * size) return true;
      arnoldi(a, x, v.data(), z.data(), beta, 0.1 * refined_residual * size, most, report);
    }
    CURLEW_CUDA_CALL(cudaMemcpyAsync(v.data(), b, std::size_t(n) * sizeof(Z), cudaMemcpyDefault));
    multiply(a, x, v.data(), 1, -1, 1);
    return norm(v.data()) <= refined_residual * size;
  }
  void arnoldi(const Z* a, Z* x, Z* v, Z* z, double beta, double goal, int most, LuReport& report) {
    std::vector<Complex> h(std::size_t((most + 1) * most)), g(std::size_t(most + 1)),
        s(std::size_t(most), 0.0);
    std::vector<double> c(std::size_t(most), 0.0);
    const auto at_h = [&](int i, int j) -> Complex& { return h[std::size_t(j * (most + 1) + i)]; };
    g[0] = beta;
    scale(1 / beta, v);
    int count = 0;
    for (; count < most && std::abs(g[std::size_t(count)]) > goal; ++count) {
      Z *vj = v + count * n, *zj = z + count * n, *w = v + (count + 1) * n;
      solve_single(vj, zj, 1, false);
      multiply(a, zj, w, 1, 1, 0);
      for (int i = 0; i <= count; ++i) {
        const Z d = dot(v + i * n, w);
        at_h(i, count) = d;
        axpy(-d, v + i * n, w);
      }
      const double length = norm(w);
      if (length > 0) scale(1 / length, w);
      for (int i = 0; i < count; ++i)
        rotate(at_h(i, count), at_h(i + 1, count), c[std::size_t(i)], s[std::size_t(i)]);
      const Complex top = at_h(count, count);
      const double r = std::hypot(std::abs(top), length);
      const Complex phase = std::abs(top) > 0 ? top / std::abs(top) : 1.0;
      c[std::size_t(count)] = std::abs(top) / r;
      s[std::size_t(count)] = phase * length / r;
      at_h(count, count) = phase * r;
      g[std::size_t(count + 1)] = -std::conj(s[std::size_t(count)]) * g[std::size_t(count)];
      g[std::size_t(count)] *= c[std::size_t(count)];
      ++report.refinements;
    }
    for (int i = count - 1; i >= 0; --i) {
      for (int j = i + 1; j < count; ++j) g[std::size_t(i)] -= at_h(i, j) * g[std::size_t(j)];
      g[std::size_t(i)] /= at_h(i, i);
      axpy(g[std::size_t(i)], z + i * n, x);
    }
  }
  static void rotate(Complex& x, Complex& y, double c, Complex s) {
    const Complex t = c * x + s * y;
    y = -std::conj(s) * x + c * y;
    x = t;
  }
  void scale(double factor, Z* x) { check(cublasZdscal(blas, int(n), &factor, cu(x), 1), "dscal"); }

  /// Factors in single precision and refines. @returns false if refined_residual is not reached
  bool solve_mixed(const Z* a, Z* x, int columns, bool tensor, LuReport& report) {
    report.method = tensor ? "LU in single precision with TF32 products, refined in double"
                           : "LU in single precision, refined in double";
    report.refinements = 0;
    Timer timer;
    const bool sound = factor_single(a, tensor);
    report.factor_seconds += timer.seconds();
    if (!sound) return false;
    timer.restart();
    CURLEW_CUDA_CALL(
        cudaMemcpy(right.data(), x, std::size_t(n) * std::size_t(columns) * sizeof(Z), cudaMemcpyDefault));
    const auto squares = column_norms(right.data(), columns, 2);
    bool done = refine(a, x, columns, squares, report);
    if (!done && columns <= 8 && std::isfinite(report.residual)) {
      done = true;
      report.method += " by GMRES";
      for (int c = 0; c < columns && done; ++c) {
        // A start that refinement has led astray would cost digits: begin from the factors' own solution.
        solve_single(right.data() + c * n, x + c * n, 1, false);
        done = gmres(a, right.data() + c * n, x + c * n, report);
      }
      report.residual = residual(a, x, columns, squares);
    }
    if (!done)
      CURLEW_CUDA_CALL(
          cudaMemcpy(x, right.data(), std::size_t(n) * std::size_t(columns) * sizeof(Z), cudaMemcpyDefault));
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    report.solve_seconds += timer.seconds();
    return done;
  }

  double condition(double norm_of_a, bool single_factors, const Z* factors) {
    return norm_of_a * inverse_norm_estimate(n, [&](Complex* v, bool adjoint) {
             const auto op = adjoint ? CUBLAS_OP_C : CUBLAS_OP_N;
             CURLEW_CUDA_CALL(cudaMemcpy(trial.data(), v, std::size_t(n) * sizeof(Z), cudaMemcpyDefault));
             if (single_factors) {
               solve_single(trial.data(), trial.data(), 1, false, op);
             } else {
               check(cusolverDnZgetrs(solver, op, int(n), 1, cu(factors), int(n), pivots.data(),
                                      cu(trial.data()), int(n), info.data()),
                     "zgetrs");
             }
             CURLEW_CUDA_CALL(cudaMemcpy(v, trial.data(), std::size_t(n) * sizeof(Z), cudaMemcpyDefault));
           });
  }

  void solve_full(Z* a, Z* x, int columns, LuReport& report) {
    take_double_workspace();
    report.method = "LU in double precision";
    report.refinements = 0;
    // The factorisation overwrites the matrix; sampled rows are kept, and the residual is taken on them.
    const int rows = int(std::min<Offset>(n, sampled_rows));
    cuda::Buffer<Z> kept(std::size_t(rows) * std::size_t(n)), rest(std::size_t(rows) * std::size_t(columns));
    sample_rows<<<grid_of(Offset(rows) * n, 256), 256>>>(a, n, rows, n, kept.data());
    sample_rows<<<grid_of(Offset(rows) * columns, 256), 256>>>(x, n, rows, columns, rest.data());
    CURLEW_CHECK_LAUNCH("sample_rows");
    const auto squares = column_norms(x, columns, 2);
    Timer timer;
    check(cusolverDnZgetrf(solver, int(n), int(n), cu(a), int(n), cu(work_z.data()), pivots.data(),
                           info.data()),
          "zgetrf");
    const int bad = host_info();
    if (bad > 0)
      throw NumericalError("the matrix is singular: pivot " + std::to_string(bad) + " of " +
                           std::to_string(n) + " is zero");
    report.factor_seconds += timer.seconds();
    timer.restart();
    check(cusolverDnZgetrs(solver, CUBLAS_OP_N, int(n), columns, cu(a), int(n), pivots.data(), cu(x), int(n),
                           info.data()),
          "zgetrs");
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    report.solve_seconds += timer.seconds();
    const cuDoubleComplex minus{-1, 0}, one{1, 0};
    check(cublasZgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, int(n), &minus, cu(kept.data()), rows,
                      cu(x), int(n), &one, cu(rest.data()), rows),
          "gemm");
    const auto r = rest.to_host();
    report.residual = 0;
    for (std::size_t c = 0; c < squares.size(); ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < std::size_t(rows); ++i) sum += norm2(r[c * std::size_t(rows) + i]);
      if (squares[c] > 0)
        report.residual = std::max(report.residual, std::sqrt(sum * double(n) / rows / squares[c]));
    }
    if (!std::isfinite(report.residual))
      throw NumericalError("the solution of the dense system is not finite");
  }
};

DeviceLu::DeviceLu(Offset n, int num_rhs, LuPrecision precision)
    : state_(std::make_unique<State>(n, num_rhs, precision)) {}
DeviceLu::~DeviceLu() = default;

std::size_t DeviceLu::workspace_bytes(Offset n, int num_rhs, LuPrecision precision) {
  const auto entries = std::size_t(n) * std::size_t(n), all = std::size_t(n) * std::size_t(num_rhs);
  const std::size_t gmres = num_rhs <= 8 ? std::size_t(81 * n) * sizeof(Z) : 0;
  const std::size_t common = 2 * all * sizeof(Z) + (std::size_t(64) << 20);
  if (!State::is_mixed(n, precision)) return common + entries / 16 * sizeof(Z);
  return common + entries * sizeof(C) + all * sizeof(C) + gmres;
}

LuReport DeviceLu::solve(complex<double>* a, complex<double>* b, int num_rhs, bool with_condition) {
  State& s = *state_;
  if (num_rhs > s.num_rhs)
    throw InputError(std::to_string(num_rhs) + " right-hand sides, but room for " +
                     std::to_string(s.num_rhs));
  LuReport report;
  if (s.n == 0 || num_rhs == 0) return report;
  const double norm = s.norm1(a);
  if (s.mixed()) {
    const bool tensor = s.n >= tensor_from;
    if ((tensor && s.solve_mixed(a, b, num_rhs, true, report)) ||
        s.solve_mixed(a, b, num_rhs, false, report)) {
      if (with_condition) report.condition = s.condition(norm, true, nullptr);
      return report;
    }
    if (s.precision == LuPrecision::mixed) {
      throw NumericalError(
          "refinement from single precision does not converge: the matrix is too ill-conditioned");
    }
  }
  s.solve_full(a, b, num_rhs, report);
  if (with_condition) report.condition = s.condition(norm, false, a);
  return report;
}

}  // namespace curlew::linalg
