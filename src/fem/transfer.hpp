// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Unknowns from one space to another of the same mesh and order that differ in what is constrained.

#include <vector>

#include "base/types.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// x += values, where both spaces have the unknown.
/// @param values [from.num_dofs(), columns] @param x [to.num_dofs(), columns], column-major
void add_unknowns(const NedelecSpace& from, const std::vector<Complex>& values, const NedelecSpace& to,
                  std::vector<Complex>& x);

}  // namespace curlew::fem
