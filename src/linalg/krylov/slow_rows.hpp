// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which unknowns a smoother cannot serve: compatible relaxation. Sweeps on A z = 0 from random vectors leave
// what they are slow at. Where cells are tall or flat (one layer of cells across a guide, thin substrates)
// that is most of it: functions that vary along the long side only are coupled to many neighbours at once.
// Such rows belong to the coarse level.
// Source: A. Brandt, ETNA 10 (2000) 1, general highly accurate algebraic coarsening, section 3.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// @return [num_rows] 1 for rows of which six forward and backward sweeps of coloured block Gauss-Seidel
///   leave more than `left` of their error, in the scale of the diagonal; rows of one pattern together
/// @throws what colour_rows throws
std::vector<char> slow_rows(const Csr<Complex>& a, double left);

/// Moves unsmoothed unknowns from their levels to level 0, in rounds until few are found; all rows, if nearly
/// all are there then.
/// @param[in,out] level [num_rows] of every row of A
void move_slow_rows(const Csr<Complex>& a, std::vector<int>& level);

/// The first step of it, for rows of which there may be more elsewhere.
/// @param[in,out] level [num_rows]; rows below 0 are left out
void move_slow_rows_of_part(const Csr<Complex>& a, std::vector<int>& level);
/// The second: all rows to level 0, if nearly all are there.
void join_the_rest(std::vector<int>& level);

}  // namespace curlew::linalg
