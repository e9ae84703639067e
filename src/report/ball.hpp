// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A far field as a ball: its distance from the centre is the gain in decibels over the least that is drawn.

#include <string>

#include "io/csv.hpp"

namespace curlew::report {

/// A canvas to turn with the mouse, with its script; empty where the directions of the table do not go round.
/// Needs columns theta_deg, phi_deg and realized_gain_dbi of farfield.csv.
std::string draw_ball(const io::CsvTable& far_field);

}  // namespace curlew::report
