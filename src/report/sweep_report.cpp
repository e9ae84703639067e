// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "io/atomic_file.hpp"
#include "report/chart.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace curlew::report {
namespace {

constexpr std::size_t most_charts = 24;

/// The page of a point in a frame, the point by a slider.
constexpr const char* script = R"js(
(() => {
  const slider = document.getElementById('point'), frame = document.getElementById('frame');
  const show = () => {
    const p = points[slider.value];
    document.getElementById('name').textContent = p[1];
    frame.src = p[0] + '/report.html';
  };
  slider.onchange = show;
  slider.oninput = () => { document.getElementById('name').textContent = points[slider.value][1]; };
  show();
})();
)js";

/// A number; the place in the list for words.
double coordinate(const std::string& text, std::size_t place) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? double(place + 1) : value;
}

/// "mesh.size=0.2, space.order=3" of the swept keys in [first, last).
std::string values_of(const Table& table, std::size_t row, std::size_t first, std::size_t last) {
  std::vector<std::string> parts;
  for (std::size_t i = first; i < last; ++i) parts.push_back(table.columns[i] + "=" + table.rows[row][i]);
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// One result over the first swept key, a curve for every combination of the others.
std::string chart_of(const Table& table, std::size_t column, std::size_t num_axes) {
  std::map<std::string, Curve> curves;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& cell = table.rows[row][column];
    if (cell.empty()) continue;
    Curve& curve = curves[values_of(table, row, 2, 1 + num_axes)];
    curve.x.push_back(coordinate(table.rows[row][1], row));
    curve.y.push_back(std::strtod(cell.c_str(), nullptr));
  }
  Chart chart{table.columns[column], table.columns[1], table.columns[column], {}};
  for (auto& [name, curve] : curves) {
    curve.name = name;
    chart.curves.push_back(curve);
  }
  return draw(chart);
}

/// Failed points have no page.
std::string slider(const std::string& folder, const Table& table, std::size_t num_axes) {
  std::string points;
  std::size_t count = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::error_code fault;
    if (!std::filesystem::exists(std::filesystem::path(folder) / table.rows[row][0] / "report.html", fault))
      continue;
    ++count;
    std::string name = values_of(table, row, 1, 1 + num_axes);
    std::erase_if(name, [](char c) { return c == '"' || c == '\\' || c == '<'; });
    points += fmt::format("[\"{}\",\"{}\"],\n", table.rows[row][0], name);
  }
  if (count == 0) return "";
  return fmt::format(
      "<h2>Points</h2>\n<p><input id=\"point\" type=\"range\" min=\"0\" max=\"{}\" value=\"0\"> <span "
      "id=\"name\"></span></p>\n<iframe id=\"frame\" title=\"point\" width=\"100%\" "
      "height=\"900\"></iframe>\n<script>\nconst points = [{}];{}</script>\n",
      count - 1, points, script);
}

}  // namespace

void write_sweep_report(const std::string& folder, const Content& content, const Table& table,
                        std::size_t num_axes) {
  if (table.rows.empty()) return;
  std::string page = page_head(escape(content.title.empty() ? "Sweep" : content.title));
  std::size_t charts = 0;
  for (std::size_t column = 2 + num_axes; column < table.columns.size() && charts < most_charts; ++column) {
    if (table.columns[column].find('.') != std::string::npos) continue;  // members of lists
    page += chart_of(table, column, num_axes), ++charts;
  }
  page += slider(folder, table, num_axes) + "<h2>Table</h2>\n" + html_table(table) +
          "<p><a href=\"sweep.csv\">sweep.csv</a>, <a href=\"summary.json\">summary.json</a></p>\n" +
          page_end;
  io::write_text_file((std::filesystem::path(folder) / "report.html").string(), page);
}

}  // namespace curlew::report
