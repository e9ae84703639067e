// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Matrix, preconditioner and Krylov loop of a surface system in the memory where they work.

#include <memory>

#include "ie/surface/dense_fill.hpp"
#include "ie/surface/surface_solve.hpp"

namespace curlew::ie {

/// The system between vectors of the host; in another basis x = B z, S B^T A B.
class SurfaceIteration {
 public:
  virtual ~SurfaceIteration() = default;
  /// @param b, z [unknowns]; z is the start
  virtual linalg::KrylovReport solve(const Complex* b, Complex* z) = 0;
  virtual void multiply(const Complex* z, Complex* product) = 0;
  /// rhs = S B^T b and x = B z, not overlapping
  virtual void test(const Complex* b, Complex* rhs) = 0;
  virtual void expand(const Complex* z, Complex* x) = 0;
  /// Sizes, and the seconds of a product.
  virtual void describe(SurfaceSolveReport& report) const = 0;
};

/// The whole matrix, with loads. @throws ResourceError if it does not fit
linalg::DenseMatrix full_matrix(const System& system, const std::vector<Entry>& loads);

/// Dense on the host; fast products on host or device. @param p kept by reference
/// @throws ResourceError if memory does not suffice
std::unique_ptr<SurfaceIteration> make_iteration(const System& system, const std::vector<Entry>& loads,
                                                 const SurfacePreconditioning& p,
                                                 const SurfaceSolveOptions& options);

}  // namespace curlew::ie
