// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/vec3.hpp"
#include "report/chart.hpp"
#include "report/cuts.hpp"
#include "report/sections.hpp"

namespace curlew::report {
namespace {

using nlohmann::json;
constexpr std::size_t most_pictures = 8, most_grid_lines = 120;
constexpr double levels = 999;  // of the largest component, as integers

/// Points corner + u du + v dv, u the faster.
struct Grid {
  std::size_t columns, rows;
  Vec3<double> corner, right, up;  ///< its ends [m]
};

std::optional<Grid> grid_of(const std::vector<Vec3<double>>& points) {
  if (points.size() < 4) return std::nullopt;
  const auto du = points[1] - points[0];
  const double extent = norm(points.back() - points.front());
  const auto is_near = [&](const Vec3<double>& a, const Vec3<double>& b) {
    return norm(a - b) < 1e-6 * extent;
  };
  std::size_t columns = 2;
  while (columns < points.size() && is_near(points[columns] - points[columns - 1], du)) ++columns;
  if (columns == points.size() || points.size() % columns != 0) return std::nullopt;
  const auto dv = points[columns] - points[0];
  if (norm(cross(du, dv)) < 1e-6 * norm(du) * norm(dv)) return std::nullopt;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_near(points[i], points[0] + double(i % columns) * du + double(i / columns) * dv))
      return std::nullopt;
  return Grid{columns, points.size() / columns, points[0], points[columns - 1],
              points[points.size() - columns]};
}

/// One field of a group. @param rows of the table, in the order of the picture
json field(const io::CsvTable& table, char name, const std::vector<std::size_t>& rows) {
  std::vector<std::vector<double>> parts;
  double greatest = 0;
  for (const char* kind : {"re", "im"})
    for (const char axis : {'x', 'y', 'z'}) {
      parts.push_back(table.numbers(fmt::format("{}_{}{}", kind, name, axis)));
      for (const auto row : rows) greatest = std::max(greatest, std::abs(parts.back()[row]));
    }
  json made{{"top", greatest}};
  for (std::size_t n = 0; n < parts.size(); ++n) {
    json values = json::array();
    for (const auto row : rows)
      values.push_back(greatest > 0 ? std::lround(levels * parts[n][row] / greatest) : 0);
    made[n < 3 ? "re" : "im"].push_back(values);
  }
  return made;
}

std::string place(const Vec3<double>& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g}) mm", 1e3 * p.x, 1e3 * p.y, 1e3 * p.z);
}

}  // namespace

std::string draw_field_cut(const io::CsvTable& table, const std::string& name) {
  const auto x = table.numbers("x_m"), y = table.numbers("y_m"), z = table.numbers("z_m");
  const auto& origin = table.text.at("origin");
  const auto groups = group_rows(table, {"frequency_hz", "excitation", "field"});
  json cuts = json::array();
  std::optional<Grid> grid;
  for (const auto number : every_nth(groups.size(), most_pictures)) {
    const Group& group = groups[number];
    std::vector<Vec3<double>> points;
    for (const auto row : group.rows) points.push_back({x[row], y[row], z[row]});
    grid = grid_of(points);
    if (!grid) return "";
    const auto columns = every_nth(grid->columns, most_grid_lines),
               lines = every_nth(grid->rows, most_grid_lines);
    std::vector<std::size_t> rows, none;
    for (const auto v : lines)
      for (const auto u : columns) {
        const auto row = group.rows[v * grid->columns + u];
        if (origin[row] == "none") none.push_back(rows.size());
        rows.push_back(row);
      }
    cuts.push_back({{"name", group.name},
                    {"columns", columns.size()},
                    {"rows", lines.size()},
                    {"width", norm(grid->right - grid->corner)},
                    {"height", norm(grid->up - grid->corner)},
                    {"none", none},
                    {"fields", {{"E", field(table, 'e', rows)}, {"H", field(table, 'h', rows)}}}});
  }
  if (!grid) return "";
  const auto title = fmt::format("Field on {}: lower left corner {}, lower right {}, upper left {}", name,
                                 place(grid->corner), place(grid->right), place(grid->up));
  return figure("field", title, {{"title", title}, {"cuts", cuts}});
}

}  // namespace curlew::report
