// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cost of a solve in operations at the speed of dense matrix products. It determines the choice between
// direct and iterative solution, and the seconds that dry runs predict.

#include <cstddef>

namespace curlew::ie {

struct SolveSize {
  double unknowns = 0;
  double right_hand_sides = 1;  ///< number that is solved: their rank if incidences are compressed
  double kinds = 1;             ///< kinds of currents: 2 with magnetic currents, else 1
  double iterations = 60;       ///< expected of each
};

/// Operations of singular and near entries, of the other entries, and of both with the factorisation.
double fill_operations(double unknowns);
double direct_operations(const SolveSize& size);
/// Operations of near entries, twice (corrections and preconditioner), and of fast products.
double iterative_operations(const SolveSize& size);

/// Whether direct solution costs less and the matrix takes at most half of the memory. On a GPU the number of
/// unknowns decides, since filling the matrix on the host takes most of the time.
bool prefers_direct(const SolveSize& size, bool on_gpu, std::size_t free_bytes);

}  // namespace curlew::ie
