// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A coarse space for overlapping subdomains, made of errors that their iteration reduces slowly. Standing
// waves in a closed guide extend over all subdomains, and no local solve removes them. The error of the
// restricted Schwarz iteration, e <- (1 - M A) e, is in each part the solution of its own homogeneous system
// with the values of the neighbours on its boundary. A few random vectors after a few of these steps contain
// the slow errors; restricted to the parts and orthogonalised there, they span a space of dimension parts x
// vectors. Sources: of local bases from random samples A. Buhr, K. Smetana, SIAM J. Sci. Comput. 40 (2018)
// A2120; for the idea to let the iteration itself find its slow errors M. Brezina et al., SIAM Rev. 47 (2005)
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

/// Number of samples that span the space. If more waves cross the boundary of a part than it has functions,
/// the iteration stays slow. This is detected by the component of a part's last sample that is orthogonal to
/// the others.
struct Sampling {
  Index vectors = 40;  ///< initial number
  Index most = 320;    ///< doubled up to this many, while ...
  double left = 1;     ///< that component is larger than one component of an initial random vector
  /// Applies iteration steps to error vectors [n, count], column-major; in place.
  std::function<void(Complex* vectors, Index count)> propagate;
};

/// Starts from random vectors, the same ones in every run, of components 1 / sqrt(|a_ii|): of equal energy.
/// @param part_of [n] of each row of A: 0 .. parts - 1
/// @throws NumericalError if they become infinite or NaN
CoarseSpace make_coarse_space(const Csr<Complex>& a, const std::vector<Index>& part_of, Index parts,
                              const Sampling& sampling);

}  // namespace curlew::linalg
