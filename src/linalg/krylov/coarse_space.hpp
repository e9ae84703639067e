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

#include <functional>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Corrections z = Z E^-1 Z^H r, E = Z^H A Z.
struct CoarseSpace {
  Csr<Complex> basis;     ///< Z [n, N], the columns of a part are zero outside of its rows
  Csr<Complex> dual;      ///< Z^H [N, n]
  Csr<Complex> galerkin;  ///< E [N, N], couples neighbouring parts
};

/// How many samples span the space. Where more waves cross the boundary of a part than it has functions, the
/// iteration stays as slow as it was. They show in what the last sample of a part holds that the others do
/// not.
struct Sampling {
  Index vectors = 40;  ///< to begin with
  Index most = 320;    ///< doubled up to this many, while ...
  double left = 1;     ///< that rest is larger than one component of a random vector was at first
  /// What the iteration leaves of vectors [n, count], column-major; in place.
  std::function<void(Complex* vectors, Index count)> propagate;
};

/// Starts from random vectors, the same ones in every run, of components 1 / sqrt(|a_ii|): of equal energy.
/// @param part_of [n] of each row of A: 0 .. parts - 1
/// @throws NumericalError if what is left of them is not finite
CoarseSpace make_coarse_space(const Csr<Complex>& a, const std::vector<Index>& part_of, Index parts,
                              const Sampling& sampling);

}  // namespace curlew::linalg
