// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A = L D L^T of a complex symmetric sparse matrix by one thread, for many matrices in parallel (MUMPS is not
// thread-safe). Multifrontal, without pivoting. Source: I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9
// (1983) 302.

#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/supernodes.hpp"

namespace curlew::linalg {

/// T, of the factors, is Complex or ComplexF. Different objects may be used in different threads.
template <class T>
class SupernodalFactors {
 public:
  /// @param a A = A^T without conjugation; its lower triangle in the order of elimination is read
  /// @throws NumericalError if a pivot is zero or not finite
  SupernodalFactors(const Supernodes& nodes, const Csr<Complex>& a);

  /// Replaces right-hand sides in the order of elimination by solutions. @param x [n, columns], row-major
  void solve(T* x, Index columns) const;

 private:
  const Supernodes* nodes_;
  std::vector<Offset> offsets_;  // [nodes + 1] of each node's columns
  std::vector<T> values_;        // of each node [width + rows below, width], column-major: L, and D in place
                                 // of its ones
};

}  // namespace curlew::linalg
