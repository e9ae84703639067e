// SPDX-License-Identifier: BSD-3-Clause
// LU on the GPU: factors in single precision that are refined (device_single_lu, device_refinement), or
// cuSOLVER's in double precision.
#include <cmath>
#include <optional>
#include <string>

#include "base/timer.hpp"
#include "linalg/dense/condition.hpp"
#include "linalg/dense/device_lu.hpp"
#include "linalg/dense/device_refinement.cuh"

namespace curlew::linalg {
namespace {

/// Every (n/rows)-th row of a [n, columns] matrix.
__global__ void sample_rows(const Z* a, Offset n, int rows, Offset columns, Z* out) {
  const Offset stride = Offset(gridDim.x) * blockDim.x;
  for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns; i += stride) {
    out[i] = a[(i % rows) * n / rows + i / rows * n];
  }
}

constexpr int sampled_rows = 64;

}  // namespace

struct DeviceLu::State {
  Offset n;
  int num_rhs;
  LuPrecision precision;
  DenseHandles handles;
  std::optional<SingleLu> single;
  std::optional<Refinement> refinement;
  cuda::Buffer<int> pivots, info;
  cuda::Buffer<Z> work, trial;
  cuda::Buffer<double> sums;

  /// Below tensor_from the panels limit the speed in both precisions, and refinement would only add time.
  static bool is_mixed(Offset n, LuPrecision p) {
    return p == LuPrecision::mixed || (p == LuPrecision::automatic && n >= tensor_from);
  }

  State(Offset size, int rhs, LuPrecision p)
      : n(size),
        num_rhs(rhs),
        precision(p),
        trial(std::size_t(n)),
        sums(std::max(std::size_t(n), std::size_t(num_rhs))) {
    if (is_mixed(n, precision)) {
      single.emplace(handles, n, num_rhs);
      refinement.emplace(handles, *single, n, num_rhs);
    } else {
      take_double_workspace();
    }
  }

  void take_double_workspace() {
    if (work.size() > 0) return;
    pivots = cuda::Buffer<int>(std::size_t(n));
    info = cuda::Buffer<int>(1);
    int length = 0;
    check(cusolverDnZgetrf_bufferSize(handles.solver, int(n), int(n), nullptr, int(n), &length),
          "zgetrf_bufferSize");
    work = cuda::Buffer<Z>(std::size_t(length));
  }

  double norm1(const Z* a) {
    double largest = 0;
    for (const double sum : column_sums(a, n, int(n), 1, sums.data())) {
      if (!std::isfinite(sum)) throw NumericalError("the dense matrix contains values that are not finite");
      largest = std::max(largest, sum);
    }
    return largest;
  }

  double condition(double norm_of_a, bool single_factors, const Z* factors) {
    return norm_of_a * inverse_norm_estimate(n, [&](Complex* v, bool adjoint) {
             const auto op = adjoint ? CUBLAS_OP_C : CUBLAS_OP_N;
             CURLEW_CUDA_CALL(cudaMemcpy(trial.data(), v, std::size_t(n) * sizeof(Z), cudaMemcpyDefault));
             if (single_factors) {
               single->solve(trial.data(), trial.data(), 1, false, op);
             } else {
               check(cusolverDnZgetrs(handles.solver, op, int(n), 1, cu(factors), int(n), pivots.data(),
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
    // The factorisation overwrites the matrix; the residual is computed on sampled rows, which are stored
    // before it.
    const int rows = int(std::min<Offset>(n, sampled_rows));
    cuda::Buffer<Z> kept(std::size_t(rows) * std::size_t(n)), rest(std::size_t(rows) * std::size_t(columns));
    sample_rows<<<grid_of(Offset(rows) * n, 256), 256>>>(a, n, rows, n, kept.data());
    sample_rows<<<grid_of(Offset(rows) * columns, 256), 256>>>(x, n, rows, columns, rest.data());
    CURLEW_CHECK_LAUNCH("sample_rows");
    const auto squares = column_sums(x, n, columns, 2, sums.data());
    Timer timer;
    check(cusolverDnZgetrf(handles.solver, int(n), int(n), cu(a), int(n), cu(work.data()), pivots.data(),
                           info.data()),
          "zgetrf");
    int bad = 0;
    info.download(&bad);
    if (bad > 0)
      throw NumericalError("the matrix is singular: pivot " + std::to_string(bad) + " of " +
                           std::to_string(n) + " is zero");
    report.factor_seconds += timer.seconds();
    timer.restart();
    check(cusolverDnZgetrs(handles.solver, CUBLAS_OP_N, int(n), columns, cu(a), int(n), pivots.data(), cu(x),
                           int(n), info.data()),
          "zgetrs");
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    report.solve_seconds += timer.seconds();
    const cuDoubleComplex minus{-1, 0}, one{1, 0};
    check(cublasZgemm(handles.blas, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, int(n), &minus, cu(kept.data()),
                      rows, cu(x), int(n), &one, cu(rest.data()), rows),
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
  if (s.refinement) {
    const bool tensor = s.n >= tensor_from;
    if ((tensor && s.refinement->solve(a, b, num_rhs, true, report)) ||
        s.refinement->solve(a, b, num_rhs, false, report)) {
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
