// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "base/decibel.hpp"
#include "base/vec3.hpp"
#include "io/number_text.hpp"
#include "report/cuts.hpp"
#include "report/html.hpp"
#include "report/scattering.hpp"

namespace curlew::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
constexpr std::size_t most_waves = 8;  // with more, only backscattering is drawn
constexpr std::size_t most_bodies = 8;
constexpr std::size_t most_patterns = 32;  // frequencies: a page of 2 MB at the most curves

std::optional<io::CsvTable> read(const Source& source, const std::string& name) {
  const fs::path path = fs::path(source.folder) / name;
  if (!fs::exists(path) || is_too_large(source, name)) return std::nullopt;
  auto table = io::read_csv(path.string());
  if (table.num_rows == 0) return std::nullopt;
  return table;
}

/// The files of the run with this beginning and end of their names.
std::vector<std::string> files_like(const Source& source, std::string_view start, std::string_view end) {
  std::vector<std::string> names;
  for (const auto& file : source.summary.at("files")) {
    const auto name = file.get<std::string>();
    if (name.starts_with(start) && name.ends_with(end)) names.push_back(name);
  }
  return names;
}

/// "Ports of S: 1 feed TE10, 2 feed TE20, 3 load TE10"; empty where the table has other modes.
std::string port_numbers(const Source& source, const Scattering& scattering) {
  const auto table = read(source, "ports.csv");
  if (!table) return "";
  std::string text;
  const auto rows = group_rows(*table, {"frequency_hz"}).front().rows;
  if (rows.size() * rows.size() != scattering.entries.size()) return "";
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto& mode = table->text.at("mode")[rows[n]];
    text += fmt::format("{} {} {}{}{}", n == 0 ? "Ports of S:" : ",", n + 1, table->text.at("port")[rows[n]],
                        mode.empty() ? "" : " ", mode);
  }
  return fmt::format("<p>{}</p>\n", escape(text));
}

/// |E| along the points of a line; empty for points that lie otherwise.
std::string field_on_line(const io::CsvTable& table, const std::string& name) {
  const auto x = table.numbers("x_m"), y = table.numbers("y_m"), z = table.numbers("z_m");
  std::vector<double> size(table.num_rows), along(table.num_rows);
  for (const char* part : {"re_ex", "im_ex", "re_ey", "im_ey", "re_ez", "im_ez"}) {
    const auto values = table.numbers(part);
    for (std::size_t row = 0; row < size.size(); ++row) size[row] = std::hypot(size[row], values[row]);
  }
  Chart chart{"line_" + name, "Electric field of " + name, "distance from the first point (m)",
              "abs E (V/m)"};
  for (const Group& group : group_rows(table, {"frequency_hz", "excitation", "field"})) {
    const auto at = [&](std::size_t row) { return Vec3<double>{x[row], y[row], z[row]}; };
    const Vec3<double> start = at(group.rows.front()), way = at(group.rows.back()) - start;
    const double length = norm(way);
    if (group.rows.size() < 3 || !(length > 0)) return "";
    for (const auto row : group.rows) {
      if (norm(cross(at(row) - start, way)) > 1e-6 * length * length) return "";
      along[row] = dot(at(row) - start, way) / length;
    }
    chart.curves.push_back(curve_of(group, along, size));
  }
  return draw(chart);
}

/// The pattern as lists over theta and phi; null if its directions are no grid that goes round.
json json_pattern(const std::string& name, Sphere sphere) {
  constexpr std::size_t most_lines = 46, fewest_azimuths = 7;
  const auto angles_of = [](const auto& map) {
    std::vector<double> angles;
    for (const auto& [angle, unused] : map) angles.push_back(angle);
    return angles;
  };
  auto phi = angles_of(sphere.begin()->second);
  if (sphere.size() < 5 || phi.size() < fewest_azimuths) return {};
  const bool closes = std::abs(phi.front() + 360 - phi.back() - (phi[1] - phi[0])) < 1e-6;
  for (auto& [theta, around] : sphere) {
    if (angles_of(around) != phi) return {};
    if (closes) around[phi.front() + 360] = around.begin()->second;
  }
  if (closes) phi.push_back(phi.front() + 360);
  double best = -INFINITY, best_theta = 0, best_phi = 0;
  for (const auto& [theta, around] : sphere)
    for (const auto& [angle, value] : around)
      if (value > best) best = value, best_theta = theta, best_phi = angle;
  if (!std::isfinite(best)) return {};
  // With the greatest gain, which the colour bar states.
  const auto thinned = [](const std::vector<double>& angles, double greatest) {
    std::set<double> kept{angles.back(), greatest};
    for (const auto i : every_nth(angles.size(), most_lines)) kept.insert(angles[i]);
    return std::vector<double>(kept.begin(), kept.end());
  };
  json made{
      {"name", name}, {"theta", thinned(angles_of(sphere), best_theta)}, {"phi", thinned(phi, best_phi)}};
  for (const double t : made["theta"]) {
    std::vector<double> line;
    for (const double p : made["phi"]) line.push_back(std::max(sphere.at(t).at(p), -300.0));
    made["db"].push_back(rounded(line, 4));
  }
  return made;
}

