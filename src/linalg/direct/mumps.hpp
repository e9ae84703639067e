// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sequential MUMPS behind DirectSolver: LDL^T of symmetric and LU of other matrices, threaded by the
// BLAS. Source: P. Amestoy, I. Duff, J.-Y. L'Excellent, J. Koster, SIAM J. Matrix Anal. Appl. 23 (2001) 15;
// MUMPS 5.5.1 Users' Guide for the control parameters named in the comments.

#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// T is Complex or double. @throws ResourceError if this build lacks MUMPS
template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions& options);

}  // namespace curlew::linalg
