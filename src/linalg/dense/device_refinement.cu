// SPDX-License-Identifier: BSD-3-Clause
// Carson and Higham (2018), SIAM J. Sci. Comput. 40, A817: GMRES with the factors as preconditioner where
// plain refinement stalls.
#include <cmath>

#include "base/timer.hpp"
#include "linalg/dense/device_refinement.cuh"

namespace curlew::linalg {
namespace {

/// A Givens rotation of a column of the Hessenberg matrix.
void rotate(Complex& x, Complex& y, double c, Complex s) {
  const Complex t = c * x + s * y;
  y = -std::conj(s) * x + c * y;
  x = t;
}

}  // namespace

Refinement::Refinement(DenseHandles& handles, SingleLu& factors, Offset n, int num_rhs)
    : handles_(handles),
      factors_(factors),
      n_(n),
      right_(std::size_t(n) * std::size_t(num_rhs)),
      trial_(std::size_t(n) * std::size_t(num_rhs)),
      sums_(std::size_t(num_rhs)) {}

bool Refinement::solve(const Z* a, Z* x, int columns, bool tensor, LuReport& report) {
  report.method = tensor ? "LU in single precision with TF32 products, refined in double"
                         : "LU in single precision, refined in double";
  report.refinements = 0;
  Timer timer;
  const bool sound = factors_.factor(a, tensor);
  report.factor_seconds += timer.seconds();
  if (!sound) return false;
  timer.restart();
  CURLEW_CUDA_CALL(
      cudaMemcpy(right_.data(), x, std::size_t(n_) * std::size_t(columns) * sizeof(Z), cudaMemcpyDefault));
  const auto squares = column_sums(right_.data(), n_, columns, 2, sums_.data());
  bool done = refine(a, x, columns, squares, report);
  if (!done && columns <= 8 && std::isfinite(report.residual)) {
    done = true;
    report.method += " by GMRES";
    for (int c = 0; c < columns && done; ++c) {
      // After refinement that diverged, GMRES starts from the solution by the factors, which is more
      // accurate.
      factors_.solve(right_.data() + c * n_, x + c * n_, 1, false);
      done = gmres(a, right_.data() + c * n_, x + c * n_, report);
    }
    report.residual = residual(a, x, columns, squares);
  }
  if (!done)
    CURLEW_CUDA_CALL(
        cudaMemcpy(x, right_.data(), std::size_t(n_) * std::size_t(columns) * sizeof(Z), cudaMemcpyDefault));
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  report.solve_seconds += timer.seconds();
  return done;
}

/// Plain refinement of all columns of x. @returns whether refined_residual is reached; right holds b
bool Refinement::refine(const Z* a, Z* x, int columns, const std::vector<double>& squares, LuReport& report) {
  factors_.solve(right_.data(), x, columns, false);
  double last = HUGE_VAL;
  for (int step = 0; step < 40; ++step) {
    const double now = residual(a, x, columns, squares);
    report.residual = now;
    if (now < 1e-14 || (now < refined_residual && now > 0.2 * last)) return true;
    if (now > 0.3 * last) return now <= refined_residual;
    last = now;
    factors_.solve(trial_.data(), x, columns, true);
    report.refinements = step + 1;
  }
  return report.residual <= refined_residual;
}

/// trial = right - A x; the largest norm relative to that of `right`.
double Refinement::residual(const Z* a, const Z* x, int columns, const std::vector<double>& squares) {
  CURLEW_CUDA_CALL(cudaMemcpyAsync(trial_.data(), right_.data(),
                                   std::size_t(n_) * std::size_t(columns) * sizeof(Z), cudaMemcpyDefault));
  multiply(a, x, trial_.data(), columns, -1, 1);
  const auto rest = column_sums(trial_.data(), n_, columns, 2, sums_.data());
  double worst = 0;
  for (std::size_t c = 0; c < rest.size(); ++c) {
    const double ratio = squares[c] > 0 ? std::sqrt(rest[c] / squares[c]) : (rest[c] > 0 ? HUGE_VAL : 0);
    worst = std::isfinite(ratio) ? std::max(worst, ratio) : HUGE_VAL;
  }
  return worst;
}

/// Flexible GMRES for one column, the factors as right preconditioner; starts from x.
bool Refinement::gmres(const Z* a, const Z* b, Z* x, LuReport& report) {
  constexpr int most = 40;
  const double size = norm(b);
  if (size == 0) return true;
  cuda::Buffer<Z> v(std::size_t(n_) * (most + 1)), z(std::size_t(n_) * most);
  for (int cycle = 0; cycle < 3; ++cycle) {
    Z* first = v.data();
    CURLEW_CUDA_CALL(cudaMemcpyAsync(first, b, std::size_t(n_) * sizeof(Z), cudaMemcpyDefault));
    multiply(a, x, first, 1, -1, 1);
    const double beta = norm(first);
    report.residual = std::max(cycle == 0 ? 0.0 : report.residual, beta / size);
    if (beta <= 0.3 * refined_residual * size) return true;
    arnoldi(a, x, v.data(), z.data(), beta, 0.1 * refined_residual * size, most, report);
  }
  CURLEW_CUDA_CALL(cudaMemcpyAsync(v.data(), b, std::size_t(n_) * sizeof(Z), cudaMemcpyDefault));
  multiply(a, x, v.data(), 1, -1, 1);
  return norm(v.data()) <= refined_residual * size;
}
void Refinement::arnoldi(const Z* a, Z* x, Z* v, Z* z, double beta, double goal, int most, LuReport& report) {
  std::vector<Complex> h(std::size_t((most + 1) * most)), g(std::size_t(most + 1)), s(std::size_t(most), 0.0);
  std::vector<double> c(std::size_t(most), 0.0);
  const auto at_h = [&](int i, int j) -> Complex& { return h[std::size_t(j * (most + 1) + i)]; };
  g[0] = beta;
  scale(1 / beta, v);
  int count = 0;
  for (; count < most && std::abs(g[std::size_t(count)]) > goal; ++count) {
    Z *vj = v + count * n_, *zj = z + count * n_, *w = v + (count + 1) * n_;
    factors_.solve(vj, zj, 1, false);
    multiply(a, zj, w, 1, 1, 0);
    for (int i = 0; i <= count; ++i) {
      const Z d = dot(v + i * n_, w);
      at_h(i, count) = d;
      axpy(-d, v + i * n_, w);
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
    axpy(g[std::size_t(i)], z + i * n_, x);
  }
}

/// y = beta y + alpha A x
void Refinement::multiply(const Z* a, const Z* x, Z* y, int columns, double alpha, double beta) {
  const cuDoubleComplex al{alpha, 0}, be{beta, 0};
  const int size = int(n_);
  if (columns == 1) {
    check(cublasZgemv(handles_.blas, CUBLAS_OP_N, size, size, &al, cu(a), size, cu(x), 1, &be, cu(y), 1),
          "gemv");
  } else {
    check(cublasZgemm(handles_.blas, CUBLAS_OP_N, CUBLAS_OP_N, size, columns, size, &al, cu(a), size, cu(x),
                      size, &be, cu(y), size),
          "gemm");
  }
}

Z Refinement::dot(const Z* x, const Z* y) {
  Z value;
  check(cublasZdotc(handles_.blas, int(n_), cu(x), 1, cu(y), 1, cu(&value)), "dotc");
  return value;
}

double Refinement::norm(const Z* x) {
  double value = 0;
  check(cublasDznrm2(handles_.blas, int(n_), cu(x), 1, &value), "nrm2");
  return value;
}

void Refinement::axpy(Z alpha, const Z* x, Z* y) {
  check(cublasZaxpy(handles_.blas, int(n_), cu(&alpha), cu(x), 1, cu(y), 1), "axpy");
}

void Refinement::scale(double factor, Z* x) {
  check(cublasZdscal(handles_.blas, int(n_), &factor, cu(x), 1), "dscal");
}

}  // namespace curlew::linalg
