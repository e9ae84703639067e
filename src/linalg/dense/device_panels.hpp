// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU on the GPU of a matrix that stays in the host's memory. Only in builds with CUDA.

#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

/// Bytes that cuSOLVER takes beside panels [n, width].
class PanelWorkspace {
 public:
  explicit PanelWorkspace(Offset n);
  ~PanelWorkspace();
  PanelWorkspace(const PanelWorkspace&) = delete;
  PanelWorkspace& operator=(const PanelWorkspace&) = delete;
  std::size_t operator()(Offset width) const;

 private:
  Offset n_;
  void* solver_ = nullptr;
};

/// As solve_dense in double precision; A becomes its factors.
/// @param widths choose_widths with PanelWorkspace
/// @throws NumericalError if the matrix is singular or holds NaN; ResourceError if the device's memory does
/// not suffice
LuReport solve_out_of_core(DenseMatrix& a, Complex* b, int num_rhs, PanelWidths widths, bool with_condition);

}  // namespace curlew::linalg
