// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_arithmetic.cuh"

#include <algorithm>
#include <cmath>

#include "linalg/dense/device_rows.cuh"

namespace curlew::linalg {
namespace {

cuDoubleComplex* entries(Complex* p) {
  return reinterpret_cast<cuDoubleComplex*>(p);
}

}  // namespace

int panel_workspace_length(cusolverDnHandle_t solver, Offset n, Offset width) {
  int length = 0;
  check(cusolverDnZgetrf_bufferSize(solver, int(n), int(width), nullptr, int(n), &length),
        "zgetrf_bufferSize");
  return length;
}

DeviceArithmetic::DeviceArithmetic(Offset n, PanelLayout layout, int num_rhs)
    : n_(n),
      room_(right_side_room(num_rhs)),
      right_(std::size_t(n_) * std::size_t(room_)),
      space_(exchange_entries(layout)),
      work_(std::size_t(panel_workspace_length(handles_.solver, n_, std::min(layout.panel, n_)))),
      pivots_(std::size_t(std::min(layout.panel, n_))),
      info_(1),
      sums_(pivots_.size()),
      rows_(std::size_t(4 * n_)) {
  check(cublasSetStream(handles_.blas, compute_.get()), "set stream");
  check(cusolverDnSetStream(handles_.solver, compute_.get()), "set stream");
}

int DeviceArithmetic::factor(PanelView p, int* pivots) {
  check(cusolverDnZgetrf(handles_.solver, int(p.rows), int(p.columns), entries(p.data), int(p.stride),
                         cu(work_.data()), pivots_.data(), info_.data()),
        "zgetrf");
  int info = 0;
  from_device(pivots, pivots_.data(), std::size_t(p.columns));
  from_device(&info, info_.data(), 1);
  wait();
  return info;
}
void DeviceArithmetic::keep_moves(const std::vector<RowMove>& moves) {
  std::vector<int> rows;
  for (const RowMove& m : moves) rows.push_back(m.to);
  for (const RowMove& m : moves) rows.push_back(m.from);
  const std::size_t first = moves_.empty() ? 0 : moves_.back().first + 2 * std::size_t(moves_.back().count);
  moves_.push_back({first, int(moves.size())});
  CURLEW_CUDA_CALL(cudaMemcpyAsync(rows_.data() + first, rows.data(), rows.size() * sizeof(int),
                                   cudaMemcpyHostToDevice, compute_.get()));
  wait();
}
void DeviceArithmetic::move_rows(PanelView x, int panel, bool back) {
  const Moves m = moves_.at(std::size_t(panel));
  const int *to = rows_.data() + m.first, *from = to + m.count;
  linalg::move_rows(reinterpret_cast<Z*>(x.data), x.stride, x.columns, back ? from : to, back ? to : from,
                    m.count, space_.data(), space_.size(), compute_.get());
}
void DeviceArithmetic::solve_triangle(Triangle triangle, bool adjoint, PanelView t, PanelView x) {
  const bool lower = triangle == Triangle::unit_lower;
  const cuDoubleComplex one{1, 0};
  check(cublasZtrsm(handles_.blas, CUBLAS_SIDE_LEFT, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                    adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT,
                    int(x.rows), int(x.columns), &one, entries(t.data), int(t.stride), entries(x.data),
                    int(x.stride)),
        "trsm");
}
void DeviceArithmetic::subtract_product(bool adjoint, PanelView a, PanelView b, PanelView c) {
  const cuDoubleComplex minus{-1, 0}, one{1, 0};
  check(cublasZgemm(handles_.blas, adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_OP_N, int(c.rows),
                    int(c.columns), int(b.rows), &minus, entries(a.data), int(a.stride), entries(b.data),
                    int(b.stride), &one, entries(c.data), int(c.stride)),
        "gemm");
}
double DeviceArithmetic::norm1(PanelView a) {
  wait();  // sums are taken in another stream
  double largest = 0;
  for (Offset c = 0; c < a.columns; c += Offset(sums_.size())) {
    const int columns = int(std::min(a.columns - c, Offset(sums_.size())));
    for (const double sum :
         column_sums(reinterpret_cast<const Z*>(a.data + c * a.stride), n_, columns, 1, sums_.data()))
      largest = std::isfinite(sum) ? std::max(largest, sum) : sum;
  }
  return largest;
}
PanelView DeviceArithmetic::load_right_sides(const Complex* b, int count) {
  if (count > room_) throw InputError("more right-hand sides than fit into memory");
  const std::size_t bytes = std::size_t(n_) * std::size_t(count) * sizeof(Z);
  CURLEW_CUDA_CALL(cudaMemcpyAsync(right_.data(), b, bytes, cudaMemcpyHostToDevice, compute_.get()));
  wait();
  return {reinterpret_cast<Complex*>(right_.data()), n_, count, n_};
}
void DeviceArithmetic::fetch_right_sides(PanelView x, Complex* b) {
  from_device(b, x.data, std::size_t(x.rows * x.columns));
  wait();
}

}  // namespace curlew::linalg
