// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Statistics of a sparsity pattern, and a picture of it.

#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

struct PatternFigures {
  Index bandwidth = 0;   ///< largest |row - column| of an entry
  double density = 0;    ///< entries divided by rows times columns
  double per_row = 0;    ///< mean number of entries in a row
  double deviation = 0;  ///< standard deviation of that number
  Index longest_row = 0;
};
PatternFigures pattern_figures(const Csr<Complex>& a);

/// A tile of the picture with its number of entries.
struct PatternTile {
  Index row, column;  ///< the first of the tile
  Offset entries;
};
/// Tiles with entries, by rows, of a grid of at most `side` by `side` tiles over the matrix.
std::vector<PatternTile> pattern_picture(const Csr<Complex>& a, Index side);

}  // namespace curlew::linalg
