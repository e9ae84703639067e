// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Coarse-level solver of a multilevel preconditioner: constructed early for its size, given its matrix later,
// and factorised while the finer levels are set up.

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// Operator is LinearOperator<Complex> or DeviceOperator<complex<double>>.
template <class Operator>
class CoarseSolver : public Operator {
 public:
  /// Call it before the first apply. @throws as DirectSolver::factor
  virtual void factor(const Csr<Complex>& a) = 0;
  virtual const DirectInfo& info() const = 0;
  /// Number of functions of the subdomains' coarse space; 0: there is none.
  virtual Index coarse_functions() const { return 0; }
};

}  // namespace curlew::linalg
