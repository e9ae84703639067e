// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curves as inline SVG: charts with two axes, and the Smith chart.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace curlew::report {

struct Curve {
  std::string name;
  std::vector<double> x, y;  ///< as many; points that are not finite are gaps
};

/// What a quantity may be at x: drawn as a vertical line from low to high.
struct Bar {
  double x, low, high;
};

struct Chart {
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  std::vector<Bar> bars = {};
  bool log_y = false;
  std::optional<double> depth = {};  ///< of decibels: how far below the greatest value the axis goes
};

/// An <svg> element. Curves that lie on another share its line and its place in the legend. Curves behind the
/// twelfth are left out; a line below says how many.
std::string draw(const Chart& chart);

struct ReflectionCurve {
  std::string name;
  std::vector<Complex> gamma;  ///< in ascending frequency
};
/// The Smith chart as an <svg> element, each curve with a mark at its first point.
/// Source: Pozar (2012), Microwave Engineering, 4th ed., section 2.4.
std::string draw_smith(const std::vector<ReflectionCurve>& curves);

}  // namespace curlew::report
