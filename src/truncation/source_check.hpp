// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sources must be inside S' with some distance: the currents on S' have to represent their field.

#include <span>

#include "fem/open/excitation.hpp"
#include "fem/space.hpp"
#include "truncation/surfaces.hpp"

namespace curlew::truncation {

/// @param exterior cells between S' and S
/// @throws InputError if a dipole is in no cell, outside of S', or in a cell at S'; the same for a region
/// of current
void check_source(const fem::NedelecSpace& space, const fem::Excitation& source,
                  std::span<const Index> exterior, const Surfaces& surfaces);

}  // namespace curlew::truncation
