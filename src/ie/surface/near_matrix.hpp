// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sparse near-field part of a surface system's matrix, for pairs of close triangles: used for corrections
// of fast products and for preconditioners.

#include "ie/surface/near_pattern.hpp"
#include "linalg/csr.hpp"

namespace curlew::ie {

enum class NearPart {
  entries,     ///< of the matrix
  corrections  ///< entries minus sums over the points of the far rule
};

/// Entries of these pairs, with Gram terms and loads. Uses all threads; same bits for any number. @param
/// of_share [functions] from points_of_share: rows of other shares are empty; empty: all
/// @throws ResourceError if it does not fit
linalg::Csr<Complex> near_matrix(const System& system, const std::vector<Entry>& loads, NearPairs pairs,
                                 NearPart part = NearPart::entries, const std::vector<char>& of_share = {});

/// Estimated entries, from the mean number of triangles around one, and bytes needed to make it.
struct NearMatrixSize {
  std::size_t entries, making_bytes;
  std::size_t bytes() const { return entries * (sizeof(Complex) + sizeof(Index)); }
};
NearMatrixSize estimate_near_matrix(const System& system, NearPairs pairs);

}  // namespace curlew::ie
