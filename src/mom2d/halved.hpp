// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Contours with every cell halved, on the same curve.

#include <array>

#include "mom2d/contour.hpp"

namespace curlew::mom2d {

/// Both halves of a cell, in the order of its parameter.
std::array<Panel, 2> halves_of(const Panel& panel);
Contour halved(const Contour& contour);

}  // namespace curlew::mom2d
