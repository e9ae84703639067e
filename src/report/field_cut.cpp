// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
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

/// One field of a group as a wave of page.js. @param rows of the table, in the order of the points
json wave(const io::CsvTable& table, char name, const std::vector<std::size_t>& rows) {
  std::array<std::vector<double>, 6> parts;
  double greatest = 0;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    parts[n] = table.numbers(fmt::format("{}_{}{}", n < 3 ? "re" : "im", name, "xyz"[n % 3]));
    for (const auto row : rows) greatest = std::max(greatest, std::abs(parts[n][row]));
  }
  json made{{"on", true}, {"scale", greatest / levels}, {"unit", name == 'e' ? "V/m" : "A/m"}};
  for (const auto row : rows)
    for (std::size_t n = 0; n < parts.size(); ++n)
      made[n < 3 ? "re" : "im"].push_back(greatest > 0 ? std::lround(levels * parts[n][row] / greatest) : 0);
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
  json scenes = json::array(), faces = json::array();
  std::vector<double> points;
  std::optional<Grid> grid;
  for (const auto number : every_nth(groups.size(), most_pictures)) {
    const Group& group = groups[number];
    std::vector<Vec3<double>> places;
    for (const auto row : group.rows) places.push_back({x[row], y[row], z[row]});
    grid = grid_of(places);
    if (!grid) return "";
    const auto columns = every_nth(grid->columns, most_grid_lines),
               lines = every_nth(grid->rows, most_grid_lines);
    std::vector<std::size_t> rows;
    for (const auto v : lines)
      for (const auto u : columns) rows.push_back(group.rows[v * grid->columns + u]);
    if (scenes.empty()) {  // all groups have these points; cells without a field are left out
      for (const auto row : rows) points.insert(points.end(), {x[row], y[row], z[row]});
      for (std::size_t at = columns.size() + 1; at < rows.size(); ++at) {
        const auto below = at - columns.size();
        const auto is_outside = [&](auto corner) { return origin[rows[corner]] == "none"; };
        const std::array corners{at, at - 1, below, below - 1};
        if (at % columns.size() == 0 || std::any_of(corners.begin(), corners.end(), is_outside)) continue;
        faces.insert(faces.end(), {at, at - 1, below, at - 1, below - 1, below});
      }
    }
    for (const char field : {'e', 'h'}) {
      const auto shown =
          fmt::format("{}{}{}", char(std::toupper(field)), group.name.empty() ? "" : ", ", group.name);
      scenes.push_back({{"name", shown}, {"parts", json::array({wave(table, field, rows)})}});
    }
  }
  if (!grid) return "";
  const auto normal = cross(grid->right - grid->corner, grid->up - grid->corner);
  const auto title = fmt::format("Field on {}: corners {}, {}, {}", name, place(grid->corner),
                                 place(grid->right), place(grid->up));
  return figure("body", title,
                {{"title", title},
                 {"points", rounded(points, 5)},
                 {"faces", faces},
                 {"scenes", scenes},
                 {"normal", {normal.x / norm(normal), normal.y / norm(normal), normal.z / norm(normal)}}});
}

}  // namespace curlew::report
