// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Transfers unknowns between spaces of the same mesh and order with different constraints.

#include <vector>

#include "base/types.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// x += values for unknowns of both spaces.
/// @param values [from.num_dofs(), columns] @param x [to.num_dofs(), columns], column-major
void add_unknowns(const NedelecSpace& from, const std::vector<Complex>& values, const NedelecSpace& to,
                  std::vector<Complex>& x);

}  // namespace curlew::fem
