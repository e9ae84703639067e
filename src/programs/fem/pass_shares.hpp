// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error contributions of cells for adaptive passes of finite elements.

#include "fem/adaptive/surplus.hpp"
#include "programs/refinement.hpp"

namespace curlew::programs {

/// Whether all media are reciprocal, so that the dual problem has the same matrix.
bool has_reciprocal_media(const fem::Model& model);

/// Adds the cells' contributions to the error, their orders, and which are at sharp edges.
void add_shares(const fem::SurplusErrors& found, const fem::NedelecSpace& space, const fem::Model& model,
                Pass& pass);

}  // namespace curlew::programs
