// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which unknowns a multilevel preconditioner factorises, and which orders it smooths.

#include <vector>

#include "linalg/csr.hpp"
#include "linalg/krylov/iterative_options.hpp"
#include "linalg/krylov/low_rank.hpp"
#include "linalg/process_group.hpp"

namespace curlew::linalg {

/// Orders that are factorised together. @param offsets first unknowns of the orders and the end
int coarse_orders(const IterativeOptions& options, const std::vector<Index>& offsets);

/// True where factors of a preconditioner that is no inverse may be in single precision.
bool may_shorten_factors(const IterativeOptions& options);
/// True if the factors of the coarse level are in single precision where they serve (short_factors.hpp).
/// @param levels of the preconditioner, the lowest one included
bool takes_short_factors(const IterativeOptions& options, int levels);

void leave_out_empty_orders(std::vector<Index>& offsets);

/// Level of every unknown, 0 for what is factorised. Rows of one pattern stay together. Of a matrix that
/// several processes share: of the rows that it has, which are whole; all of them call it.
std::vector<int> levels_of(const Csr<Complex>& a, const LowRank& term, const std::vector<Index>& offsets,
                           int coarse, const ProcessGroup* group = nullptr);

}  // namespace curlew::linalg
