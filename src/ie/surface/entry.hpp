// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One entry of a surface system from the integrals of two local functions, on host and device: the formulas
// of ie/surface/system.hpp.

#include "base/complex.hpp"
#include "ie/surface/pair_view.hpp"

namespace curlew::ie {

/// T, K and N between two local functions: lengths, and for T and K the region's signs, included.
struct LocalIntegrals {
  complex<double> electric, magnetic, rotated;
};

/// @param row, column corners of the two functions @param scale product of their lengths with signs [m^2]
/// @param signs s_r(m) s_r(n)
template <class C>
CURLEW_HD LocalIntegrals local_integrals(const PairBlockOf<C>& block, int row, int column, double scale,
                                         double signs) {
  return {(signs * scale) * complex<double>(block.electric[row][column]),
          (signs * scale) * complex<double>(block.magnetic[row][column]),
          scale * complex<double>(block.rotated[row][column])};
}

/// Contribution of a region to the row of J or M of one function and the column of J or M of another.
/// @param share of the EFIE in the row of J @param relative eta_r/eta0
CURLEW_HD complex<double> entry(const LocalIntegrals& f, bool magnetic_row, bool magnetic_column,
                                double share, complex<double> relative) {
  if (magnetic_row && magnetic_column) return -(f.electric / relative);
  if (magnetic_row) return f.magnetic;
  if (magnetic_column) return share * f.magnetic;
  return share * (relative * f.electric) - (1 - share) * f.rotated;
}

}  // namespace curlew::ie
