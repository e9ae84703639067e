// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sparse matrices as text. Format: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats",
// NISTIR 5935 (1996): `%%MatrixMarket matrix coordinate real|complex|integer|pattern general|symmetric|...`.

#include <string>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Reads a coordinate matrix; a triangle of a symmetric, skew-symmetric or Hermitian one is completed, real
/// values become complex, and entries of a pattern are one. Rows may be empty, but not more than 2^24 of them
/// by the line of sizes alone.
/// @throws InputError naming file and line
Csr<Complex> read_matrix_market(const std::string& file);

/// Writes 17 digits a number, so that reading gives the same bits. A matrix that equals its transpose exactly
/// is written as its lower triangle (`symmetric`), one without imaginary parts as `real`. Like an HDF5 file
/// it is written under the name that is given: programs give that of a part (io::AtomicFile), which is
/// renamed.
/// @param comment lines behind the header; may be empty
/// @throws ResourceError if the file cannot be written
void write_matrix_market(const std::string& file, const Csr<Complex>& a, const std::string& comment);

}  // namespace curlew::linalg
