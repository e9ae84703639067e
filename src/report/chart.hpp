// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Charts as numbers on the page, which page.js draws. Labels, ranges and colours are in charts.json.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace curlew::report {

struct Curve {
  std::string name;
  std::vector<double> x, y;  ///< as many; values that are not finite are gaps. Of Smith charts y is Re(gamma)
  std::vector<double> low, high = {};  ///< error bars, like y; empty without
  std::vector<double> im = {};         ///< Im(gamma) of Smith charts
  int colour = -1;                     ///< index in the table; -1: by the position of the curve
  bool dash = false;
};

/// Forbidden region for curves: from x to x, above (beyond > 0) or below a limit.
struct Mask {
  double from, to, limit;
  int beyond;
};

struct Chart {
  std::string title;
  std::string x, y;  ///< quantities of the table; other texts are used as labels
  std::vector<Curve> curves;
  std::string kind = "line";  ///< line, polar (x: degrees, y: decibels) or smith (x: frequency)
  bool log = false;
  bool family = false;  ///< curves of one quantity, shaded in order
  std::vector<Mask> masks = {};
};

/// charts.json.
const nlohmann::json& table();
/// The label of a quantity, else its name.
std::string label_of(const std::string& quantity);
/// Whether a number describes the quality of a run and is no physical result.
bool is_judging(const std::string& name);
/// The size and name of the unit in which frequencies [Hz] up to `greatest` are drawn.
std::pair<double, const char*> frequency_unit(double greatest);

/// Numbers as a JSON list, with `digits`; null for values that are not finite.
std::string json_numbers(const std::vector<double>& values, int digits = 6);
/// Text as a JSON string, safe within a script.
std::string json_text(const std::string& text);
/// A <figure> that page.js fills. @param data JSON
std::string figure(const char* kind, const std::string& title, const std::string& data);
/// A chart; empty without points. Curves beyond the largest number set in the table are omitted, which the
/// title says.
std::string draw(Chart chart);

}  // namespace curlew::report
