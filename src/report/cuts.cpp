// SPDX-License-Identifier: BSD-3-Clause
#include "report/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace curlew::report {
namespace {

constexpr std::size_t most_cuts = 4;

bool is_constant(const io::CsvTable& table, const std::string& column) {
  const auto& cells = table.text.at(column);
  return std::all_of(cells.begin(), cells.end(), [&](const auto& cell) { return cell == cells.front(); });
}

Curve curve_of(const std::string& name, const std::vector<std::size_t>& rows, const std::vector<double>& x,
               const std::vector<double>& y) {
  Curve curve{name, {}, {}};
  for (const auto row : rows) curve.x.push_back(x[row]), curve.y.push_back(y[row]);
  return curve;
}

}  // namespace

std::string label(const std::string& column, const std::string& value) {
  const double number = std::strtod(value.c_str(), nullptr);
  if (column == "frequency_hz") {
    if (number >= 1e12) return fmt::format("{:.5g} THz", number / 1e12);
    return number >= 1e6 ? fmt::format("{:.5g} GHz", number / 1e9) : fmt::format("{:.5g} Hz", number);
  }
  if (column.ends_with("_inc_deg"))
    return fmt::format("{} of the wave {:.4g}°", column.substr(0, column.size() - 8), number);
  if (column.ends_with("_deg")) return fmt::format("{} {:.4g}°", column.substr(0, column.size() - 4), number);
  return value;
}

std::vector<Group> group_rows(const io::CsvTable& table, const std::vector<std::string>& by) {
  std::vector<std::string> telling;
  for (const auto& column : by)
    if (table.text.contains(column) && !is_constant(table, column)) telling.push_back(column);
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t row = 0; row < table.num_rows; ++row) {
    std::string name;
    for (const auto& column : telling)
      name += (name.empty() ? "" : ", ") + label(column, table.text.at(column)[row]);
    const auto [at, is_new] = known.emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}});
    groups[at->second].rows.push_back(row);
  }
  return groups;
}

std::vector<Curve> pattern_cuts(const io::CsvTable& table, const CutColumns& columns, std::string& x_label) {
  const bool has_theta = table.text.contains("theta_deg") && !is_constant(table, "theta_deg");
  const std::string over = has_theta ? "theta_deg" : "phi_deg", across = has_theta ? "phi_deg" : "theta_deg";
  x_label = has_theta ? "theta, degrees" : "phi, degrees";
  const auto x = table.numbers(over), y = table.numbers(columns.value);
  std::vector<Curve> curves;
  for (const Group& group : group_rows(table, columns.by)) {
    if (!table.text.contains(across)) {
      curves.push_back(curve_of(group.name, group.rows, x, y));
      continue;
    }
    std::map<double, std::vector<std::size_t>> cuts;
    const auto& angles = table.text.at(across);
    for (const auto row : group.rows) cuts[std::strtod(angles[row].c_str(), nullptr)].push_back(row);
    const std::size_t kept = std::min(most_cuts, cuts.size());
    std::set<std::size_t> wanted;
    for (std::size_t i = 0; i < kept; ++i) wanted.insert(i * cuts.size() / kept);
    std::size_t number = 0;
    for (const auto& [angle, rows] : cuts) {
      if (!wanted.contains(number++)) continue;
      const std::string cut = cuts.size() > 1 ? label(across, fmt::format("{}", angle)) : "";
      const bool both = !group.name.empty() && !cut.empty();
      curves.push_back(curve_of(group.name + (both ? ", " : "") + cut, rows, x, y));
    }
  }
  return curves;
}

std::vector<Curve> curves_of(const io::CsvTable& table, const std::vector<std::string>& by,
                             const std::string& x, const std::string& y) {
  const auto xs = table.numbers(x), ys = table.numbers(y);
  std::vector<Curve> curves;
  for (const Group& group : group_rows(table, by)) curves.push_back(curve_of(group.name, group.rows, xs, ys));
  return curves;
}

}  // namespace curlew::report
