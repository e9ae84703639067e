// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_panels.hpp"

#include <algorithm>
#include <cmath>

#include "base/cuda_stream.hpp"
#include "base/timer.hpp"
#include "linalg/dense/device_dense.cuh"
#include "linalg/dense/device_rows.cuh"
#include "linalg/dense/panel_solve.hpp"
#include "linalg/dense/panel_transfers.hpp"

namespace curlew::linalg {
namespace {

cuDoubleComplex* entries(Complex* p) {
  return reinterpret_cast<cuDoubleComplex*>(p);
}

int workspace_length(cusolverDnHandle_t solver, Offset n, Offset width) {
  int length = 0;
  check(cusolverDnZgetrf_bufferSize(solver, int(n), int(width), nullptr, int(n), &length),
        "zgetrf_bufferSize");
  return length;
}

/// All computations are in one stream; transfers run at the same time.
class DevicePanels final : public PanelMachine {
 public:
  /// @param stored, form see PanelTransfers
  DevicePanels(DenseMatrix& stored, PanelLayout layout, int num_rhs, FormColumns form)
      : n_(stored.rows()),
        room_(right_side_room(num_rhs)),
        transfers_(stored, layout, std::move(form), compute_.get()),
        right_(std::size_t(n_) * std::size_t(room_)),
        space_(exchange_entries(layout)),
        work_(std::size_t(workspace_length(handles_.solver, n_, std::min(layout.panel, n_)))),
        pivots_(std::size_t(std::min(layout.panel, n_))),
        info_(1),
        sums_(std::size_t(layout.strip)),
        rows_(std::size_t(4 * n_)) {
    check(cublasSetStream(handles_.blas, compute_.get()), "set stream");
    check(cusolverDnSetStream(handles_.solver, compute_.get()), "set stream");
  }
  ~DevicePanels() override { cudaStreamSynchronize(compute_.get()); }

  void expect(std::vector<Transfer> order) override { transfers_.expect(std::move(order)); }
  PanelView take() override { return transfers_.take(); }
  void drop(TransferKind kind) override { transfers_.drop(kind); }
  void store(PanelView panel, Offset first) override { transfers_.store(panel, first); }
  void finish_stores() override { transfers_.finish_stores(); }

  int factor(PanelView p, int* pivots) override {
    check(cusolverDnZgetrf(handles_.solver, int(p.rows), int(p.columns), entries(p.data), int(p.stride),
                           cu(work_.data()), pivots_.data(), info_.data()),
          "zgetrf");
    int info = 0;
    from_device(pivots, pivots_.data(), std::size_t(p.columns));
    from_device(&info, info_.data(), 1);
    wait();
    return info;
  }
  void keep_moves(const std::vector<RowMove>& moves) override {
    std::vector<int> rows;
    for (const RowMove& m : moves) rows.push_back(m.to);
    for (const RowMove& m : moves) rows.push_back(m.from);
    const std::size_t first = moves_.empty() ? 0 : moves_.back().first + 2 * std::size_t(moves_.back().count);
    moves_.push_back({first, int(moves.size())});
    CURLEW_CUDA_CALL(cudaMemcpyAsync(rows_.data() + first, rows.data(), rows.size() * sizeof(int),
                                     cudaMemcpyHostToDevice, compute_.get()));
    wait();
  }
  void move_rows(PanelView x, int panel, bool back) override {
    const Moves m = moves_.at(std::size_t(panel));
    const int *to = rows_.data() + m.first, *from = to + m.count;
    linalg::move_rows(reinterpret_cast<Z*>(x.data), x.stride, x.columns, back ? from : to, back ? to : from,
                      m.count, space_.data(), space_.size(), compute_.get());
  }
  void solve_triangle(Triangle triangle, bool adjoint, PanelView t, PanelView x) override {
    const bool lower = triangle == Triangle::unit_lower;
    const cuDoubleComplex one{1, 0};
    check(
        cublasZtrsm(handles_.blas, CUBLAS_SIDE_LEFT, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                    adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT,
                    int(x.rows), int(x.columns), &one, entries(t.data), int(t.stride), entries(x.data),
                    int(x.stride)),
        "trsm");
  }
  void subtract_product(bool adjoint, PanelView a, PanelView b, PanelView c) override {
    const cuDoubleComplex minus{-1, 0}, one{1, 0};
    check(cublasZgemm(handles_.blas, adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_OP_N, int(c.rows),
                      int(c.columns), int(b.rows), &minus, entries(a.data), int(a.stride), entries(b.data),
                      int(b.stride), &one, entries(c.data), int(c.stride)),
          "gemm");
  }
  double norm1(PanelView a) override {
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
  PanelView load_right_sides(const Complex* b, int count) override {
    if (count > room_) throw InputError("more right-hand sides than fit into memory");
    const std::size_t bytes = std::size_t(n_) * std::size_t(count) * sizeof(Z);
    CURLEW_CUDA_CALL(cudaMemcpyAsync(right_.data(), b, bytes, cudaMemcpyHostToDevice, compute_.get()));
    wait();
    return {reinterpret_cast<Complex*>(right_.data()), n_, count, n_};
  }
  void fetch_right_sides(PanelView x, Complex* b) override {
    from_device(b, x.data, std::size_t(x.rows * x.columns));
    wait();
  }

 private:
  struct Moves {
    std::size_t first;
    int count;
  };
  template <class T>
  void from_device(T* to, const T* from, std::size_t count) {
    CURLEW_CUDA_CALL(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, compute_.get()));
  }
  void wait() { CURLEW_CUDA_CALL(cudaStreamSynchronize(compute_.get())); }

  Offset n_;
  int room_;  ///< for right-hand sides
  DenseHandles handles_;
  cuda::Stream compute_;
  PanelTransfers transfers_;
  cuda::Buffer<Z> right_, space_, work_;
  cuda::Buffer<int> pivots_, info_;
  cuda::Buffer<double> sums_;
  cuda::Buffer<int> rows_;  ///< `to` and `from` of each panel's moves
  std::vector<Moves> moves_;
};

}  // namespace

PanelWorkspace::PanelWorkspace(Offset n) : n_(n) {
  cusolverDnHandle_t solver = nullptr;
  check(cusolverDnCreate(&solver), "create");
  solver_ = solver;
}
PanelWorkspace::~PanelWorkspace() {
  cusolverDnDestroy(static_cast<cusolverDnHandle_t>(solver_));
}
std::size_t PanelWorkspace::operator()(Offset width) const {
  return std::size_t(workspace_length(static_cast<cusolverDnHandle_t>(solver_), n_, width)) * sizeof(Z);
}

LuReport solve_out_of_core(DenseMatrix& a, Complex* b, int num_rhs, PanelLayout layout, bool with_condition) {
  Timer timer;
  DevicePanels machine(a, layout, num_rhs, {});
  const double seconds = timer.seconds();
  auto report = solve_by_panels(machine, a, layout, b, num_rhs, with_condition);
  report.set_up_seconds = seconds;
  return report;
}

LuReport solve_formed(Offset n, const FormColumns& form, Complex* b, int num_rhs, PanelLayout layout,
                      bool with_condition) {
  Timer timer;
  DenseMatrix stored(n, n - resident_columns(n, layout), "the part of the matrix beside the device");
  DevicePanels machine(stored, layout, num_rhs, form);
  const double seconds = timer.seconds();
  auto report = solve_formed_by_panels(machine, n, layout, b, num_rhs, with_condition);
  report.set_up_seconds = seconds;
  return report;
}

}  // namespace curlew::linalg
