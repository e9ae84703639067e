// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The arithmetic of panels on one GPU. For builds with CUDA, private to the dense solver.

#include "base/cuda_stream.hpp"
#include "linalg/dense/device_dense.cuh"
#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

/// Entries of the workspace in which cuSOLVER factors panels [n, width].
int panel_workspace_length(cusolverDnHandle_t solver, Offset n, Offset width);

/// On the device that is current when it is made and when it is called; all work is in one stream.
class DeviceArithmetic : public virtual PanelArithmetic {
 public:
  DeviceArithmetic(Offset n, PanelLayout layout, int num_rhs);
  ~DeviceArithmetic() override { cudaStreamSynchronize(compute_.get()); }

  int factor(PanelView panel, int* pivots) override;
  void keep_moves(const std::vector<RowMove>& moves) override;
  void move_rows(PanelView x, int panel, bool back) override;
  void solve_triangle(Triangle triangle, bool adjoint, PanelView t, PanelView x) override;
  void subtract_product(bool adjoint, PanelView a, PanelView b, PanelView c) override;
  double norm1(PanelView a) override;
  PanelView load_right_sides(const Complex* b, int count) override;
  void fetch_right_sides(PanelView x, Complex* b) override;

 protected:
  cudaStream_t stream() const { return compute_.get(); }
  void wait() { CURLEW_CUDA_CALL(cudaStreamSynchronize(compute_.get())); }

 private:
  struct Moves {
    std::size_t first;
    int count;
  };
  template <class T>
  void from_device(T* to, const T* from, std::size_t count) {
    CURLEW_CUDA_CALL(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, compute_.get()));
  }

  Offset n_;
  int room_;  ///< for right-hand sides
  DenseHandles handles_;
  cuda::Stream compute_;
  cuda::Buffer<Z> right_, space_, work_;
  cuda::Buffer<int> pivots_, info_;
  cuda::Buffer<double> sums_;
  cuda::Buffer<int> rows_;  ///< `to` and `from` of each panel's moves
  std::vector<Moves> moves_;
};

}  // namespace curlew::linalg
