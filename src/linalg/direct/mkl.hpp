// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// PARDISO of Intel oneMKL behind DirectSolver: LDL^T of symmetric and LU of other matrices on the CPU,
// threaded over the elimination tree. Loaded when present (mkl_api.hpp). Sources: O. Schenk, K. Gärtner,
// Future Gener. Comput. Syst. 20 (2004) 475; Intel oneMKL Developer Reference, "pardiso iparm Parameter".

#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// True if the library is there.
bool has_mkl();

/// T is Complex or double.
/// @throws ResourceError if the library is missing; InputError for options that only MUMPS supports: other
/// orderings, factors with blocks of low rank
template <class T>
std::unique_ptr<DirectSolver<T>> make_mkl(const DirectOptions& options);

}  // namespace curlew::linalg
