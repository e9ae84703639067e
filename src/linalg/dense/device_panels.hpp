// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU on the GPU of a matrix that does not fit there. Only in builds with CUDA.

#include "linalg/dense/lu.hpp"
#include "linalg/dense/panel_machine.hpp"
#include "linalg/dense/panel_plan.hpp"

namespace curlew::linalg {

/// Workspace of cuSOLVER for panels [n, width], in bytes.
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
/// @param layout choose_layout with PanelWorkspace
/// @throws NumericalError if the matrix is singular or holds NaN; ResourceError if the device's memory does
/// not suffice
LuReport solve_out_of_core(DenseMatrix& a, Complex* b, int num_rhs, PanelLayout layout, bool with_condition);

/// The same for a matrix that is computed on the GPU and never complete in either memory: the first panels
/// stay on the GPU, the host gets stored_bytes. @param form is called from another thread while the GPU
/// computes, for each column once for its factors and once per right_side_room/2 right-hand sides for the
/// residual
LuReport solve_formed(Offset n, const FormColumns& form, Complex* b, int num_rhs, PanelLayout layout,
                      bool with_condition);

}  // namespace curlew::linalg
