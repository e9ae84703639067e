// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "io/number_text.hpp"
#include "report/chart.hpp"
#include "report/report.hpp"
#include "report/sections.hpp"

namespace curlew::report {
namespace {

using nlohmann::json;
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
  if (!varies) return "";  // the table has it
  const auto& name = table.columns[column];
  const auto [unit, meaning] = declared(name);
  Chart chart{is_judging(name) ? "" : "numbers", meaning.empty() ? name : name + ": " + meaning,
              table.columns[1], unit.empty() || unit == "1" ? name : fmt::format("{} ({})", name, unit)};
  for (auto& [others, curve] : curves) {
    curve.name = others;
    chart.curves.push_back(curve);
  }
  return draw(chart);
}

/// A point with a page, and the charts of that whose curves are compared.
struct Point {
  std::string folder, name;
  std::vector<json> charts = {};
  std::string warning = {};  ///< the first of its page, as HTML
};

std::vector<Point> read_points(const std::string& folder, const Table& table, std::size_t num_axes) {
  constexpr std::string_view start = "class=\"chart\">", end = "</script>", warns = "<p class=\"warning\">";
  std::vector<Point> points;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::ifstream file(std::filesystem::path(folder) / table.rows[row][0] / "report.html");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    if (page.empty()) continue;
    points.push_back({table.rows[row][0], values_of(table, row, 1, 1 + num_axes)});
    if (const auto at = page.find(warns); at != std::string::npos)
      points.back().warning = page.substr(at, page.find("</p>", at) - at).substr(warns.size());
    for (auto at = page.find(start); at != std::string::npos; at = page.find(start, at)) {
      at += start.size();
      auto chart = json::parse(page.substr(at, page.find(end, at) - at), nullptr, false);
      const auto& drawn = report::table()["families"];
      if (chart.is_discarded() || !chart.contains("x_size") ||  // of an older version
          std::find(drawn.begin(), drawn.end(), chart.value("picture", "")) == drawn.end())
        continue;
      for (json& curve : chart["curves"]) curve.erase("low"), curve.erase("high");
      points.back().charts.push_back(std::move(chart));
    }
  }
  return points;
}

/// A curve of a chart as another point has it, in the frequency unit of the first; empty without one.
json same_curve(const json& chart, const json& curve, const Point& point) {
  const auto padded = [](const json& each) { return " = " + each["name"].get<std::string>() + " = "; };
  const std::string first = padded(curve).substr(0, padded(curve).find(" = ", 3) + 3);
  json found{{"name", point.name}, {"x", json::array()}, {"y", json::array()}};
  for (const json& other : point.charts) {
    const auto differs = [&](const char* key) {
      return other.value(key, json()) != chart.value(key, json());
    };
    if (differs("picture") || differs("kind") || differs("y") || differs("frequency_hz")) continue;
    if (chart["x_size"] == 1 && differs("x")) continue;  // directions of observation or of incidence
    for (const json& each : other["curves"]) {
      if (!found["x"].empty() || padded(each).find(first) == std::string::npos) continue;
      for (const char* key : {"x", "y", "points"})
        if (each.contains(key)) found[key] = each[key];
      const double unit = other["x_size"].get<double>() / chart["x_size"].get<double>();
      for (json& x : found["x"]) x = x.get<double>() * unit;
    }
  }
  return found;
}

/// A chart with a curve of each point for each curve of the first point, of the pictures that charts.json
/// lists.
std::string families(const std::vector<Point>& points) {
  constexpr std::size_t most_of_a_chart = 4;
  std::string content;
  std::size_t count = 0;
  for (const json& chart : points.empty() ? std::vector<json>{} : points.front().charts) {
    const std::string picture = chart["picture"], title = chart["title"];
    for (std::size_t n = 0; n < std::min(chart["curves"].size(), most_of_a_chart); ++n) {
      const json& curve = chart["curves"][n];
      const std::string name = curve["name"];
      if (curve["x"].size() < 2 || ++count > most_charts) continue;
      json family = chart;
      const auto head = picture == "s" ? name : title.substr(0, title.find(", "));
      std::string rest =
          picture == "s" || title.find(", greatest") != std::string::npos ? "" : title.substr(head.size());
      if (picture != "s" && !name.empty()) rest += ", " + name;
      family["title"] = head + " of all points" + rest;
      family["family"] = true, family["curves"] = json::array();
      for (const Point& point : points) family["curves"].push_back(same_curve(chart, curve, point));
      content += figure("chart", family["title"], family);
    }
  }
  return section("Curves of all points", content);
}

std::string warnings(const std::vector<Point>& points) {
  const auto warns = [](const Point& point) { return !point.warning.empty(); };
  const auto first = std::find_if(points.begin(), points.end(), warns);
  if (first == points.end()) return "";
  return fmt::format("<h2>Warnings</h2>\n<p class=\"warning\">{} of {} points have warnings; {}: {}</p>\n",
                     std::count_if(points.begin(), points.end(), warns), points.size(), escape(first->name),
                     first->warning);
}

std::string slider(const std::vector<Point>& points) {
  if (points.empty()) return "";
  json data;
  for (const Point& point : points)
    data["folders"].push_back(point.folder), data["names"].push_back(point.name);
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
  page += warnings(points) + families(points) + section("Results over the swept key", results) +
          slider(points) + "<h2>Table</h2>\n" + html_table(main_columns(table, num_axes, false)) +
          folded("Checks, time and memory",
                 html_table(main_columns(table, num_axes, true)) + section("Checks of the runs", judging)) +
          "<p><a href=\"sweep.csv\">sweep.csv</a>, <a href=\"summary.json\">summary.json</a></p>\n" +
          page_end();
  io::write_text_file((std::filesystem::path(folder) / "report.html").string(), page);
}

}  // namespace curlew::report
