// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How much of the currents of closed conductors is a resonance of their inside. The total field in a
// conductor is zero; an EFIE near a resonance of the inside leaves currents that radiate nothing and fill it
// with a mode. By the jump J = n x (H_out - H_in) the tangential H just inside is the error of the current.

#include <functional>

#include "green/plane_wave.hpp"
#include "ie/system.hpp"

namespace curlew::ie {

/// The RMS of n x H one edge behind up to `samples` triangles over that of J there: an estimate of the
/// relative error of the currents, good where it is above that of the discretisation (some per cent). 0 where
/// no conductor in the vacuum outside is closed and thicker than two edges.
/// @param x [unknowns] @param incident field of the sources outside
double interior_share(const System& system, const Complex* x,
                      const std::function<green::FieldPair(Vec3<double>)>& incident, Index samples = 64);

}  // namespace curlew::ie