/// Keeps the greatest of the points with the same x.
Curve greatest_of_each(const Curve& curve) {
  std::map<double, double> most;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (std::isfinite(curve.y[i]))
      most[curve.x[i]] = std::max(most.try_emplace(curve.x[i], curve.y[i]).first->second, curve.y[i]);
  return curve_of(curve.name, most);
}

/// What a curve exceeds along 1 % of its length: currents grow without limit at edges.
double top_along(const Curve& curve) {
  std::vector<std::pair<double, double>> steps;  // greater value, length
  for (std::size_t i = 1; i < curve.x.size(); ++i)
    steps.emplace_back(std::max(curve.y[i - 1], curve.y[i]), curve.x[i] - curve.x[i - 1]);
  std::sort(steps.rbegin(), steps.rend());
  double left = steps.empty() ? 0 : 0.01 * (curve.x.back() - curve.x.front());
  for (const auto& [value, length] : steps)
    if ((left -= length) < 0) return value;
  return INFINITY;
}

/// The variables of an optimisation over their first values.
Chart parameters(const io::CsvTable& table) {
  Chart chart{"steps", "Variables", "evaluation", "value over that of the start"};
  for (const Group& group : group_rows(table, {"what"})) {
    if (group.name.ends_with("Hz")) continue;  // a result there
    Curve curve = curve_of(group, table.numbers("evaluation"), table.numbers("re_value"));
    const double first = curve.y.front();
    for (double& value : curve.y) value /= first;
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

/// Curves over angles, polar and rectangular.
std::string over_angles(Chart chart) {
  chart.x = "angle (degrees)";
  Chart polar = chart;
  polar.kind = "polar";
  polar.title += ", polar; 0° is up";
  return draw(polar) + draw(chart);
}

/// The curves of a group of rows over the angle that varies; for both the cuts through the maximum.
void add_over_angle(const io::CsvTable& table, const Group& group, const std::string& value, Chart& chart) {
  const auto varies = [&](const char* column) {
    const auto found = table.text.find(column);
    return found != table.text.end() && std::any_of(group.rows.begin(), group.rows.end(), [&](auto row) {
             return found->second[row] != found->second[group.rows[0]];
           });
  };
  if (varies("theta_deg") && varies("phi_deg")) {
    chart.x = "angle (degrees)";
    for (Curve& curve : cuts(sphere_of(table, group.rows, value))) {
      curve.name = group.name + (group.name.empty() ? "" : ", ") + curve.name;
      chart.curves.push_back(std::move(curve));
    }
    return;
  }
  chart.x = varies("theta_deg") ? "theta_deg" : "phi_deg";
  chart.curves.push_back(curve_of(group, table.numbers(chart.x), numbers_of(table, value)));
}

/// Relative bars of the field towards the source of each row; empty without any.
std::vector<double> backscatter_bars(const Source& source, const io::CsvTable& table) {
  const auto errors = read(source, "errors.csv");
  if (!errors || !table.text.contains("theta_inc_deg")) return {};
  std::map<std::pair<std::string, std::string>, double> found;  // by frequency and wave
  const auto value = numbers_of(*errors, "value"), error = numbers_of(*errors, "error");
  for (std::size_t row = 0; row < errors->num_rows; ++row)
    if (errors->text.at("quantity")[row] == "backscatter RCS")
      found[{errors->text.at("frequency_hz")[row], errors->text.at("source")[row]}] = error[row] / value[row];
  if (found.empty()) return {};
  std::vector<double> bars(table.num_rows, NAN);
  const auto cell = [&](const char* column, std::size_t row) { return table.text.at(column)[row]; };
  for (std::size_t row = 0; row < table.num_rows; ++row) {
    const auto wave = fmt::format("wave from theta {} phi {}, {}", cell("theta_inc_deg", row),
                                  cell("phi_inc_deg", row), cell("polarization", row));
    if (const auto at = found.find({cell("frequency_hz", row), wave}); at != found.end())
      bars[row] = at->second;
  }
  return bars;
}

/// Bars of the last curve, in decibels.
void add_bars(const io::CsvTable& table, const Group& group, const std::vector<double>& bars, Chart& chart) {
  auto low = numbers_of(table, chart.y), high = low;
  for (const auto row : group.rows)
    low[row] += decibel(std::max(1 - bars[row], 0.1)), high[row] += decibel(1 + bars[row]);
  Curve& curve = chart.curves.back();
  curve.low = curve_of(group, table.numbers(chart.x), low).y;
  curve.high = curve_of(group, table.numbers(chart.x), high).y;
}

std::vector<std::size_t> rows_towards_the_source(const io::CsvTable& table) {
  std::vector<std::size_t> rows(table.num_rows);
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  for (const std::string angle : {"theta", "phi"}) {
    if (!table.text.contains(angle + "_inc_deg")) continue;
    const auto from = table.numbers(angle + "_inc_deg"), to = table.numbers(angle + "_deg");
    std::erase_if(rows, [&](auto row) { return std::abs(to[row] - from[row]) > 1e-6; });
  }
  return rows;
}

/// Cross-sections over the direction, of all rows or some; where it is that of the wave, this names no curve.
std::string over_directions(const io::CsvTable& table, Chart chart, bool is_monostatic,
                            const std::vector<std::size_t>* rows, const std::vector<double>& bars) {
  std::vector<std::string> by{"frequency_hz", "polarization"};
  if (!is_monostatic) by.insert(by.end(), {"theta_inc_deg", "phi_inc_deg"});
  if (table.text.contains("polarization") && is_constant(table, "polarization"))
    chart.title += ", " + label("polarization", table.text.at("polarization")[0]);
  for (const Group& group : group_rows(table, by, rows)) {
    add_over_angle(table, group, chart.y, chart);
    if (is_monostatic && !bars.empty() && chart.x.ends_with("_deg")) add_bars(table, group, bars, chart);
  }
  if (is_monostatic && chart.x.ends_with("_deg")) chart.x.insert(chart.x.size() - 4, "_inc");
  return chart.y == "width_dbm" ? over_angles(chart) : draw(chart);
}

/// Cuts of the patterns of one frequency, of all ports combined alone where there are.
/// @param values numbers of that column
std::string pattern_cuts(const io::CsvTable& table, const std::string& value,
                         const std::vector<double>& values, const Group& group) {
  const auto& ports = table.text.at("port");
  const auto best = *std::max_element(group.rows.begin(), group.rows.end(),
                                      [&](auto a, auto b) { return !(values[a] >= values[b]); });
  const auto& frequency = table.text.at("frequency_hz")[best];
  Chart chart{
      "pattern",
      fmt::format("{} at {}, greatest {:.2f} dBi", ports[best] == "combined" ? "Combined" : ports[best],
                  label("frequency_hz", frequency), values[best]),
      "", value};
  chart.frequency = io::number_of(frequency);
  for (const Group& port : group_rows(table, {"port"}, &group.rows))
    for (Curve& curve : cuts(sphere_of(table, port.rows, value))) {
      if (port.rows.size() < group.rows.size()) curve.name = port.name + ", " + curve.name;
      chart.curves.push_back(std::move(curve));
    }
  return over_angles(chart);
}

/// Ends the lines of a curve where no band [from, to] of a goal continues: nothing was computed there.
void part_by_bands(const std::map<std::string, std::array<double, 2>>& bands, Curve& curve) {
  for (std::size_t i = curve.x.size(); i-- > 1;) {
    const double from = curve.x[i - 1], to = curve.x[i];
    const auto holds = [&](const auto& each) { return each.second[0] <= from && to <= each.second[1]; };
    if (std::any_of(bands.begin(), bands.end(), holds)) continue;
    curve.x.insert(curve.x.begin() + std::ptrdiff_t(i), 0.5 * (from + to));
    curve.y.insert(curve.y.begin() + std::ptrdiff_t(i), NAN);
  }
}

}  // namespace

std::string section(const std::string& title, const std::string& charts) {
  if (charts.empty()) return "";
  const auto head = title.empty() ? "" : fmt::format("<h2>{}</h2>\n", title);
  return fmt::format("<section>{}<div class=\"charts\">\n{}</div></section>\n", head, charts);
}

bool is_too_large(const Source& source, const std::string& name) {
  constexpr std::uintmax_t most_bytes = 64 << 20;  // half a million rows, two seconds to read
  std::error_code fault;
  const auto bytes = fs::file_size(fs::path(source.folder) / name, fault);
  return !fault && bytes > most_bytes;
}

std::string scattering_parameters(const Source& source) {
  const auto found = read_scattering(source.summary.at("results"));
  const auto text = section("S-parameters", draw_scattering(found));
  return text.empty() ? "" : text + port_numbers(source, found);
}

std::string goals(const Source& source) {
  const auto table = read(source, "goals.csv");
  if (!table) return "";
  const auto f = table->numbers("frequency_hz"), start = numbers_of(*table, "start"),
             best = numbers_of(*table, "best");
  std::string content;
  for (const Group& group : group_rows(*table, {"quantity", "unit"})) {
    const auto row = group.rows.front();
    Chart chart{"goals", table->text.at("quantity")[row] + " before and after; shaded: goal missed",
                "frequency_hz",
                fmt::format("{} ({})", table->text.at("quantity")[row], table->text.at("unit")[row])};
    std::map<std::string, Mask> masks;
    std::map<std::string, std::array<double, 2>> bands;
    auto rows = group.rows;
    std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return f[a] < f[b]; });
    Curve before = curve_of({"start", rows}, f, start), after = curve_of({"best", rows}, f, best);
    before.colour = 1, before.dash = true, after.colour = 0;
    for (const auto i : rows) {
      bands.try_emplace(table->text.at("goal")[i], std::array{f[i], f[i]}).first->second[1] = f[i];
      for (const auto& [column, beyond] : {std::pair{"below", 1}, {"above", -1}}) {
        const auto& limit = table->text.at(column)[i];
        if (limit.empty()) continue;
        auto& mask =
            masks.try_emplace(table->text.at("goal")[i] + column, Mask{f[i], f[i], std::stod(limit), beyond})
                .first->second;
        mask.to = f[i];
      }
    }
    part_by_bands(bands, before), part_by_bands(bands, after);
    chart.curves = {before, after};
    for (auto& [name, mask] : masks) {
      if (mask.from == mask.to) mask.from *= 0.99, mask.to *= 1.01;  // of one frequency
      chart.masks.push_back(mask);
    }
    content += draw(chart);
  }
  return section("Goals", content);
}

