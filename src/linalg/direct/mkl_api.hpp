// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of Intel oneMKL that we call, loaded when the library is present (pip package mkl): nothing
// of it is needed to build. Source of names, values and signatures: Intel oneMKL Developer Reference for C,
// "oneMKL PARDISO - Parallel Direct Sparse Solver Interface" and "Support Functions".

#include <cstdint>
#include <string>

namespace curlew::linalg::mkl {

using Int = std::int64_t;  // of the functions that end with _64, whatever the interface layer

struct Api {
  void (*pardiso_64)(void* const* handle, const Int* factors, const Int* number, const Int* type,
                     const Int* phase, const Int* n, const void* values, const Int* row_offsets,
                     const Int* columns, Int* permutation, const Int* right_hand_sides, Int* parameters,
                     const Int* prints, void* b, void* x, Int* error);
  int (*set_threads_here)(int);  ///< of the calling thread; 0: as many as are usual
  std::string version;
};

/// The library, loaded on the first call: CURLEW_MKL (a path), or libmkl_rt.so.3 or .2 where the loader
/// looks, in the environments of Python, conda and oneAPI that are active, in oneAPI's usual folder, and
/// where `pip install mkl` puts it: beside the program's own package, or in build/venv.
/// @return null if it is not there, and `why` says what was missing
const Api* load(std::string* why = nullptr);

}  // namespace curlew::linalg::mkl
