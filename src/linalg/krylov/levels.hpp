// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which unknowns a multilevel preconditioner factorises, and which orders it smooths.

#include <vector>

#include "base/process_group.hpp"
#include "linalg/csr.hpp"
#include "linalg/krylov/iterative_options.hpp"
#include "linalg/krylov/low_rank.hpp"

namespace curlew::linalg {

/// Orders that are factorised together. @param offsets first unknowns of the orders and the end
int coarse_orders(const IterativeOptions& options, const std::vector<Index>& offsets);

/// True if factors of a preconditioner (not the exact inverse) may be in single precision.
bool may_shorten_factors(const IterativeOptions& options);
/// True if single precision is tried for the factors of the coarse level (short_factors.hpp). @param levels
/// of the preconditioner, including the lowest one
bool takes_short_factors(const IterativeOptions& options, int levels);

void leave_out_empty_orders(std::vector<Index>& offsets);

/// Level of every unknown, 0 for those that are factorised. Rows of one pattern have one level. For a
/// distributed matrix: levels of complete rows of this process; collective.
std::vector<int> levels_of(const Csr<Complex>& a, const LowRank& term, const std::vector<Index>& offsets,
                           int coarse, const ProcessGroup* group = nullptr);

}  // namespace curlew::linalg
