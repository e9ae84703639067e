// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a solve costs, in operations at the speed of dense products: of it come the choice between factors and
// iterations, and the seconds that dry runs predict.

#include <cstddef>

namespace curlew::programs {

struct SolveSize {
  double unknowns = 0;
  double right_hand_sides = 1;  ///< that are solved: their rank, where incidences are compressed
  double kinds = 1;             ///< of currents: 2 where magnetic ones flow too
  double iterations = 60;       ///< expected of each
};

/// Singular and near entries, the others, and both together with the factors.
double fill_operations(double unknowns);
double direct_operations(const SolveSize& size);
/// Near entries twice (corrections and preconditioner), and products by sums over points.
double iterative_operations(const SolveSize& size);

/// Factors where they cost less and the matrix takes at most half of the memory. On a GPU by the number of
/// unknowns: there the fill on the host decides.
bool prefers_direct(const SolveSize& size, bool on_gpu, std::size_t free_bytes);

}  // namespace curlew::programs
