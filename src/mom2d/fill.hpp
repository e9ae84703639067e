// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The matrix of a system. Unknowns and equations are scaled by the square roots of the quadrature weights:
// entry sqrt(w_i w_j) K_ij, so that condition numbers are those of the operator, also on graded contours.

#include "linalg/dense/matrix.hpp"
#include "mom2d/near_entries.hpp"
#include "mom2d/system.hpp"

namespace curlew::mom2d {

/// The matrix on the host, by threads.
/// @throws ResourceError with the needed size if it does not fit
linalg::DenseMatrix fill(const Problem& problem, const System& system, const Nodes& nodes,
                         const NearList& near);

/// The near list of a problem, for all its wave numbers; empty for the paper's MoM.
NearList near_list(const Problem& problem, const Scene& scene, const Nodes& nodes);

/// The paper's diagonal entry, its equation 17, as the integral of S over a cell of length w.
Complex paper_diagonal(double k, double w);

}  // namespace curlew::mom2d
