// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of a surface system's matrix that belongs to pairs of triangles close to each other, sparse: of it
// fast products are corrected and preconditioners are made.

#include "ie/surface/near_pattern.hpp"
#include "linalg/csr.hpp"

namespace curlew::ie {

enum class NearPart {
  entries,     ///< of the matrix
  corrections  ///< those minus what sums over the points of the far rule hold of the pair
};

/// The pairs named, with Gram terms and loads. All threads; the same bits whatever their number.
/// @param of_share [functions] as points_of_share gives them: the rows of the others are empty; empty: all
/// @throws ResourceError if it does not fit
linalg::Csr<Complex> near_matrix(const System& system, const std::vector<Entry>& loads, NearPairs pairs,
                                 NearPart part = NearPart::entries, const std::vector<char>& of_share = {});

/// Entries of it, from the mean number of triangles around one, and the bytes that making it takes.
struct NearMatrixSize {
  std::size_t entries, making_bytes;
  std::size_t bytes() const { return entries * (sizeof(Complex) + sizeof(Index)); }
};
NearMatrixSize estimate_near_matrix(const System& system, NearPairs pairs);

}  // namespace curlew::ie
