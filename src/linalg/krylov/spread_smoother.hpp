// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sweeps of block Gauss-Seidel over processes: each sweeps its rows of a level and one layer of its
// neighbours' rows, all at the same time, and keeps the results of its rows (restricted additive Schwarz:
// X.-C. Cai, M. Sarkis, SIAM J. Sci. Comput. 21 (1999) 792). Beyond the layer the values before the sweep are
// used.

#include <vector>

#include "linalg/krylov/gauss_seidel.hpp"
#include "linalg/krylov/spread_rows.hpp"

namespace curlew::linalg {

class SpreadSmoother {
 public:
  /// @param layered entries between unknowns of one level, in the rows of this process and of its layer
  /// @throws as colour_rows, on all processes
  SpreadSmoother(const SpreadRows& rows, const Csr<Complex>& layered, int level);
  /// z is improved in place. @param r, z local values of the level
  void sweep(bool forward, const Complex* r, Complex* z) const;

 private:
  std::vector<Index> swept_;        // unknowns, ascending: local ones and the layer
  Halo near_;                       // the layer and unknowns coupled to it
  std::vector<Index> own_, layer_;  // indices in swept_ of local vectors and of near_, -1 beyond the layer
  Csr<Complex> beyond_;             // [swept, near_]: columns beyond the layer
  GaussSeidel<double> sweeps_;
  mutable std::vector<Complex> r_, z_, ghosts_, beyond_z_, change_;
};

}  // namespace curlew::linalg
