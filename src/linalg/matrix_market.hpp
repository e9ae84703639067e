// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sparse matrices as text. Format: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats",
// NISTIR 5935 (1996): `%%MatrixMarket matrix coordinate real|complex|integer|pattern general|symmetric|...`.

#include <string>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Reads a coordinate matrix; a triangle of a symmetric, skew-symmetric or Hermitian one is completed, real
/// values become complex, and entries of a pattern are one. Rows may be empty; the line of sizes may declare
/// at most 2^24 of them.
/// @throws InputError naming file and line
Csr<Complex> read_matrix_market(const std::string& file);

/// Writes 17 digits per number, so that reading gives the same bits. A matrix that equals its transpose
/// exactly is written as its lower triangle (`symmetric`), one without imaginary parts as `real`. It is
/// written directly to the given name: programs give a temporary one (io::AtomicFile), which is renamed.
/// @param comment lines after the header; may be empty
/// @throws ResourceError if the file cannot be written
void write_matrix_market(const std::string& file, const Csr<Complex>& a, const std::string& comment);

}  // namespace curlew::linalg
