// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Charts as numbers on the page: page.js draws them there, `curlew plot` as pictures. Labels, ranges and
// colours stand in charts.json.

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace curlew::report {

struct Curve {
  std::string name;
  std::vector<double> x, y = {};  ///< as many; what is not finite is a gap. Of Smith charts y is Re(gamma)
  std::vector<double> low = {}, high = {};  ///< error bars, like y; empty without
  std::vector<double> im = {};              ///< Im(gamma) of Smith charts
  int colour = -1;                          ///< number in the table; -1: by the place of the curve
  bool dash = false;
  std::vector<std::size_t> points = {};  ///< those computed, where the curve has more; empty: all are
};

/// Forbidden region for curves: from x to x, above (beyond > 0) or below a limit.
struct Mask {
  double from, to, limit;
  int beyond;
};

struct Chart {
  std::string picture;  ///< of `curlew plot`, which has all charts of this name; empty: of none
  std::string title;
  std::string x, y;  ///< quantities of the table; those that it does not have are labels themselves
  std::vector<Curve> curves = {};
  std::string kind = "line";  ///< line, polar (x: degrees, y: decibels) or smith (x: frequency)
  bool log = false;
  bool family = false;  ///< curves of one quantity, shaded in order
  std::vector<Mask> masks = {};
  std::optional<std::array<double, 2>> range = {};  ///< of y, in place of that of the quantity
  std::optional<double> frequency = {};  ///< [Hz] of a picture of one frequency, which `--frequency` chooses
};

// Contents of python/curlew_em/charts.json, draw/page.css and draw/page.js.
extern const char* const chart_table;
extern const char* const page_style;
extern const char* const page_script;

/// charts.json.
const nlohmann::json& table();

/// Unit and meaning of a number of `results` in the summary, "bar of resonance number 2"; empty of an unknown
/// one.
std::pair<std::string, std::string> declared(const std::string& name);
/// The label of a quantity, else its name.
std::string label_of(const std::string& quantity);
/// Whether a number describes the quality of a run and is no physical result.
bool is_judging(const std::string& name);
/// The size and name of the unit in which frequencies [Hz] up to `greatest` are drawn.
std::pair<double, const char*> frequency_unit(double greatest);

/// Numbers with `digits`; null for what is not finite.
nlohmann::json rounded(const std::vector<double>& values, int digits = 6);
/// A <figure> that page.js fills.
std::string figure(const char* kind, const std::string& title, const nlohmann::json& data);
/// A chart; empty without points. Curves above the table's `most_curves` are left out, which the title says.
std::string draw(Chart chart);

}  // namespace curlew::report
