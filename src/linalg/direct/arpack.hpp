// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ARPACK's reverse communication as two calls that take the operator as a function.
// Source: R. Lehoucq, D. Sorensen, C. Yang, ARPACK Users' Guide (1998).

#include <functional>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

template <class T>
using Apply = std::function<void(const T* x, T* y)>;  ///< y = op x; the arrays do not overlap

/// Which eigenvalues of the operator: of largest magnitude, or of largest real part.
enum class Wanted { magnitude, real_part };

struct ArpackSettings {
  Index size = 0;
  int count = 0;     ///< eigenpairs wanted
  int subspace = 0;  ///< Krylov vectors, count + 2 <= subspace <= size
  double tolerance = 0;
  int max_restarts = 0;
  Wanted wanted = Wanted::magnitude;
  int least = 0;  ///< least number of pairs; fewer are an error
};

/// Eigenpairs of the operator, in the order of convergence.
template <class T>
struct ArpackResult {
  std::vector<Complex> values;  ///< [count], fewer if `least` allows
  std::vector<T> vectors;       ///< [size, count], column-major
};

/// Lanczos for an operator that is self-adjoint in the inner product x^T B y, B symmetric positive definite.
/// (A semidefinite B, as in ARPACK's buckling mode, hides rounding errors in its null space, which grow.)
/// @param inner_product y = B x
/// @throws NumericalError without convergence
ArpackResult<double> lanczos(const ArpackSettings& settings, const Apply<double>& op,
                             const Apply<double>& inner_product);

/// Arnoldi for any operator. @throws NumericalError without convergence
ArpackResult<Complex> arnoldi(const ArpackSettings& settings, const Apply<Complex>& op);

}  // namespace curlew::linalg
