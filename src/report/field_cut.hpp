// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields on a named plane as a picture that moves with the phase.

#include <string>

#include "io/csv.hpp"

namespace curlew::report {

/// E and H of near_NAME.csv: a component at an instant, or the length of the vector of amplitudes. Of more
/// than eight excitations and frequencies the first, the last and those at equal steps between are kept, of
/// more than 120 lines of points every second, third, ...
/// @return empty if the points of the table are no grid of lines over a parallelogram, one line after the
/// other
std::string draw_field_cut(const io::CsvTable& table, const std::string& name);

}  // namespace curlew::report
