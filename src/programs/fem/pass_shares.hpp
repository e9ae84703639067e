// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the errors of a finite element solution say to an adaptive pass.

#include "fem/adaptive/surplus.hpp"
#include "programs/refinement.hpp"

namespace curlew::programs {

/// Whether a problem is its own dual, as passes need it.
bool has_reciprocal_media(const fem::Model& model);

/// Adds the shares of cells, and states the orders of their elements and which are at sharp edges.
void add_shares(const fem::SurplusErrors& found, const fem::NedelecSpace& space, const fem::Model& model,
                Pass& pass);

}  // namespace curlew::programs
