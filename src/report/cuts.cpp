// SPDX-License-Identifier: BSD-3-Clause
#include "report/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "io/number_text.hpp"

namespace curlew::report {
std::vector<double> numbers_of(const io::CsvTable& table, const std::string& column) {
  if (!table.text.contains(column)) return table.numbers(column);  // which reports the error
  std::vector<double> values;
  for (const auto& cell : table.text.at(column)) values.push_back(io::number_of(cell).value_or(NAN));
  return values;
}

std::vector<std::size_t> every_nth(std::size_t count, std::size_t most) {
  const std::size_t stride = (count + most - 1) / most;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; i += stride) kept.push_back(i);
  return kept;
}

bool is_constant(const io::CsvTable& table, const std::string& column) {
  const auto& cells = table.text.at(column);
  return std::all_of(cells.begin(), cells.end(), [&](const auto& cell) { return cell == cells.front(); });
}

std::string label(const std::string& column, const std::string& value) {
  const double number = io::number_of(value).value_or(0);
  if (column == "frequency_hz") {
    const auto [size, name] = frequency_unit(number);
    return fmt::format("{:.6g} {}", number / size, name);
  }
  if (column == "polarization") return table()["waves"].value(value, value);
  if (column.ends_with("_inc_deg"))
    return fmt::format("{} of the wave {:.4g}°", column.substr(0, column.size() - 8), number);
  if (column.ends_with("_deg")) return fmt::format("{} {:.4g}°", column.substr(0, column.size() - 4), number);
  return value;
}

std::vector<Group> group_rows(const io::CsvTable& table, const std::vector<std::string>& by,
                              const std::vector<std::size_t>* rows) {
  std::vector<std::string> telling;
  std::vector<const std::vector<std::string>*> cells;
  for (const auto& column : by)
    if (table.text.contains(column) && !is_constant(table, column))
      telling.push_back(column), cells.push_back(&table.text.at(column));
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  std::size_t of_last = 0;
  for (std::size_t i = 0; i < (rows ? rows->size() : table.num_rows); ++i) {
    const std::size_t row = rows ? (*rows)[i] : i;
    const bool repeats = !groups.empty() && std::all_of(cells.begin(), cells.end(), [&](const auto* column) {
      return (*column)[row] == (*column)[groups[of_last].rows.back()];
    });
    if (!repeats) {  // making names takes longer than comparing cells
      std::string name;
      for (std::size_t c = 0; c < cells.size(); ++c)
        name += (name.empty() ? "" : ", ") + label(telling[c], (*cells[c])[row]);
      const auto [at, is_new] = known.emplace(name, groups.size());
      if (is_new) groups.push_back({name, {}});
      of_last = at->second;
    }
    groups[of_last].rows.push_back(row);
  }
  return groups;
}

Curve curve_of(const Group& group, const std::vector<double>& x, const std::vector<double>& y) {
  Curve curve{group.name, {}};
  for (const auto row : group.rows) curve.x.push_back(x[row]), curve.y.push_back(y[row]);
  return curve;
}

Curve curve_of(const std::string& name, const std::map<double, double>& line) {
  Curve curve{name, {}};
  for (const auto& [x, y] : line) curve.x.push_back(x), curve.y.push_back(y);
  return curve;
}

Sphere sphere_of(const io::CsvTable& table, const std::vector<std::size_t>& rows, const std::string& value) {
  const auto number = [&](const std::string& column, std::size_t row) {
    const auto found = table.text.find(column);
    return found == table.text.end() ? std::nullopt : io::number_of(found->second[row]);
  };
  Sphere sphere;
  for (const auto row : rows)
    sphere[number("theta_deg", row).value_or(90)][number("phi_deg", row).value_or(90)] =
        number(value, row).value_or(NAN);
  return sphere;
}

std::vector<Curve> cuts(const Sphere& sphere) {
  constexpr double alike = 0.01;  // dB: within it the choice of the cut does not depend on the mesh
  double best_theta = NAN, best_phi = 0, best = -INFINITY;
  std::set<double> phis;
  for (const auto& [theta, around] : sphere)
    for (const auto& [phi, value] : around) phis.insert(phi), best = std::max(best, value);
  for (const auto& [theta, around] : sphere)
    for (const auto& [phi, value] : around)
      if (std::isnan(best_theta) && value >= best - alike) best_theta = theta, best_phi = phi;
  if (std::isnan(best_theta)) return {};
  std::vector<double> flat;  // from there on: the maximum itself is in the middle
  for (auto at = sphere.lower_bound(best_theta); at != sphere.end(); ++at) {
    const auto value = at->second.find(best_phi);
    if (value == at->second.end() || value->second < best - alike) break;
    flat.push_back(at->first);
  }
  best_theta = flat[flat.size() / 2];
  std::vector<Curve> found;
  const bool few = phis.size() <= 4;
  const auto along = [&](double at) {
    std::map<double, double> line;
    for (const auto& [theta, around] : sphere) {
      if (const auto here = around.find(at); here != around.end()) line[theta] = here->second;
      const auto behind = around.find(at + 180);
      if (behind != around.end() && theta > 0) line[-theta] = behind->second;
    }
    found.push_back(curve_of(fmt::format("phi {:g}°", at), line));
  };
  if (sphere.size() > 1) {
    for (const double phi : phis)
      if (few ? !phis.contains(phi - 180) : phi == best_phi) along(few || phi < 180 ? phi : phi - 180);
  }
  // Near the axis a cone says nothing of a beam: a patch has two planes.
  bool is_axial = false;
  if (!few && sphere.size() > 1 && std::abs(std::remainder(best_theta, 180)) < 30)
    for (const double phi : phis)
      if (phi < 180 && std::abs(std::remainder(phi - best_phi - 90, 180)) < 1e-6) along(phi), is_axial = true;
  if (!few && !is_axial) {
    const bool goes_round =
        *phis.begin() >= 0 && *phis.rbegin() > 180;  // as the cuts over theta: -180 to 180
    std::map<double, double> line;
    for (const auto& [phi, value] : sphere.at(best_theta))
      if (!goes_round || phi < 360) line[goes_round && phi > 180 ? phi - 360 : phi] = value;
    if (goes_round && line.contains(180)) line[-180] = line[180];
    found.push_back(curve_of(fmt::format("theta {:g}°", best_theta), line));
  }
  return found;
}

}  // namespace curlew::report
