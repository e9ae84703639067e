// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All pairs, in double precision, with the scalar formula: the reference for this module.

#include <span>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

/// u(r_m) = sum_n exp(-jkR)/R Q_n for the observers with indices `which`; coincident pairs contribute
/// nothing.
/// @param potential [which.size()], or nullptr
/// @param gradient  [3, which.size()] row-major, or nullptr
void direct_sum(std::span<const Vec3<double>> sources, std::span<const Vec3<double>> observers,
                std::span<const Offset> which, Complex k, const Complex* charges, Complex* potential,
                Complex* gradient);

}  // namespace curlew::ngim
