// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What rounding leaves in a solution, which no smaller cell removes.

#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// Estimated error of the far-field amplitudes of a wave by rounding, as that of far_amplitude.
///
/// An error of row i changes an amplitude by that row's value of the dual solution, which is of the size of
/// the solution itself, since amplitudes are reactions of two plane waves. Rows are wrong by
/// - the residual of the solver, and rounding errors of the entries;
/// - the kernel 1/(2 pi R^2) of N where nodes a distance d apart have positions wrong by the unit roundoff of
///   |x|: in TE at deeply graded corners, where Hz is not small. On the boundary between two dielectrics
/// these errors cancel, as N does in Müller's equations.
double rounding_error(const Solution& solution, std::size_t wave);

}  // namespace curlew::mom2d
