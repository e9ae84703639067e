// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds unsmoothed unknowns by compatible relaxation: sweeps on A z = 0 from random vectors leave slowly
// reduced errors. If cells are tall or flat (one layer of cells across a guide, thin substrates) these are
// most: functions that vary along the long side only are coupled to many neighbours. Such rows belong to the
// coarse level. Source: A. Brandt, ETNA 10 (2000) 1, general highly accurate algebraic coarsening, section 3.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Moves unsmoothed unknowns from their levels to level 0, in rounds until few are found; all rows if nearly
/// all were moved.
/// @param[in,out] level [num_rows] of every row of A
void move_slow_rows(const Csr<Complex>& a, std::vector<int>& level);

/// The first step of move_slow_rows, for the rows of one process. @param[in,out] level [num_rows]; rows with
/// negative level are ignored
void move_slow_rows_of_part(const Csr<Complex>& a, std::vector<int>& level);
/// The second step: moves all rows to level 0 if nearly all are there.
void join_the_rest(std::vector<int>& level);

}  // namespace curlew::linalg
