// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "io/number_text.hpp"
#include "report/chart.hpp"
#include "report/report.hpp"
#include "report/scattering.hpp"
#include "report/sections.hpp"

namespace curlew::report {
namespace {

constexpr std::size_t most_charts = 24;

/// A number, or for words their index in the list.
double coordinate(const std::string& text, std::size_t place) {
  return io::number_of(text).value_or(double(place + 1));
}

/// "size = 0.2, order = 3" of the swept keys in [first, last).
std::string values_of(const Table& table, std::size_t row, std::size_t first, std::size_t last) {
  std::vector<std::string> parts;
  for (std::size_t i = first; i < last; ++i)
    parts.push_back(
        fmt::format("{} = {}", table.columns[i].substr(table.columns[i].rfind('.') + 1), table.rows[row][i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Results, or what judges the runs, without members of lists, which sweep.csv has.
Table main_columns(const Table& table, std::size_t num_axes, bool judging) {
  Table main{"", {}, {table.rows.size(), std::vector<std::string>{}}};
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto& name = table.columns[column];
    if (column >= 2 + num_axes && (name.find('.') != std::string::npos || is_judging(name) != judging))
      continue;
    main.columns.push_back(table.columns[column]);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const auto& cell = table.rows[row][column];
      const auto value = io::number_of(cell);
      main.rows[row].push_back(value ? fmt::format("{:.6g}", *value) : cell);
    }
  }
  return main;
}

/// One result over the first swept key, a curve for every combination of the others.
std::string chart_of(const Table& table, std::size_t column, std::size_t num_axes) {
  std::map<std::string, Curve> curves;
  double least = INFINITY, most = -INFINITY;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& cell = table.rows[row][column];
    if (cell.empty()) continue;
    Curve& curve = curves[values_of(table, row, 2, 1 + num_axes)];
    curve.x.push_back(coordinate(table.rows[row][1], row));
    curve.y.push_back(io::number_of(cell).value_or(0));
    least = std::min(least, curve.y.back()), most = std::max(most, curve.y.back());
  }
  const bool varies = most - least > 1e-6 * std::max(std::abs(least), std::abs(most));
  const auto& name = table.columns[column];
  const auto [unit, meaning] = declared(name);
  Chart chart{is_judging(name) || !varies ? "" : "numbers", meaning.empty() ? name : name + ": " + meaning,
              table.columns[1], unit.empty() || unit == "1" ? name : fmt::format("{} ({})", name, unit)};
  for (auto& [others, curve] : curves) {
    curve.name = others;
    chart.curves.push_back(curve);
  }
  return draw(chart);
}

/// A point with a page.
struct Point {
  std::string folder, name;
  int curve = -1;  ///< its index among the curves of S
  Scattering scattering = {};
};

std::vector<Point> read_points(const std::string& folder, const Table& table, std::size_t num_axes) {
  std::vector<Point> points;
  int curves = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto place = std::filesystem::path(folder) / table.rows[row][0];
    std::error_code fault;
    if (!std::filesystem::exists(place / "report.html", fault)) continue;
    points.push_back({table.rows[row][0], values_of(table, row, 1, 1 + num_axes)});
    std::ifstream file(place / "summary.json");
    const auto summary = nlohmann::ordered_json::parse(file, nullptr, false);
    if (summary.is_discarded() || !summary.contains("results")) continue;
    points.back().scattering = read_scattering(summary["results"]);
    if (points.back().scattering.frequencies.size() > 1) points.back().curve = curves++;
  }
  return points;
}

/// S over frequency of all points: a chart for each main entry of the first point, a curve per point.
std::string families(const std::vector<Point>& points) {
  constexpr std::size_t most_charts_of_s = 4;
  const auto first =
      std::find_if(points.begin(), points.end(), [](const Point& point) { return point.curve >= 0; });
  if (first == points.end()) return "";
  auto groups = group_entries(first->scattering);
  groups.resize(std::min(groups.size(), most_charts_of_s));
  std::string content;
  for (const auto& [name, chosen] : groups) {
    Chart chart{"s", name + " of all points", "frequency_hz", "s_db"};
    chart.family = true;
    for (const Point& point : points) {
      if (point.curve < 0) continue;
      Curve curve{point.name, point.scattering.frequencies};
      curve.y.resize(curve.x.size(), NAN);
      for (Entry entry : point.scattering.entries)
        if (entry.to == chosen->to && entry.from == chosen->from) {
          entry.error.clear();
          curve = level_of(entry, point.scattering.frequencies, point.name);
        }
      chart.curves.push_back(std::move(curve));
    }
    content += draw(chart);
  }
  return section("S-parameters", content);
}

std::string slider(const std::vector<Point>& points) {
  if (points.empty()) return "";
  nlohmann::json data;
  for (const Point& point : points)
    data["folders"].push_back(point.folder), data["names"].push_back(point.name),
        data["curves"].push_back(point.curve);
  return "<h2>Points</h2>\n" + figure("points", "One of them", data);
}

}  // namespace

void write_sweep_report(const std::string& folder, const Content& content, const Table& table,
                        std::size_t num_axes) {
  if (table.rows.empty()) return;
  const auto points = read_points(folder, table, num_axes);
  std::string page = page_head(escape(content.title.empty() ? "Sweep" : content.title)), results, judging;
  std::size_t charts = 0;
  for (std::size_t column = 2 + num_axes; column < table.columns.size() && charts < most_charts; ++column) {
    if (table.columns[column].find('.') != std::string::npos) continue;  // members of lists
    (is_judging(table.columns[column]) ? judging : results) += chart_of(table, column, num_axes), ++charts;
  }
  page += families(points) + section("Results over the swept key", results) + slider(points) +
          "<h2>Table</h2>\n" + html_table(main_columns(table, num_axes, false)) +
          folded("Checks, time and memory",
                 html_table(main_columns(table, num_axes, true)) + section("Checks of the runs", judging)) +
          "<p><a href=\"sweep.csv\">sweep.csv</a>, <a href=\"summary.json\">summary.json</a></p>\n" +
          page_end();
  io::write_text_file((std::filesystem::path(folder) / "report.html").string(), page);
}

}  // namespace curlew::report
