// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Coarse-level solver of a multilevel preconditioner: constructed early for its size, given its matrix later,
// and factorised while the finer levels are set up.

#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// Operator is LinearOperator<Complex> or DeviceOperator<complex<double>>.
template <class Operator>
class CoarseSolver : public Operator {
 public:
  /// Call it before the first apply, and for each further matrix: one analysis serves all of one pattern.
  /// @throws what DirectSolver::factor throws
  virtual void factor(const Csr<Complex>& a) = 0;
  /// Begins the analysis of a pattern in another thread, which factor waits for. @param pattern values are
  /// ignored
  virtual void begin(Csr<Complex> pattern) { (void)pattern; }
  virtual const DirectInfo& info() const = 0;
  /// Number of functions of the subdomains' coarse space; 0: there is none.
  virtual Index coarse_functions() const { return 0; }
};

/// The coarse solver of the previous preconditioner, whose analysis may serve the next one.
struct LastCoarse {
  std::shared_ptr<void> solver;  ///< CoarseSolver of the memory that all are made in; null: none yet
  Index size = 0;
  DirectOptions options;

  bool serves(Index unknowns, const DirectOptions& direct) const {
    return solver && size == unknowns && options.symmetry == direct.symmetry &&
           options.single_precision == direct.single_precision;
  }
};

}  // namespace curlew::linalg
