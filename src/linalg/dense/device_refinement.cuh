// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions with residuals of double precision by factors in single precision and refinement.

#include "linalg/dense/device_single_lu.cuh"
#include "linalg/dense/lu.hpp"

namespace curlew::linalg {

/// Refinement of one size; its storage is allocated by the constructor, that of GMRES when it is needed.
class Refinement {
 public:
  /// @param num_rhs most columns of a solve @param factors outlive this object
  Refinement(DenseHandles& handles, SingleLu& factors, Offset n, int num_rhs);

  /// Factors in single precision and refines; up to 8 columns by GMRES where plain refinement stalls.
  /// @param a [n, n] on the device, read only
  /// @param[in,out] x [n, columns] right-hand sides in; solutions, or on failure the right-hand sides, out
  /// @returns false if refined_residual is not reached
  bool solve(const Z* a, Z* x, int columns, bool tensor, LuReport& report);

 private:
  bool refine(const Z* a, Z* x, int columns, const std::vector<double>& squares, LuReport& report);
  double residual(const Z* a, const Z* x, int columns, const std::vector<double>& squares);
  bool gmres(const Z* a, const Z* b, Z* x, LuReport& report);
  void arnoldi(const Z* a, Z* x, Z* v, Z* z, double beta, double goal, int most, LuReport& report);
  void multiply(const Z* a, const Z* x, Z* y, int columns, double alpha, double beta);
  Z dot(const Z* x, const Z* y);
  double norm(const Z* x);
  void axpy(Z alpha, const Z* x, Z* y);
  void scale(double factor, Z* x);

  DenseHandles& handles_;
  SingleLu& factors_;
  Offset n_;
  cuda::Buffer<Z> right_, trial_;
  cuda::Buffer<double> sums_;
};

}  // namespace curlew::linalg
