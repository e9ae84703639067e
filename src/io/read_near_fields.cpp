// SPDX-License-Identifier: BSD-3-Clause
// [[output.near_field]] of a config.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/near_field_files.hpp"

namespace curlew::io {
namespace {

constexpr long most_points = 100'000'000;

/// `points`: one whole number >= 1 for each direction, of which there may be so many.
std::array<int, 3> read_counts(const Config& table, const std::vector<std::size_t>& directions) {
  const auto counts = table.get<std::vector<long>>("points");
  table.require(std::ranges::count(directions, counts.size()) > 0, "points",
                fmt::format("points must be {} whole numbers", fmt::join(directions, " or ")));
  std::array<int, 3> n{1, 1, 1};
  long total = 1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    table.require(counts[i] >= 1 && counts[i] <= most_points / total, "points",
                  fmt::format("points must be 1 or more in each direction, {} in all at most", most_points));
    n[i] = int(counts[i]);
    total *= counts[i];
  }
  return n;
}

VtkGrid grid_of(Vec3<double> corner, std::array<Vec3<double>, 3> sides, std::array<int, 3> n) {
  for (std::size_t i = 0; i < 3; ++i) sides[i] = (1.0 / std::max(1, n[i] - 1)) * sides[i];
  return regular_grid(corner, sides, n);
}

VtkGrid read_grid(const Config& table, double unit) {
  auto p = table.get<std::vector<Vec3<double>>>("positions");
  table.require(!p.empty(), "positions", "positions must hold at least one point [x, y, z]");
  for (auto& point : p) point = unit * point;
  if (!table.has("points")) {
    VtkGrid grid;
    grid.points = std::move(p);
    for (std::int64_t i = 0; i < std::int64_t(grid.points.size()); ++i) grid.add_cell(VtkCell::vertex, &i, 1);
    return grid;
  }
  if (p.size() == 3) {
    const auto u = p[1] - p[0], v = p[2] - p[0];
    table.require(norm(cross(u, v)) > 0, "positions", "three positions with points must span a plane");
    return grid_of(p[0], {u, v, {}}, read_counts(table, {2}));
  }
  table.require(p.size() == 2, "positions",
                "with points, positions are the two ends of a line, the opposite corners of a grid, or a "
                "corner of a plane and the ends of its sides");
  const auto n = read_counts(table, {1, 3});
  const auto side = p[1] - p[0];
  if (table.get<std::vector<long>>("points").size() == 1) return grid_of(p[0], {side, {}, {}}, n);
  return grid_of(p[0], {Vec3<double>{side.x, 0, 0}, {0, side.y, 0}, {0, 0, side.z}}, n);
}

bool is_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
}

}  // namespace

std::vector<NearFieldRequest> read_near_fields(const Config& config, double unit) {
  std::vector<NearFieldRequest> requests;
  for (const auto& table : config.table("output").tables("near_field")) {
    const auto name = table.get_or<std::string>("name", fmt::format("{}", requests.size() + 1));
    table.require(is_name(name), "name",
                  fmt::format("name \"{}\" becomes part of a file name: use letters, digits, - and _", name));
    for (const auto& other : requests)
      table.require(other.name != name, "name", fmt::format("name \"{}\" occurs twice: give another", name));
    requests.push_back({name, read_grid(table, unit)});
  }
  return requests;
}

}  // namespace curlew::io
