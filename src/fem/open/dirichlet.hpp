// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Given tangential fields: unknowns whose values are known are taken out of a system without changing its
// pattern or its symmetry.

#include <span>

#include "base/types.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// Replaces rows and columns of known unknowns by those of the unit matrix, times a typical diagonal entry.
/// @param known ascending
/// @param values [known.size(), num_rhs], column-major
/// @param[in,out] a with a symmetric pattern; b [num_rows, num_rhs], column-major
void impose_values(std::span<const Index> known, const Complex* values, Index num_rhs,
                   linalg::Csr<Complex>& a, Complex* b);

}  // namespace curlew::fem
