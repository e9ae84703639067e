// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A coarse space for overlapping subdomains, made of what their iteration leaves over. Waves that come back
// in a closed guide live in all subdomains at once and no local solve removes them. The error of the
// restricted Schwarz iteration, e <- (1 - M A) e, is in each part the solution of its own homogeneous system
// with the values of the neighbours on its boundary. A few random vectors under a few of these steps hold
// what is slow to go; cut into the parts and made orthogonal there, they span a space of dimension parts x
// vectors. Sources: of local bases from random samples A. Buhr, K. Smetana, SIAM J. Sci. Comput. 40 (2018)
// A2120; of the idea to let the iteration itself find its slow errors M. Brezina et al., SIAM Rev. 47 (2005)
// 317 (adaptive smoothed aggregation).

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Corrections z = Z E^-1 Z^H r, E = Z^H A Z.
struct CoarseSpace {
  Csr<Complex> basis;     ///< Z [n, N], the columns of a part are zero outside of its rows
  Csr<Complex> dual;      ///< Z^H [N, n]
  Csr<Complex> galerkin;  ///< E [N, N], couples neighbouring parts
};

/// Random vectors, the same ones in every run, with components of size 1 / sqrt(|a_ii|): of equal energy.
/// @return [n, vectors], column-major
std::vector<Complex> random_samples(const Csr<Complex>& a, Index vectors);

/// @param part_of [n] of each row of A: 0 .. parts - 1
/// @param samples [n, vectors], column-major: what the iteration has left of random vectors
/// @throws NumericalError if these are not finite
CoarseSpace make_coarse_space(const Csr<Complex>& a, const std::vector<Index>& part_of, Index parts,
                              const std::vector<Complex>& samples);

}  // namespace curlew::linalg