std::string patterns(const Source& source) {
  const auto table = read(source, "farfield.csv");
  if (!table) return "";
  std::string value;
  for (const auto& name : report::table()["pattern"])
    if (value.empty() && table->text.contains(name)) value = name;
  if (value.empty()) return "";
  const auto values = numbers_of(*table, value);
  const auto& ports = table->text.at("port");
  const bool combined = std::find(ports.begin(), ports.end(), "combined") != ports.end();
  std::vector<std::size_t> shown;
  for (std::size_t row = 0; row < table->num_rows; ++row)
    if (std::isfinite(values[row]) && (!combined || ports[row] == "combined")) shown.push_back(row);
  if (shown.empty()) return "";
  const auto best =
      *std::max_element(shown.begin(), shown.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  // That of the greatest value first; the others behind a heading, and for `curlew plot --frequency`.
  const auto all = group_rows(*table, {"frequency_hz"}, &shown);
  std::string content, others;
  const auto kept = every_nth(all.size(), most_patterns);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (std::binary_search(all[n].rows.begin(), all[n].rows.end(), best))
      content = pattern_cuts(*table, value, values, all[n]);
    else if (std::binary_search(kept.begin(), kept.end(), n))
      others += pattern_cuts(*table, value, values, all[n]);
  json bodies = json::array();
  const auto groups = group_rows(*table, {"frequency_hz", "port"});
  const auto drawn = every_nth(groups.size(), most_bodies);
  for (std::size_t n = 0; n < groups.size(); ++n) {
    const auto& [name, rows] = groups[n];
    const bool first = std::find(rows.begin(), rows.end(), best) != rows.end();
    if (!first && !std::binary_search(drawn.begin(), drawn.end(), n)) continue;
    auto body = json_pattern(name.empty() ? label_of(value) : name, sphere_of(*table, rows, value));
    if (!body.is_null()) bodies.insert(first ? bodies.begin() : bodies.end(), std::move(body));
  }
  if (!bodies.empty())
    content += figure("body", "Pattern", {{"title", "Pattern"}, {"unit", "dBi"}, {"patterns", bodies}});
  const char* which = kept.size() < all.size() ? "some of the" : "the";
  return section("Far field", content) +
         folded(fmt::format("Far field at {} other frequencies", which), section("", others));
}

std::string cross_sections(const Source& source) {
  std::string content;
  for (const auto& [file, title, value] : {std::tuple{"rcs.csv", "Radar cross-section", "rcs_dbsm"},
                                           {"echo_width.csv", "Bistatic echo width", "width_dbm"},
                                           {"monostatic.csv", "Monostatic echo width", "width_dbm"}}) {
    const auto table = read(source, file);
    if (!table) continue;
    const auto back = rows_towards_the_source(*table);
    const bool is_monostatic = back.size() == table->num_rows;
    const auto bars = backscatter_bars(source, *table);
    const Chart chart{fs::path(file).stem(), title, "", value};
    content += over_directions(*table, chart, is_monostatic, nullptr, bars);
    if (const auto waves = group_rows(*table, {"theta_inc_deg", "phi_inc_deg"}).size();
        value == std::string("rcs_dbsm") && !is_monostatic && waves > most_waves && back.size() >= waves)
      content += over_directions(*table, {chart.picture, chart.title + " towards the source", "", value},
                                 true, &back, bars);
  }
  return section("Scattering", content);
}

std::string near_fields(const Source& source) {
  std::string lines, cuts;
  for (const auto& name : files_like(source, "near_", ".csv"))
    if (const auto table = read(source, name)) {
      const auto shown = name.substr(5, name.size() - 9);
      lines += field_on_line(*table, shown);
      cuts += draw_field_cut(*table, shown);
    }
  return section("Fields on lines", lines) + section("Fields on cuts", cuts);
}

std::string listed(const Source& source, const std::string& wanted) {
  std::string content;
  for (const auto& about : table()["charts"]) {
    if (about["section"] != wanted) continue;
    const auto pattern = about["file"].get<std::string>();
    const auto star = pattern.find('*');
    const auto names = star == std::string::npos
                           ? std::vector{pattern}
                           : files_like(source, pattern.substr(0, star), pattern.substr(star + 1));
    for (const auto& name : names) {
      const auto table = read(source, name);
      if (!table) continue;
      Chart chart{fs::path(name).stem(), about["title"], about["x"], ""};
      const auto values = about["y"].get<std::vector<std::string>>();
      chart.y = values.size() == 1 ? values[0] : about["y_label"].get<std::string>();
      chart.log = about.value("log", false);
      if (names.size() > 1 && table->text.contains("frequency_hz") && is_constant(*table, "frequency_hz"))
        chart.title += ", " + label("frequency_hz", table->text.at("frequency_hz")[0]);
      double top = 0;
      for (const auto& value : values)
        for (const Group& group : group_rows(*table, about["by"].get<std::vector<std::string>>())) {
          Curve curve = curve_of(group, numbers_of(*table, chart.x), numbers_of(*table, value));
          if (about.contains("greatest")) curve = greatest_of_each(curve);
          if (values.size() > 1) curve.name = label_of(value);
          if (chart.x == "s_m") top = std::max(top, top_along(curve));
          chart.curves.push_back(std::move(curve));
        }
      if (top > 0 && std::isfinite(top)) chart.range = {0.0, top};
      const bool is_a_point = about.contains("greatest") &&  // of two passes; its numbers are in a table
                              std::all_of(chart.curves.begin(), chart.curves.end(),
                                          [](const Curve& curve) { return curve.x.size() < 2; });
      if (!is_a_point) content += draw(chart);
    }
  }
  return content;
}

std::string convergence(const Source& source) {
  std::string content = listed(source, "Convergence");
  const auto& solver = source.summary.at("solver");
  if (solver.contains("history") && solver["history"].size() > 1) {
    Curve curve{"", {}};
    for (const auto& residual : solver["history"]) {
      curve.x.push_back(double(curve.x.size() + 1));
      curve.y.push_back(residual.is_number() ? residual.get<double>() : NAN);
    }
    Chart chart{"iteration", "Iteration of the last solution", "iteration", "residual", {curve}};
    chart.log = true;
    content += draw(chart);
  }
  if (const auto table = read(source, "steps.csv")) content += draw(parameters(*table));
  return section("Convergence", content);
}

std::string error_bars(const Source& source) {
  const auto table = read(source, "errors.csv");
  if (!table) return "";
  Table rows{"", table->columns, {}};
  for (std::size_t i = 0; i < table->num_rows; ++i) {
    rows.rows.emplace_back();
    for (const auto& column : table->columns) {
      const auto& cell = table->text.at(column)[i];
      const auto number = io::number_of(cell);
      rows.rows.back().push_back(column == "frequency_hz" ? label(column, cell)
                                 : number                 ? fmt::format("{:.4g}", *number)
                                                          : cell);
    }
  }
  return folded("Error bars", html_table(rows, 40));
}

}  // namespace curlew::report
